import { createRandom } from "../../src/base/random.ts";
import { CHANCE, TERMINAL, type Game } from "../../src/games/contract/game.ts";
import { possibleActions, sampleChance } from "../../src/games/contract/notation.ts";
import { ObservedGame } from "../../src/games/contract/privacy.ts";
import { createGame } from "../../src/games/index.ts";
import { sampleGames, sampleName } from "../games/samples.ts";

/** The games of hidden information, in all forms of the contract suite, with their names. */
export const hiddenGames: readonly [name: string, game: Game][] = sampleGames
  .map((spec): [string, Game] => [sampleName(spec), createGame(spec)])
  .filter(([, { hiddenInformation }]) => hiddenInformation);

/** Two games that give the player to move the same codes. */
interface Twins {
  readonly player: number;
  readonly truth: readonly number[];
  readonly twin: readonly number[];
}

/** Positions of random games where a player is to move, each with another game that the player cannot tell from it. */
export function* twins(game: Game, count: number): Generator<Twins> {
  const observed = new ObservedGame(game);
  const { state } = observed;
  const random = createRandom("twins", game.id);
  const world = new Int32Array(observed.privacy.maxEvents);
  const actions: number[] = [];
  for (let found = 0; found < count;) {
    if (state.toMove === TERMINAL) {
      observed.restart();
      actions.length = 0;
      continue;
    }
    if (state.toMove >= 0) {
      const player = state.toMove;
      const length = observed.worlds(player).draw(random, world);
      yield { player, truth: [...actions], twin: Array.from(world.subarray(0, length)) };
      found++;
    }
    const possible = possibleActions(game, state);
    const action =
      state.toMove === CHANCE ? sampleChance(game, state, random) : possible[random.below(possible.length)]!;
    observed.apply(action);
    actions.push(action);
  }
}
