import { TERMINAL, type Game } from "../../src/games/contract/game.ts";
import { possibleActions } from "../../src/games/contract/notation.ts";
import { ObservedGame } from "../../src/games/contract/privacy.ts";

/** All histories that give a player these codes and leave it to move, by depth-first search. */
export function historiesWith(game: Game, player: number, codes: readonly number[]): Set<string> {
  const observed = new ObservedGame(game);
  const path: number[] = [];
  const found = new Set<string>();
  const walk = (): void => {
    const { state } = observed;
    const count = observed.counts[player]!;
    if (
      count > codes.length ||
      observed.codes[player]!.subarray(0, count).join() !== codes.slice(0, count).join()
    )
      return;
    if (count === codes.length && state.toMove === player) found.add(path.join());
    if (state.toMove === TERMINAL) return;
    for (const action of possibleActions(game, state)) {
      observed.apply(action);
      path.push(action);
      walk();
      path.pop();
      observed.undo();
    }
  };
  walk();
  return found;
}
