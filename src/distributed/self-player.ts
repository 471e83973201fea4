import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Job as QueuedJob, Queue } from "bullmq";
import type { Redis } from "ioredis";
import { InputError } from "../base/errors.ts";
import { ActorThreads, type NamedWeights, type PlayedGames } from "../training/crew/actor-threads.ts";
import { resultQueue } from "./jobs.ts";
import { fetchContent } from "./parcel.ts";
import { PREFIX, type QueueLibraries } from "./redis.ts";
import { Roster } from "./roster.ts";
import { parseSelfPlayJob, SELF_PLAY, type SelfPlayJob, type SelfPlayResult } from "./self-play-jobs.ts";
import { unpackTraining } from "./training-parcel.ts";

/** So many trainings are kept ready at once. */
const MAX_TRAININGS = 2;
/** So many versions of weights are kept: jobs with the one before may still come. */
const MAX_VERSIONS = 2;

/** The worker for which it plays. */
interface SelfPlayerSetup {
  readonly redis: Redis;
  readonly libraries: QueueLibraries;
  /** The worker's id. */
  readonly id: string;
  readonly options: {
    readonly plugins: boolean;
    /** How many games to play at once. */
    readonly workers: number;
  };
}

/** What a worker has ready for a training. */
interface Ready {
  readonly name: string;
  readonly threads: ActorThreads;
  /** Jobs that it plays now. */
  atWork: number;
}

/** Plays jobs of self-play for a worker, in threads. */
export class SelfPlayer {
  /** Games that it has played. */
  games = 0;
  private readonly setup: SelfPlayerSetup;
  private readonly roster: Roster;
  private folder: string | undefined;
  /** By parcel, the one that was used last at the end. */
  private readonly ready = new Map<string, Promise<Ready>>();
  /** By hash, in the order in which they were fetched. */
  private readonly versions = new Map<string, Promise<NamedWeights>>();
  private readonly busy = new Set<Ready>();
  /** By the id of the training. */
  private readonly results = new Map<string, Queue<SelfPlayResult>>();

  constructor(setup: SelfPlayerSetup) {
    this.setup = setup;
    this.roster = new Roster(setup.redis);
  }

  /** The names of the trainings for which it plays now. */
  get names(): string[] {
    return Array.from(this.busy, ({ name }) => name);
  }

  /** Plays the games of a job and sends them. What it throws has the job tried again. */
  async work({ id, data }: Pick<QueuedJob<unknown>, "id" | "data">): Promise<void> {
    const job = this.parse(data);
    const sender = { job: String(id), worker: this.setup.id };
    let result: SelfPlayResult;
    try {
      const { moves, timeMs } = await this.play(job);
      result = { ...sender, moves: Buffer.from(moves).toString("base64"), timeMs };
    } catch (error) {
      // Whoever plays these games meets the same.
      if (!(error instanceof InputError)) throw error;
      result = { ...sender, name: "InputError", message: error.message };
    }
    if (await this.roster.knowsRun(job.run)) await this.resultsOf(job.run).add(SELF_PLAY, result);
  }

  close(): void {
    for (const ready of this.ready.values())
      ready.then(
        ({ threads }) => threads.close(),
        () => {},
      );
    if (this.folder !== undefined) rmSync(this.folder, { recursive: true, force: true });
  }

  private parse(data: unknown): SelfPlayJob {
    try {
      return parseSelfPlayJob(data);
    } catch (error) {
      throw new this.setup.libraries.UnrecoverableError((error as Error).message);
    }
  }

  private async play({ parcel, weights, from, count }: SelfPlayJob): Promise<PlayedGames> {
    const numbers = await this.fetchWeights(weights);
    const ready = await this.readyFor(parcel);
    try {
      const played = await ready.threads.play(numbers, { from, count });
      this.games += count;
      return played;
    } finally {
      if (--ready.atWork === 0) this.busy.delete(ready);
    }
  }

  private resultsOf(run: string): Queue<SelfPlayResult> {
    const known = this.results.get(run);
    if (known !== undefined) return known;
    const { libraries, redis } = this.setup;
    const queue = new libraries.Queue<SelfPlayResult>(resultQueue(run), {
      connection: redis,
      prefix: PREFIX,
      defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
    });
    queue.on("error", () => {});
    this.results.set(run, queue);
    return queue;
  }

  private async readyFor(parcel: string): Promise<Ready> {
    const known = this.ready.get(parcel) ?? this.makeReady(parcel);
    this.ready.delete(parcel);
    this.ready.set(parcel, known);
    try {
      const ready = await known;
      ready.atWork++;
      this.busy.add(ready);
      for (const [old, made] of this.ready) {
        if (this.ready.size <= MAX_TRAININGS) break;
        const { atWork, threads } = await made;
        if (atWork > 0) continue;
        this.ready.delete(old);
        threads.close();
      }
      return ready;
    } catch (error) {
      this.ready.delete(parcel);
      throw error;
    }
  }

  private async makeReady(parcel: string): Promise<Ready> {
    const { redis, options } = this.setup;
    const parent = (this.folder ??= mkdtempSync(join(tmpdir(), "agon-actors-")));
    const { plugins, workers } = options;
    const { config, name, dir } = await unpackTraining(redis, parcel, { parent, plugins });
    const threads = new ActorThreads({ config, baseDir: dir }, workers);
    return { name, threads, atWork: 0 };
  }

  private async fetchWeights(hash: string): Promise<NamedWeights> {
    const known = this.versions.get(hash) ?? this.fetchVersion(hash);
    this.versions.set(hash, known);
    for (const old of this.versions.keys()) {
      if (this.versions.size <= MAX_VERSIONS) break;
      this.versions.delete(old);
    }
    try {
      return await known;
    } catch (error) {
      this.versions.delete(hash);
      throw error;
    }
  }

  private async fetchVersion(hash: string): Promise<NamedWeights> {
    const content = await fetchContent(this.setup.redis, hash);
    const shared = new SharedArrayBuffer(content.length);
    new Uint8Array(shared).set(content);
    return { name: hash, numbers: new Float32Array(shared) };
  }
}
