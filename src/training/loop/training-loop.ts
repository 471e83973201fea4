import type { ErrorTally } from "../learn/learner.ts";
import type { SelfPlayCounts, SelfPlayLearner } from "./self-play-learner.ts";

/** Staleness: the number of games learned between the weights an actor played with and the weights it taught. */
export interface Staleness {
  games: number;
  /** The staleness of these games, added up. */
  behind: number;
  /** The largest staleness of a game. */
  most: number;
}

/** The staleness of a training whose games were all played with the newest weights. */
export const NEVER_STALE: Readonly<Staleness> = { games: 0, behind: 0, most: 0 };

/**
 * Plays the games of a training and learns from them: in this thread (localLoop), in several threads (threadedLoop), or
 * with actors on other machines and the learner here (actorLoop).
 */
export interface TrainingLoop {
  readonly counts: SelfPlayCounts;
  /** True if weights may change while `tick` runs. */
  readonly isConcurrent: boolean;
  readonly staleness: Staleness;
  /** The errors of all learners; the caller may set them back between two calls of `play`. */
  readonly errors: ErrorTally;
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

/** A loop in this thread: the same config gives the same weights to the last bit. */
export function localLoop(learning: SelfPlayLearner, clock: () => number): TrainingLoop {
  return {
    get counts() {
      return learning.counts;
    },
    errors: learning.learner.errors,
    isConcurrent: false,
    staleness: { ...NEVER_STALE },
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
