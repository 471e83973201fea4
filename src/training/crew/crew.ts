import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { DivergenceError, type ErrorTally } from "../learn/learner.ts";
import type { CheckedConfig } from "../plan/config.ts";
import type { Apprentice } from "./apprentice.ts";

/** How much self-play was done since the crew was made. */
export interface SelfPlayCounts {
  /** Decisions by players, without the random plies of openings. */
  readonly decisions: number;
  /** Positions learned from. */
  readonly steps: number;
}

/** How old the weights were with which actors played the games that were learned from: how many games later they are learned from. */
export interface Staleness {
  /** Games by actors. */
  games: number;
  /** The sum over these games. */
  behind: number;
  /** The most of any of them. */
  most: number;
}

/** Of whoever learns from games while they are played. */
export const NEVER_STALE: Readonly<Staleness> = { games: 0, behind: 0, most: 0 };

/**
 * What plays all the games of a training: one apprentice in this thread, one in each of several threads, or actors on other
 * machines (actor-crew.ts).
 */
export interface Crew {
  readonly counts: SelfPlayCounts;
  /** Whether weights may change while `tick` is at work. */
  readonly isConcurrent: boolean;
  readonly staleness: Staleness;
  /** The errors of all its learners; whoever reads them may set them back, between two calls of `play`. */
  readonly errors: ErrorTally;
  /**
   * Plays the games numbered `from` to `until - 1`. Calls `tick` several times a second with the number of games done
   * so far, those before `from` included; when it returns false, play stops after the games at hand. Returns the
   * number of games done. Throws DivergenceError.
   */
  play(from: number, until: number, tick: (games: number) => Promise<boolean>): Promise<number>;
  close(): Promise<void>;
}

/** In one thread, the time between two calls of `tick`. */
const SLICE_MS = 50;

/** A crew of one apprentice, in this thread: the same config gives the same weights to the last bit. */
export function singleCrew(apprentice: Apprentice, clock: () => number): Crew {
  return {
    get counts() {
      return { decisions: apprentice.decisions, steps: apprentice.learner.steps };
    },
    errors: apprentice.learner.errors,
    isConcurrent: false,
    staleness: { ...NEVER_STALE },
    async play(from, until, tick) {
      let games = from;
      while (games < until) {
        const begun = clock();
        while (games < until && clock() - begun < SLICE_MS) apprentice.playGame(games++);
        if (!(await tick(games))) break;
      }
      return games;
    },
    close: async () => {},
  };
}

/** With threads, the time between two calls of `tick`. */
const TICK_MS = 100;

/**
 * A crew of several threads that change the same weights without locks (Recht, Re, Wright and Niu, "Hogwild!", 2011).
 * Sometimes a change is lost, or a sum is read while another thread changes its weights. This costs little as long as
 * two positions share few weights, but no two trainings give the same weights.
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
  const errors: ErrorTally = { count: 0, squares: 0 };
  const counts: SelfPlayCounts[] = Array.from({ length: workers }, () => ({ decisions: 0, steps: 0 }));
  const threads = counts.map((_, worker) => {
    const workerData: WorkerSetup = {
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
        const done = (answer: WorkerAnswer) => {
          thread.off("error", failed);
          if (answer.divergedAt !== undefined) {
            reject(new DivergenceError(answer.divergedAt));
            return;
          }
          counts[worker] = answer.counts;
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

/** Places in the counters that the threads share: the number of the next game that no thread has begun. */
export const CLAIMED = 0;
/** The number of games done. */
export const FINISHED = 1;
/** The number of the first game that is not to be played. */
export const UNTIL = 2;
/** 1 when the threads are to stop after the games at hand. */
export const STOP = 3;
const COUNTERS = 4;

/** What a thread of a crew is started with. */
export interface WorkerSetup {
  readonly config: CheckedConfig;
  readonly baseDir: string;
  /** In shared memory: the weights and what the learner remembers, by name. */
  readonly arrays: Readonly<Record<string, Float32Array>>;
  /** In shared memory: the counters. */
  readonly shared: Int32Array;
  /** The number of this thread, from 0. */
  readonly worker: number;
  /** Games done when the crew was made. It is part of the generator's name: a resumed training plays other games. */
  readonly firstGame: number;
}

/** What a thread sends when no game is left to play, or the weights diverged. */
export interface WorkerAnswer {
  readonly counts: SelfPlayCounts;
  /** Since its last answer. */
  readonly errors: ErrorTally;
  /** The learning step at which the weights diverged. */
  readonly divergedAt?: number;
}
