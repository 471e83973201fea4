import type { TrainingPlan } from "../plan/plan.ts";
import { setImmediate } from "node:timers/promises";
import type { CheckedConfig } from "../plan/config.ts";
import { Actor } from "./actor.ts";
import { ActorThreads } from "./actor-threads.ts";

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

/** The time that the games of one job should take, in ms. */
const JOB_MS = 20;
/** Jobs for each thread at a time: one waits while it plays another. */
const JOBS_PER_THREAD = 2;

/** Actors in `workers` threads of this process; 0: in this thread. */
export function localActors(plan: TrainingPlan, workers: number): Actors {
  return workers === 0 ? new ActorsHere(plan) : new ThreadActors(plan.config, workers);
}

/** Actors in this thread, for plans with objects that no other thread can have. @internal */
export class ActorsHere implements Actors {
  readonly jobs = 1;
  readonly jobMs = 0;
  private readonly plan: TrainingPlan;
  private readonly actors = new Map<Table, { actor: Actor; hasPast: boolean }>();

  constructor(plan: TrainingPlan) {
    this.plan = plan;
  }

  async publish(table: Table, weights: RoundWeights): Promise<void> {
    const known = this.actors.get(table);
    const hasPast = weights.past !== undefined;
    if (known?.hasPast === hasPast) known.actor.readAgain();
    else this.actors.set(table, { actor: new Actor(this.plan, weights), hasPast });
  }

  async play({ table, from, count }: ActorJob): Promise<ActorResult> {
    await setImmediate();
    return { moves: this.actors.get(table)!.actor.playGames(from, count), worker: "here", timeMs: 0 };
  }

  async close(): Promise<void> {}
}

/** Actors in threads of this process. They read the tables, which are in shared memory. */
class ThreadActors implements Actors {
  readonly jobs: number;
  readonly jobMs = JOB_MS;
  private readonly threads: ActorThreads;
  private readonly tables = new Map<Table, RoundWeights & { version: string }>();

  constructor(config: CheckedConfig, threads: number) {
    this.jobs = JOBS_PER_THREAD * threads;
    this.threads = new ActorThreads({ config, baseDir: "." }, threads);
  }

  async publish(table: Table, weights: RoundWeights, games: number): Promise<void> {
    this.tables.set(table, { ...weights, version: String(games) });
  }

  async play({ table, from, count }: ActorJob): Promise<ActorResult> {
    const { moves, timeMs } = await this.threads.play(
      { slot: table, ...this.tables.get(table)! },
      { from, count },
    );
    return { moves, worker: "here", timeMs };
  }

  async close(): Promise<void> {
    this.threads.close();
  }
}
