import type { TrainingPlan } from "../plan/plan.ts";

/** The weights of two rounds are in use at a time: the actors find each in one of two tables. */
export type Table = 0 | 1;

/** The weights that a round is played with. */
export interface RoundWeights {
  readonly present: Float32Array;
  /** Those of an older checkpoint, for the seats that play with them; undefined before the first checkpoint, or if none do. */
  readonly past: Float32Array | undefined;
}

/** A job of an actor: the games numbered `from` to `from + count - 1`, with the weights of a table. */
export interface ActorJob {
  readonly table: Table;
  readonly from: number;
  readonly count: number;
}

/** The outcome of a job. */
export type ActorResult =
  /** The moves of its games, the name of the actor that played them, and the time they took. */
  | { readonly moves: Uint8Array; readonly worker: string; readonly timeMs: number }
  /** The job is lost: its games are given out again, with weights that are published again. */
  | { readonly lost: string };

/** Actors, which play games of self-play: in this thread, in others, or on other machines. */
export interface Actors {
  /** The number of jobs that they can take at once; it may change. */
  readonly jobs: number;
  /** The time that the games of one job should take, in ms; 0: a job has one game. */
  readonly jobMs: number;
  /**
   * Brings a table's new weights to the actors, after `games` games. The arrays are in shared memory, are the same for every
   * publishing of this table, and do not change before its next one.
   */
  publish(table: Table, weights: RoundWeights, games: number): Promise<void>;
  /** Throws InputError if no actor can play the games. */
  play(job: ActorJob): Promise<ActorResult>;
  close(): Promise<void>;
}

/** Opens the actors of a training; `run` is the id that the training's folder keeps. */
export type OpenActors = (training: { plan: TrainingPlan; run: string }) => Promise<Actors>;
