import type { CheckedConfig } from "./config.ts";
import type { Tally } from "./crew.ts";

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
