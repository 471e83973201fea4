import { gameOf } from "../../arena/plan/plan.ts";
import type { Redis } from "ioredis";
import { InputError } from "../../base/errors.ts";
import { MAX_DETAIL } from "../../arena/play/referee.ts";
import { coresOf } from "../../arena/play/run.ts";
import { packRecords } from "../../arena/play/worker-messages.ts";
import { WorkerPool } from "../../arena/play/worker-pool.ts";
import { ActorThreads, type SharedWeights } from "../../training/rounds/local-actors.ts";
import { fetchContent, layOut, type LaidOut } from "../bundle.ts";
import type { Job, PlayedGames, PlayedMoves } from "../jobs.ts";
import { toldAsSent, unpackRun, unpackTraining, type UnpackedRun } from "../bundle-kinds.ts";

/** An idle kit is kept for this long, in ms: waiting processes take memory. */
const IDLE_MS = 60_000;

interface Held<K> {
  readonly kit: Promise<K>;
  /** The kit's name, once the kit is made. */
  name?: string;
  /** The number of jobs that wait for it or are played by it. */
  atWork: number;
  /** The timer that runs while it has no job. */
  idle?: NodeJS.Timeout;
}

/** The kits of a worker, by bundle. The kits used last are kept for a while without a job. */
export class Ready<K extends Pick<Kit, "name" | "close">> {
  private readonly make: (bundle: string) => Promise<K>;
  private readonly most: number;
  /** In the order of their last use. */
  private readonly held = new Map<string, Held<K>>();

  /** @param most the number of kits to keep, unless more have jobs */
  constructor(make: (bundle: string) => Promise<K>, most: number) {
    this.make = make;
    this.most = most;
  }

  /** The names of the kits that have jobs. */
  get names(): string[] {
    return Array.from(this.held.values()).flatMap(({ name, atWork }) =>
      name === undefined || atWork === 0 ? [] : [name],
    );
  }

  /** Does `work` with the kit of a bundle, which is made if it is missing; throws what `make` throws. */
  async using<T>(bundle: string, work: (kit: K) => Promise<T>): Promise<T> {
    const held = this.held.get(bundle) ?? { kit: this.make(bundle), atWork: 0 };
    this.held.delete(bundle);
    this.held.set(bundle, held);
    held.atWork++;
    clearTimeout(held.idle);
    try {
      const kit = await this.made(bundle, held);
      await this.giveUpOld();
      return await work(kit);
    } finally {
      if (--held.atWork === 0) held.idle = setTimeout(() => void this.giveUp(bundle, held), IDLE_MS).unref();
    }
  }

  each(what: (kit: K) => unknown): void {
    for (const { kit } of this.held.values()) kit.then(what, () => {});
  }

  private async made(bundle: string, held: Held<K>): Promise<K> {
    try {
      const kit = await held.kit;
      held.name = kit.name;
      return kit;
    } catch (error) {
      if (this.held.get(bundle) === held) this.held.delete(bundle);
      throw error;
    }
  }

  private async giveUpOld(): Promise<void> {
    for (const [bundle, held] of this.held) {
      if (this.held.size <= this.most) return;
      if (held.atWork === 0) await this.giveUp(bundle, held);
    }
  }

  private async giveUp(bundle: string, held: Held<K>): Promise<void> {
    if (this.held.get(bundle) !== held || held.atWork > 0) return;
    clearTimeout(held.idle);
    this.held.delete(bundle);
    await (await held.kit).close();
  }
}

/** Orders work that runs side by side and work that runs alone: first come, first served. */
export class Turns {
  private readonly together = new Set<Promise<unknown>>();
  /** Resolves when the last work that runs alone has ended. */
  private alone: Promise<unknown> = Promise.resolve();

  /** Works beside others, after all earlier work that runs alone. */
  async beside<T>(work: () => Promise<T>): Promise<T> {
    const doing = this.alone.then(work);
    const done = doing.catch(() => {});
    this.together.add(done);
    void done.then(() => this.together.delete(done));
    return doing;
  }

  /** Works alone, after all earlier work. */
  async byItself<T>(work: () => Promise<T>): Promise<T> {
    const doing = Promise.all([this.alone, ...this.together]).then(work);
    this.alone = doing.catch(() => {});
    return doing;
  }
}

/** The number of versions of weights that are kept: those of two rounds are in use. */
const MAX_VERSIONS = 2;

/** A kit: the processes or threads that play for one bundle. */
export interface Kit {
  /** The name of the run or the training. */
  readonly name: string;
  /** Plays a job, and counts its games. Throws InputError if it is no job of this bundle. */
  play(job: Job): Promise<{ readonly played: PlayedGames | PlayedMoves; readonly games: number }>;
  /** Has it finish the games at hand. */
  stop(): void;
  /** Ends its processes or threads. */
  close(): unknown;
}

/** The place and the rights of a worker's kits. */
export interface KitSetup {
  readonly redis: Redis;
  /** The worker's own folder. */
  readonly folder: string;
  /** The number of games to play at once. */
  readonly workers: number;
  /** True to run code of the user's that comes with a bundle. */
  readonly plugins: boolean;
}

/** Makes the kit of a bundle. Throws as `layOut`, and InputError if the bundle is wrong. */
export async function makeKit(bundle: string, setup: KitSetup): Promise<Kit> {
  const { redis, folder, plugins, workers } = setup;
  const laidOut = await layOut(redis, bundle, { parent: folder, plugins });
  return "training" in laidOut.what
    ? new TrainingKit(laidOut, redis, workers)
    : RunKit.make(unpackRun(laidOut), workers);
}

/** Plays the games of a run in processes. */
class RunKit implements Kit {
  private readonly unpacked: UnpackedRun;
  private readonly pool: WorkerPool;

  private constructor(unpacked: UnpackedRun, pool: WorkerPool) {
    this.unpacked = unpacked;
    this.pool = pool;
  }

  static async make(unpacked: UnpackedRun, workers: number): Promise<RunKit> {
    const { plan, dir } = unpacked;
    const { cores, problem } = coresOf(plan, { workers });
    if (problem !== undefined) throw new InputError([{ path: "affinity", message: problem }]);
    const game = await gameOf(plan).catch((error: unknown) => {
      throw toldAsSent(error, unpacked);
    });
    return new RunKit(unpacked, new WorkerPool(game, { plan, dir }, workers, cores));
  }

  get name(): string {
    return this.unpacked.plan.name;
  }

  async play(job: Job): Promise<{ played: PlayedGames; games: number }> {
    const { plan, asSent } = this.unpacked;
    const isOfPlan =
      "games" in job &&
      job.games.every(
        ({ seats }) =>
          seats.length === plan.players && seats.every((entrant) => entrant < plan.entrants.length),
      );
    if (!isOfPlan) throw new InputError(`a job from the queue has no games of ${plan.name}`);
    const records = await this.pool.play(job.games).catch((error: unknown) => {
      throw toldAsSent(error, this.unpacked);
    });
    const packed = packRecords(
      records.map((record) => ({ ...record, detail: asSent(record.detail).slice(0, MAX_DETAIL) })),
    );
    return { played: { packed }, games: records.length };
  }

  stop(): void {
    this.pool.stop();
  }

  async close(): Promise<void> {
    await this.pool.close();
  }
}

/** Plays the games of self-play of a training in threads. */
class TrainingKit implements Kit {
  readonly name: string;
  private readonly redis: Redis;
  private readonly threads: ActorThreads;
  /** The versions fetched so far: those of two rounds that follow each other have different slots. */
  private fetched = 0;
  /** By hashes, in the order in which they were fetched. */
  private readonly versions = new Map<string, Promise<SharedWeights>>();

  constructor(laidOut: LaidOut, redis: Redis, workers: number) {
    const { config, name } = unpackTraining(laidOut);
    this.name = name;
    this.redis = redis;
    this.threads = new ActorThreads({ config, baseDir: laidOut.dir }, workers);
  }

  async play(job: Job): Promise<{ played: PlayedMoves; games: number }> {
    if (!("weights" in job)) throw new InputError(`a job from the queue has no self-play of ${this.name}`);
    const { weights, past, from, count } = job;
    const shared = await this.fetchWeights(past === undefined ? weights : `${weights} ${past}`);
    const { moves, timeMs } = await this.threads.play(shared, { from, count });
    return { played: { moves: Buffer.from(moves).toString("base64"), timeMs }, games: count };
  }

  /** Does nothing: jobs of self-play are short. */
  stop(): void {}

  close(): void {
    this.threads.close();
  }

  private async fetchWeights(version: string): Promise<SharedWeights> {
    const known = this.versions.get(version) ?? this.fetchVersion(version);
    this.versions.set(version, known);
    for (const old of this.versions.keys()) {
      if (this.versions.size <= MAX_VERSIONS) break;
      this.versions.delete(old);
    }
    try {
      return await known;
    } catch (error) {
      this.versions.delete(version);
      throw error;
    }
  }

  private async fetchVersion(version: string): Promise<SharedWeights> {
    const [present, past] = await Promise.all(
      version.split(" ").map(async (hash) => this.fetchNumbers(hash)),
    );
    return { slot: this.fetched++ % MAX_VERSIONS, version, present: present!, past };
  }

  private async fetchNumbers(hash: string): Promise<Float32Array> {
    const content = await fetchContent(this.redis, hash);
    const shared = new SharedArrayBuffer(content.length);
    new Uint8Array(shared).set(content);
    return new Float32Array(shared);
  }
}
