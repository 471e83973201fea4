import { readFileSync } from "node:fs";
import process from "node:process";
import { createRandom } from "../src/base/random.ts";
import { CHANCE, TERMINAL } from "../src/games/contract/game.ts";
import { sampleChance } from "../src/games/contract/notation.ts";
import { FIRST_PLAY } from "../src/games/crossword/form.ts";
import type { CrosswordState } from "../src/games/crossword/state.ts";
import { createGame } from "../src/games/index.ts";

/*
 * Times the plays of the crossword game in games that take the play with the most points: npm run bench -- crossword [FILE], a file
 * of words with blanks between.
 */
const [, , file] = process.argv;
const words =
  file === undefined
    ? "common"
    : readFileSync(file, "utf8")
        .split(/\s+/)
        .filter((word) => /^[a-z]{2,15}$/.test(word));
const begun = process.cpuUsage();
const game = createGame({ id: "crossword", words });
const start = game.start() as CrosswordState;
const readyMs = process.cpuUsage(begun).user / 1000;
const { lexicon } = start.form;
const GAMES = 50;
/** Each list is made so often, for the processor's time. */
const TIMES = 10;
const actions = new Int32Array(game.maxActions);
let [positions, plays, most, ms] = [0, 0, 0, 0];
for (let round = 0; round < 2; round++) {
  // The first round warms up.
  [positions, plays, most, ms] = [0, 0, 0, 0];
  for (let number = 0; number < GAMES; number++) {
    const random = createRandom("crossword", number);
    const state = game.start() as CrosswordState;
    while (state.toMove !== TERMINAL) {
      if (state.toMove === CHANCE) {
        state.apply(sampleChance(game, state, random));
        continue;
      }
      const asked = process.cpuUsage();
      let count = 0;
      for (let time = 0; time < TIMES; time++) count = state.legalActions(actions, 0);
      const { user, system } = process.cpuUsage(asked);
      ms += (user + system) / 1000 / TIMES;
      positions++;
      plays += count;
      most = Math.max(most, count);
      let [best, points] = [actions[0]!, -1];
      for (const action of actions.subarray(0, count)) {
        const worth = action < FIRST_PLAY ? 0 : state.board.pointsOf(action);
        if (worth > points) [best, points] = [action, worth];
      }
      state.apply(best);
    }
  }
}
console.log(
  `${lexicon.words.length} words, ${lexicon.ends.length} nodes, made in ${readyMs.toFixed(0)} ms; ${positions} positions, ` +
    `${(plays / positions).toFixed(0)} actions each, ${most} at most, ${((1000 * ms) / positions).toFixed(0)} us each, ` +
    `${(plays / ms / 1000).toFixed(2)} million actions a second, of processor time`,
);
