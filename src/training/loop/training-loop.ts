import type { ErrorTally } from "../learn/learner.ts";
import type { SelfPlayCounts, SelfPlayLearner } from "./self-play-learner.ts";

/** Plays the games of a training and learns from them: in this thread (localLoop), or in rounds (RoundLoop). */
export interface TrainingLoop {
  readonly counts: SelfPlayCounts;
  /** The part of the time, from 0 to 1, in which actors had nothing to do because the learner was behind them. */
  readonly idle: number;
  /** The errors of the learner; the caller may set them back between two calls of `play`. */
  readonly errors: ErrorTally;
  /** The loop's state between two games besides that of the learner, by name. */
  readonly memory: Readonly<Record<string, Float32Array>>;
  /** Copies the `memory` of such a loop; throws RangeError if an array is missing or has another length. */
  restore(memory: Readonly<Record<string, Float32Array>>): void;
  /**
   * Plays the games numbered `from` to `until - 1`. Calls `tick` several times a second with the number of games done
   * so far, those before `from` included; when it returns false, play stops after the games at hand. Returns the
   * number of games done. Throws DivergenceError.
   */
  play(from: number, until: number, tick: (games: number) => Promise<boolean>): Promise<number>;
  close(): Promise<void>;
}

/** The time between two calls of `tick` in `localLoop`. */
const SLICE_MS = 50;

/** A loop in this thread: the weights change at every step, within games too. */
export function localLoop(learning: SelfPlayLearner, clock: () => number): TrainingLoop {
  return {
    get counts() {
      return learning.counts;
    },
    errors: learning.learner.errors,
    idle: 0,
    memory: {},
    restore: () => {},
    async play(from, until, tick) {
      let games = from;
      while (games < until) {
        const begun = clock();
        while (games < until && clock() - begun < SLICE_MS) learning.playGame(games++);
        if (!(await tick(games))) break;
      }
      return games;
    },
    close: async () => {},
  };
}
