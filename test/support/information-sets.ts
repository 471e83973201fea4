import { CHANCE, TERMINAL, type Game } from "../../src/games/contract/game.ts";
import { possibleActions } from "../../src/games/contract/notation.ts";
import { ObservedGame } from "../../src/games/contract/privacy.ts";

/** The sizes of a whole game: histories by the one who moves, and information sets by player. */
export interface GameSize {
  chance: number;
  decisions: number;
  ends: number;
  readonly sets: number[];
}

/** Walks through every history of a small game. */
export function measure(game: Game): GameSize {
  const observed = new ObservedGame(game);
  const sets = Array.from({ length: game.players }, () => new Set<string>());
  const size: GameSize = { chance: 0, decisions: 0, ends: 0, sets: [] };
  const walk = (): void => {
    const { toMove } = observed.state;
    if (toMove === TERMINAL) {
      size.ends++;
      return;
    }
    if (toMove === CHANCE) size.chance++;
    else {
      size.decisions++;
      sets[toMove]!.add(observed.key(toMove));
    }
    for (const action of possibleActions(game, observed.state)) {
      observed.apply(action);
      walk();
      observed.undo();
    }
  };
  walk();
  size.sets.push(...sets.map((one) => one.size));
  return size;
}
