import { execFileSync } from "node:child_process";
import { raiseInliningBudget } from "../src/base/inlining.ts";
import { createRandom } from "../src/base/random.ts";
import { CHANCE, TERMINAL } from "../src/games/game.ts";
import { createGame, games } from "../src/games/index.ts";

/**
 * Random play through the contract on one core: actions a second, chance outcomes apart. Each game has
 * a process of its own, because V8 makes slower code for many kinds of state in one.
 */
const SECONDS = 1;
const REPEATS = 5;

const only = process.argv[2];
if (only === undefined) {
  for (const id of Object.keys(games)) {
    if (!games[id]!.options.safeParse({}).success) continue;
    execFileSync(process.execPath, [process.argv[1]!, "random-play", id], { stdio: "inherit" });
  }
} else {
  raiseInliningBudget();
  const game = createGame(only);
  const random = createRandom("bench", only);
  const state = game.start();
  const start = game.start();
  const actions = new Int32Array(game.maxActions);
  const probabilities = new Float64Array(game.maxActions);

  /** Plays whole games for about `ms`; moves a second. */
  const measure = (ms: number): number => {
    const begun = performance.now();
    let moves = 0;
    while (performance.now() - begun < ms) {
      for (let repeat = 0; repeat < 20; repeat++) {
        state.copyFrom(start);
        for (let mover = state.toMove; mover !== TERMINAL; mover = state.toMove) {
          if (mover === CHANCE) {
            const count = state.chanceOutcomes(actions, probabilities, 0);
            state.apply(actions[random.weighted(probabilities, 0, count)]);
          } else {
            state.apply(actions[random.below(state.legalActions(actions, 0))]);
            moves++;
          }
        }
      }
    }
    return (moves / (performance.now() - begun)) * 1000;
  };
  measure(1000 * SECONDS);
  const speeds = Array.from({ length: REPEATS }, () => measure((1000 * SECONDS) / 2)).toSorted(
    (a, b) => b - a,
  );
  console.log(
    `${only.padEnd(18)} ${(speeds[0]! / 1e6).toFixed(2)} M moves/s (median ${(speeds[REPEATS >> 1]! / 1e6).toFixed(2)})`,
  );
}
