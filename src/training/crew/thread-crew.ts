import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { CheckedConfig } from "../plan/config.ts";
import type { Crew, Tally } from "./crew.ts";
import { DivergenceError } from "../learn/learner.ts";

const TICK_MS = 100;

/**
 * Several threads that learn into the same weights without locks (Recht, Re, Wright and Niu, "Hogwild!",
 * 2011): now and then a change is lost or a sum is read half changed, which costs little while the weights
 * that two positions share are few. No two trainings are alike.
 */
export function threadCrew(
  config: CheckedConfig,
  setup: {
    baseDir: string;
    workers: number;
    arrays: Readonly<Record<string, Float32Array>>;
    firstGame: number;
  },
): Crew {
  const { workers, arrays } = setup;
  const shared = new Int32Array(new SharedArrayBuffer(4 * COUNTERS));
  const tallies = Array.from({ length: workers }, () => ({ decisions: 0, steps: 0 }));
  const threads = tallies.map((_, worker) => {
    const workerData: Setup = {
      config,
      baseDir: setup.baseDir,
      arrays,
      shared,
      worker,
      firstGame: setup.firstGame,
    };
    return new Worker(fileURLToPath(new URL("worker.js", import.meta.url)), { workerData });
  });
  const answers = threads.map(
    (thread, worker) => () =>
      new Promise<void>((resolve, reject) => {
        const done = (answer: Answer) => {
          thread.off("error", failed);
          if (answer.divergedAt !== undefined) {
            reject(new DivergenceError(answer.divergedAt));
            return;
          }
          tallies[worker] = answer.tally;
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
    get tally() {
      return tallies.reduce(
        (sum, { decisions, steps }) => ({ decisions: sum.decisions + decisions, steps: sum.steps + steps }),
        { decisions: 0, steps: 0 },
      );
    },
    async play(from, until, tick) {
      Atomics.store(shared, CLAIMED, from);
      Atomics.store(shared, FINISHED, from);
      Atomics.store(shared, UNTIL, until);
      Atomics.store(shared, STOP, 0);
      const all = Promise.all(answers.map((answer) => answer()));
      const order: Order = "play";
      for (const thread of threads) thread.postMessage(order);
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

/** Shared counters: the next game that nobody plays yet, games done, where to end, and whether to stop before. */
export const CLAIMED = 0;
export const FINISHED = 1;
export const UNTIL = 2;
export const STOP = 3;
export const COUNTERS = 4;

/** What a thread of a training is started with. */
export interface Setup {
  readonly config: CheckedConfig;
  readonly baseDir: string;
  /** On shared memory: the weights and what the learner remembers, by name. */
  readonly arrays: Readonly<Record<string, Float32Array>>;
  readonly shared: Int32Array;
  readonly worker: number;
  /** Games done when the crew was made: a resumed training draws other games. */
  readonly firstGame: number;
}

export type Order = "play";

/** What a thread says when no game is left to play. */
export interface Answer {
  readonly tally: Tally;
  readonly divergedAt?: number;
}
