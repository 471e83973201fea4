import { execFileSync } from "node:child_process";
import { raiseInliningBudget } from "../src/arena/play/inlining.ts";
import { game as kalah } from "../examples/kalah/kalah.ts";
import { createRandom } from "../src/base/random.ts";
import { CHANCE, TERMINAL, type GameFamily } from "../src/games/contract/game.ts";
import { createGame, games as shipped } from "../src/games/index.ts";
import { fastKalah } from "../test/support/fast-kalah.ts";

/**
 * Random play through the contract on one core: actions a second, chance outcomes apart. Each game has
 * a process of its own, because V8 makes slower code for many kinds of state in one. `kalah` is examples/kalah, a simple
 * game; `fast-kalah` is the same game by the fast contract.
 */
const games = { ...shipped, kalah: kalah as GameFamily, "fast-kalah": fastKalah as GameFamily };
const SECONDS = 1;
const REPEATS = 5;

const only = process.argv[2];
if (only === undefined) {
  for (const id of Object.keys(games)) {
    if (!games[id as keyof typeof games].options.safeParse({}).success) continue;
    execFileSync(process.execPath, [process.argv[1]!, "random-play", id], { stdio: "inherit" });
  }
} else {
  raiseInliningBudget();
  const game = createGame(only, games);
  const random = createRandom("bench", only);
  const state = game.start();
  const start = game.start();
  const actions = new Int32Array(game.maxActions);
  const probabilities = new Float64Array(game.maxActions);

  /** Plays whole games for about `ms`; moves a second, and moves and chance events a second. */
  const measure = (ms: number): [number, number] => {
    const begun = performance.now();
    let moves = 0;
    let events = 0;
    while (performance.now() - begun < ms) {
      for (let repeat = 0; repeat < 20; repeat++) {
        state.copyFrom(start);
        for (let mover = state.toMove; mover !== TERMINAL; mover = state.toMove) {
          if (mover === CHANCE) {
            const count = state.chanceOutcomes!(actions, probabilities, 0);
            state.apply(actions[random.weighted(probabilities, 0, count)]);
            events++;
          } else {
            state.apply(actions[random.below(state.legalActions(actions, 0))]);
            moves++;
          }
        }
      }
    }
    const perSecond = 1000 / (performance.now() - begun);
    return [moves * perSecond, (moves + events) * perSecond];
  };
  measure(1000 * SECONDS);
  const speeds = Array.from({ length: REPEATS }, () => measure((1000 * SECONDS) / 2)).toSorted(
    ([a], [b]) => b - a,
  );
  const [best, median] = [speeds[0]!, speeds[REPEATS >> 1]!];
  const million = (speed: number) => (speed / 1e6).toFixed(2);
  const events = game.chance ? `, with chance events ${million(best[1])} M` : "";
  console.log(`${only.padEnd(18)} ${million(best[0])} M moves/s (median ${million(median[0])})${events}`);
}
