import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { DivergenceError, type ErrorTally } from "../learn/learner.ts";
import type { CheckedConfig } from "../plan/config.ts";
import type { SelfPlayCounts } from "./self-play-learner.ts";
import { NEVER_STALE, type TrainingLoop } from "./training-loop.ts";

const TICK_MS = 100;

/**
 * A loop of several learner threads, which change the same weights without locks (Recht, Re, Wright and Niu, "Hogwild!",
 * 2011). Sometimes a change is lost, or a sum is read while another thread changes its weights. This costs little as long
 * as two positions share few weights, but no two trainings give the same weights.
 */
export function threadedLoop(
  config: CheckedConfig,
  setup: {
    baseDir: string;
    arrays: Readonly<Record<string, Float32Array>>;
    firstGame: number;
  },
): TrainingLoop {
  const shared = new Int32Array(new SharedArrayBuffer(4 * COUNTERS));
  const errors: ErrorTally = { count: 0, squares: 0 };
  const counts: SelfPlayCounts[] = Array.from({ length: config.workers }, () => ({ decisions: 0, steps: 0 }));
  const threads = counts.map((_, thread) => {
    const workerData: LearnerThreadSetup = { config, shared, thread, ...setup };
    return new Worker(fileURLToPath(new URL("learner-thread.js", import.meta.url)), { workerData });
  });
  const answers = threads.map(
    (thread, at) => () =>
      new Promise<void>((resolve, reject) => {
        const done = (answer: LearnerThreadAnswer) => {
          thread.off("error", failed);
          if (answer.divergedAt !== undefined) {
            reject(new DivergenceError(answer.divergedAt));
            return;
          }
          counts[at] = answer.counts;
          errors.count += answer.errors.count;
          errors.squares += answer.errors.squares;
          resolve();
        };
        const failed = (error: Error) => {
          thread.off("message", done);
          reject(error);
        };
        thread.once("message", done);
        thread.once("error", failed);
      }),
  );
  return {
    get counts() {
      return counts.reduce((sum, { decisions, steps }) => ({
        decisions: sum.decisions + decisions,
        steps: sum.steps + steps,
      }));
    },
    errors,
    isConcurrent: true,
    staleness: { ...NEVER_STALE },
    async play(from, until, tick) {
      Atomics.store(shared, CLAIMED, from);
      Atomics.store(shared, FINISHED, from);
      Atomics.store(shared, UNTIL, until);
      Atomics.store(shared, STOP, 0);
      const all = Promise.all(answers.map((answer) => answer()));
      for (const thread of threads) thread.postMessage("play");
      let settled = false;
      const end = all.finally(() => (settled = true));
      end.catch(() => Atomics.store(shared, STOP, 1));
      for (;;) {
        await Promise.race([end, setTimeout(TICK_MS)]);
        const goOn = await tick(Atomics.load(shared, FINISHED));
        if (settled) break;
        if (!goOn) Atomics.store(shared, STOP, 1);
      }
      await end;
      return Atomics.load(shared, FINISHED);
    },
    async close() {
      await Promise.all(threads.map(async (thread) => thread.terminate()));
    },
  };
}

/** A place in the shared counters: the number of the next game that no thread has begun. */
export const CLAIMED = 0;
/** A place in the shared counters: the number of games done. */
export const FINISHED = 1;
/** A place in the shared counters: the number of the first game that is not to be played. */
export const UNTIL = 2;
/** A place in the shared counters: 1 when the threads are to stop after the games at hand. */
export const STOP = 3;
const COUNTERS = 4;

/** The data that a learner thread is started with. */
export interface LearnerThreadSetup {
  readonly config: CheckedConfig;
  readonly baseDir: string;
  /** The weights and the learner's memory, by name, in shared memory. */
  readonly arrays: Readonly<Record<string, Float32Array>>;
  readonly shared: Int32Array;
  /** The number of this thread, from 0. */
  readonly thread: number;
  /**
   * The number of games done when the loop was created. It is part of the generator's name, so a resumed training plays
   * other games.
   */
  readonly firstGame: number;
}

/** The message of a learner thread when no game is left to play, or the weights diverged. */
export interface LearnerThreadAnswer {
  readonly counts: SelfPlayCounts;
  /** The errors since its last answer. */
  readonly errors: ErrorTally;
  /** The learning step at which the weights diverged. */
  readonly divergedAt?: number;
}
