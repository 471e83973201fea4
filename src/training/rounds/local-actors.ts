import { setImmediate } from "node:timers/promises";
import type { CheckedConfig } from "../plan/config.ts";
import type { TrainingPlan } from "../plan/plan.ts";
import { Actor } from "./actor.ts";
import { ActorThreads } from "./actor-threads.ts";
import type { ActorJob, ActorResult, Actors, RoundWeights, Table } from "./actors.ts";

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
