import { createHash, randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Queue, Worker } from "bullmq";
import type { Redis } from "ioredis";
import { InputError } from "../base/errors.ts";
import { describeError } from "../base/thrown.ts";
import type { ActorJob, ActorResult, Actors } from "../training/crew/actor-crew.ts";
import type { TrainingPlan } from "../training/plan/plan.ts";
import { thisBuild } from "./build.ts";
import { jobQueue, resultQueue } from "./jobs.ts";
import { keyOf, publish, sha256, type Parcel } from "./parcel.ts";
import { connect, loadQueueLibraries, PREFIX, type QueueAddress, type QueueLibraries } from "./redis.ts";
import { BEAT_MS, Roster, whereabouts, type RunEntry } from "./roster.ts";
import { parseSelfPlayResult, SELF_PLAY, type SelfPlayJob, type SelfPlayResult } from "./self-play-jobs.ts";
import { packTraining } from "./training-parcel.ts";
import { Workforce } from "./workforce.ts";

/** How long the games of one job should take, in ms; where there are many workers, so much for each. */
const JOB_MS = 200;
const JOB_MS_PER_WORKER = 2;
/** Jobs for each worker at a time: it fetches one while it plays another. */
const JOBS_PER_WORKER = 2;
/** A job that was at work for so many times the longest one, or the least of these, is no longer waited for. */
const PATIENCE = 10;
const LEAST_PATIENCE_MS = 10_000;
/** Redis forgets weights that no learner has renewed for so long, in seconds. */
const KEEP_WEIGHTS_S = 3600;
/** The weights go out again and again, to each machine. */
const MAX_WEIGHTS_BYTES = 64 * 2 ** 20;
/** How long Redis is waited for at the end. */
const FAREWELL_MS = 3000;

/** A training whose games of self-play are to be played by workers elsewhere. */
export interface QueuedTraining {
  readonly address: QueueAddress;
  readonly plan: TrainingPlan;
  /** The id of the tournament that rates its checkpoints. */
  readonly run: string;
  /** Is told what is worth knowing: who is waited for, what is wrong. */
  readonly onNote: (text: string) => void;
}

/** A job that is given out. */
interface Outstanding {
  readonly weights: string;
  readonly since: number;
  readonly settle: (result: ActorResult) => void;
  readonly fail: (error: Error) => void;
}

/** Connects to the queue; throws InputError. */
export async function openQueuedActors(training: QueuedTraining): Promise<Actors> {
  const libraries = await loadQueueLibraries();
  const redis = await connect(training.address, libraries, training.onNote);
  const actors = new QueuedActors(training, libraries, redis);
  try {
    await actors.begin();
    return actors;
  } catch (error) {
    await actors.close();
    throw error;
  }
}

/**
 * Actors on other machines: games go out as jobs of the same BullMQ queue as those of runs, the weights beside them, by
 * content. A job that is lost is told as lost, and what comes of it later counts for nothing.
 */
class QueuedActors implements Actors {
  private readonly training: QueuedTraining;
  private readonly parcel: Parcel;
  private readonly redis: Redis;
  private readonly roster: Roster;
  private readonly workforce: Workforce;
  private readonly libraries: QueueLibraries;
  private readonly jobQueue: Queue<SelfPlayJob>;
  private readonly results: Queue<SelfPlayResult>;
  private receiver: Worker<SelfPlayResult> | undefined;
  private readonly outstanding = new Map<string, Outstanding>();
  private readonly id: string;
  /** Begins the ids of jobs: those of an earlier learner are others. */
  private readonly session: string;
  private given = 0;
  private done = 0;
  private longestMs = 0;
  /** Hashes of the weights that are in Redis. */
  private readonly published = new Set<string>();
  private stopping = false;
  private beating: Promise<void> = Promise.resolve();

  constructor(training: QueuedTraining, libraries: QueueLibraries, redis: Redis) {
    const connection = { connection: redis, prefix: PREFIX };
    this.training = training;
    this.libraries = libraries;
    this.redis = redis;
    this.parcel = packTraining(training.plan.config);
    this.roster = new Roster(redis);
    this.workforce = new Workforce(this.roster, training);
    this.id = createHash("sha256").update(`${training.run} self-play`).digest("hex").slice(0, 24);
    this.session = `${this.id}-${randomBytes(6).toString("hex")}`;
    this.jobQueue = new libraries.Queue(jobQueue(thisBuild().code, this.parcel), connection);
    this.results = new libraries.Queue(resultQueue(this.id), connection);
    // The connection tells of its troubles itself.
    for (const queue of [this.jobQueue, this.results]) queue.on("error", () => {});
  }

  get jobs(): number {
    return this.workforce.slots * JOBS_PER_WORKER;
  }

  get jobMs(): number {
    return Math.max(JOB_MS, this.workforce.slots * JOB_MS_PER_WORKER);
  }

  async publish(weights: Float32Array, games: number): Promise<string> {
    const content = Buffer.from(weights.buffer, weights.byteOffset, weights.byteLength);
    if (content.length > MAX_WEIGHTS_BYTES)
      throw new InputError(
        `the evaluator is too large for actors on other machines: its weights are ${content.length} bytes, at most ${MAX_WEIGHTS_BYTES}`,
      );
    const name = sha256(content);
    await this.redis.set(keyOf(name), content, "EX", KEEP_WEIGHTS_S);
    this.done = games;
    this.published.add(name);
    const used = new Set([name, ...Array.from(this.outstanding.values(), (job) => job.weights)]);
    await this.forget([...this.published].filter((old) => !used.has(old)));
    return name;
  }

  async play(games: ActorJob): Promise<ActorResult> {
    const id = `${this.session}-${this.given++}`;
    const data: SelfPlayJob = { run: this.id, parcel: this.parcel.hash, ...games };
    const since = performance.now();
    try {
      return await new Promise<ActorResult>((settle, fail) => {
        this.outstanding.set(id, { weights: games.weights, since, settle, fail });
        const options = { jobId: id, removeOnComplete: true, removeOnFail: { age: 600 } };
        this.jobQueue.add(SELF_PLAY, data, options).catch(fail);
      });
    } finally {
      this.outstanding.delete(id);
    }
  }

  async close(): Promise<void> {
    this.stopping = true;
    const goodbye = async () => {
      await this.beating;
      await this.takeBack([...this.outstanding.keys()]);
      await this.receiver?.close();
      await this.roster.removeRun(this.id);
      await this.forget([...this.published]);
      await this.results.obliterate({ force: true });
    };
    // Where Redis does not answer, there is nobody to say goodbye to.
    await Promise.race([goodbye().catch(() => {}), sleep(FAREWELL_MS)]);
    this.redis.disconnect();
  }

  /** Makes ready; takes back what an earlier learner of this training gave out. */
  async begin(): Promise<void> {
    // What cannot be read is left: at worst some games are played for nobody.
    const old = await this.jobQueue.getJobs(["waiting"]).catch(() => []);
    await this.takeBack(old.filter(({ data }) => data.run === this.id).map(({ id }) => String(id)));
    await this.results.obliterate({ force: true });
    await this.announce();
    await this.workforce.look(this.entry);
    this.receiver = new this.libraries.Worker<SelfPlayResult>(
      resultQueue(this.id),
      async ({ data }) => this.receive(data),
      { connection: this.redis, prefix: PREFIX, concurrency: 4, removeOnComplete: { count: 0 } },
    );
    this.receiver.on("error", () => {});
    this.beating = this.beat();
  }

  /** Says all the time that this training is there, sees who else is, and looks after the jobs. */
  private async beat(): Promise<void> {
    while (!this.stopping) {
      for (let waited = 0; waited < BEAT_MS && !this.stopping; waited += 100) await sleep(100);
      if (this.stopping) return;
      try {
        await this.announce();
        await this.workforce.look(this.entry);
        await this.lookAfterJobs();
      } catch (error) {
        if (!this.stopping) this.training.onNote(`the queue: ${describeError(error)}`);
      }
    }
  }

  private get entry(): RunEntry {
    const { id, done, parcel, training } = this;
    const { name, games: total } = training.plan.config;
    const { plugins } = parcel;
    return { ...thisBuild(), ...whereabouts(), id, name: `${name}: self-play`, plugins, done, total };
  }

  private async announce(): Promise<void> {
    await publish(this.redis, this.parcel);
    await this.roster.announceRun(this.entry);
  }

  /** Finds the jobs from which nothing is to be hoped any more. One that waits for a worker is none of them. */
  private async lookAfterJobs(): Promise<void> {
    const patience = Math.max(LEAST_PATIENCE_MS, PATIENCE * this.longestMs);
    const now = performance.now();
    for (const [id, { since, settle }] of this.outstanding) {
      if (now - since < 2 * BEAT_MS) continue;
      const state = await this.jobQueue.getJobState(id);
      if (state === "failed") {
        const failed = await this.jobQueue.getJob(id);
        settle({ lost: failed?.failedReason ?? "it is gone" });
      } else if (state !== "waiting" && now - since > patience) {
        settle({ lost: `nothing was heard of a job for ${Math.round((now - since) / 1000)} s` });
      }
    }
  }

  private receive(data: unknown): void {
    let result: SelfPlayResult;
    try {
      result = parseSelfPlayResult(data);
    } catch (error) {
      this.training.onNote((error as Error).message);
      return;
    }
    // Nobody waits for what was given up, or for an earlier learner.
    const job = this.outstanding.get(result.job);
    if (job === undefined) return;
    if ("message" in result) {
      job.fail(new InputError(result.message));
      return;
    }
    const { moves, worker, timeMs } = result;
    this.longestMs = Math.max(this.longestMs, timeMs);
    job.settle({ moves: Buffer.from(moves, "base64"), worker, timeMs });
  }

  private async takeBack(jobs: readonly string[]): Promise<void> {
    await Promise.all(jobs.map(async (id) => this.jobQueue.remove(id).catch(() => {})));
  }

  private async forget(weights: readonly string[]): Promise<void> {
    if (weights.length === 0) return;
    await this.redis.unlink(...weights.map(keyOf));
    for (const name of weights) this.published.delete(name);
  }
}
