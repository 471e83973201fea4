import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { InputError } from "../../base/errors.ts";
import type { CheckedConfig } from "../plan/config.ts";
import type { TrainingPlan } from "../plan/plan.ts";
import {
  Actor,
  type ActorJob,
  type ActorResult,
  type Actors,
  type RoundWeights,
  type Table,
} from "./actors.ts";

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

/** The data that an actor thread is started with. */
export interface ThreadSetup {
  /** The config for `planTraining`. */
  readonly config: unknown;
  readonly baseDir: string;
}

/** An order to a thread: the games to play. A thread has an evaluator in each slot, which reads weights in shared memory. */
export interface ThreadOrder {
  readonly slot: number;
  /** The arrays that the slot reads from now on; undefined: those it has. */
  readonly weights: RoundWeights | undefined;
  /** True if the numbers in the arrays are others than at the last order for this slot. */
  readonly isNew: boolean;
  readonly from: number;
  readonly count: number;
}

/** The moves of games, and the time that they took. */
export interface PlayedGames {
  readonly moves: Uint8Array;
  readonly timeMs: number;
}

/** The answer of a thread: the games, or an error. */
export type ThreadAnswer = PlayedGames | { readonly name: string; readonly message: string };

/** Weights in shared memory, which do not change as long as games of this version are played. */
export interface SharedWeights extends RoundWeights {
  /** The place that each thread keeps for an evaluator of these weights. */
  readonly slot: number;
  readonly version: string;
}

/** Actors of one training, each in a thread, which is started when it is first needed. */
export class ActorThreads {
  private readonly setup: ThreadSetup;
  private readonly most: number;
  private threads: ActorThread[] = [];

  constructor(setup: ThreadSetup, most: number) {
    this.setup = setup;
    this.most = most;
  }

  /** Has the thread with the fewest orders play games with these weights; throws InputError if the config is wrong. */
  async play(weights: SharedWeights, games: { from: number; count: number }): Promise<PlayedGames> {
    const thread = this.leastBusy();
    const answer = await thread.ask(weights, games);
    if (!("message" in answer)) return answer;
    this.threads = this.threads.filter((other) => other !== thread);
    thread.end();
    throw answer.name === "InputError" ? new InputError(answer.message) : new Error(answer.message);
  }

  close(): void {
    for (const thread of this.threads) thread.end();
  }

  private leastBusy(): ActorThread {
    const least = this.threads.reduce<ActorThread | undefined>(
      (best, one) => (best === undefined || one.orders < best.orders ? one : best),
      undefined,
    );
    if (least !== undefined && (least.orders === 0 || this.threads.length === this.most)) return least;
    const thread = new ActorThread(this.setup);
    this.threads.push(thread);
    return thread;
  }
}

/** An actor in a thread of its own. It plays one order after the other. */
class ActorThread {
  private readonly worker: Worker;
  private readonly asked: ((answer: ThreadAnswer) => void)[] = [];
  private readonly slots = new Map<number, SharedWeights>();
  /** The reason why the thread has ended. */
  private fault: ThreadAnswer | undefined;

  constructor(setup: ThreadSetup) {
    const file = fileURLToPath(new URL("actor-thread.js", import.meta.url));
    this.worker = new Worker(file, { workerData: setup });
    this.worker.on("message", (answer: ThreadAnswer) => this.asked.shift()?.(answer));
    this.worker.on("error", ({ name, message }: Error) => this.fail({ name, message }));
    this.worker.on("exit", (code) =>
      this.fail({ name: "Error", message: `the actor's thread ended with code ${code}` }),
    );
  }

  /** The number of orders that are not answered. */
  get orders(): number {
    return this.asked.length;
  }

  async ask(weights: SharedWeights, games: { from: number; count: number }): Promise<ThreadAnswer> {
    const { slot, present, past, version } = weights;
    const before = this.slots.get(slot);
    const areKnown = before?.present === present && before.past === past;
    const order: ThreadOrder = {
      slot,
      weights: areKnown ? undefined : { present, past },
      isNew: before?.version !== version,
      ...games,
    };
    this.slots.set(slot, weights);
    return new Promise((resolve) => {
      if (this.fault !== undefined) {
        resolve(this.fault);
        return;
      }
      this.asked.push(resolve);
      this.worker.postMessage(order);
    });
  }

  end(): void {
    void this.worker.terminate();
  }

  private fail(fault: ThreadAnswer): void {
    this.fault ??= fault;
    for (const resolve of this.asked.splice(0)) resolve(this.fault);
  }
}
