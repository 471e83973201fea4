import process from "node:process";
import { createRandom } from "../src/base/random.ts";
import { CHANCE, TERMINAL } from "../src/games/contract/game.ts";
import { possibleActions } from "../src/games/contract/notation.ts";
import { ObservedGame } from "../src/games/contract/privacy.ts";
import { createGame, games } from "../src/games/index.ts";
import { compareSights, sightOf } from "../src/games/check/privacy-checks.ts";

/*
 * Looks for leaks in all games of hidden information: npm run bench -- leaks [PAIRS]. In each position of random games worlds
 * are drawn from the codes of the player to move, and all that the player may look at must be equal in each of them. PAIRS [1000000]
 * are the pairs of all games together. It stops at the first difference.
 */
/** Worlds of a position. */
const DRAWS = 4;

const [pairs = "1000000"] = process.argv.slice(2);
const hidden = Object.keys(games)
  .filter((id) => id !== "tree")
  .map((id) => createGame(id))
  .filter((game) => game.hiddenInformation);
const each = Math.ceil(Number(pairs) / hidden.length);
let total = 0;
const begun = performance.now();
for (const game of hidden) {
  const { id } = game;
  const [truth, drawn] = [new ObservedGame(game), new ObservedGame(game)];
  const out = new Int32Array(truth.privacy.maxEvents);
  const random = createRandom("leaks", id);
  let count = 0;
  let others = 0;
  const start = performance.now();
  while (count < each) {
    truth.restart();
    while (truth.state.toMove !== TERMINAL) {
      const { state } = truth;
      const player = state.toMove;
      if (player !== CHANCE) {
        const worlds = truth.worlds(player);
        const sight = sightOf(game, truth, player);
        for (let draw = 0; draw < DRAWS; draw++) {
          drawn.replay(out.subarray(0, worlds.draw(random, out)));
          if (drawn.key(player) !== truth.key(player)) throw new Error(`${id}: a world with other codes`);
          compareSights(sight, sightOf(game, drawn, player), player);
          if (game.formatState(drawn.state) !== game.formatState(state)) others++;
        }
        count += DRAWS;
      }
      const actions = possibleActions(game, state);
      truth.apply(actions[random.below(actions.length)]!);
    }
  }
  total += count;
  const seconds = (performance.now() - start) / 1000;
  console.log(
    `${id}: ${count} pairs, ${others} of two different positions, 0 leaks, ${seconds.toFixed(1)} s`,
  );
}
console.log(`${total} pairs, 0 leaks, ${((performance.now() - begun) / 1000).toFixed(1)} s`);
