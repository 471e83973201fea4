import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Job as QueuedJob, Queue } from "bullmq";
import type { Redis } from "ioredis";
import { describeError } from "../base/thrown.ts";
import { WorkerPool } from "../arena/play/worker-pool.ts";
import { packRecords } from "../arena/play/worker-messages.ts";
import { loadGame } from "../specs/games.ts";
import { thisBuild } from "./build.ts";
import { jobQueue, parseJob, resultQueue, type Job, type Result } from "./jobs.ts";
import { unpack, type Unpacked } from "./parcel.ts";
import { connect, loadQueueLibraries, PREFIX, type QueueAddress, type QueueLibraries } from "./redis.ts";
import { BEAT_MS, fits, Roster, whereabouts, type WorkerEntry } from "./roster.ts";
import { SELF_PLAY } from "./self-play-jobs.ts";
import { SelfPlayer } from "./self-player.ts";

/** A job belongs to its worker for so long after its last word; then others get it. */
const LOCK_MS = 20_000;
/** How often it is looked for jobs whose worker is gone. */
const GONE_INTERVAL_MS = 10_000;
/** A job whose worker was lost this often is given to nobody any more: the coordinator takes it apart. */
const MAX_LOSSES = 3;
/** So many runs are kept ready at once. */
const MAX_RUNS = 3;

export interface QueueWorkerOptions {
  readonly address: QueueAddress;
  /** How many games to play at once, each in a process of its own. */
  readonly workers: number;
  /** Whether to run code of the user's that comes with a run. */
  readonly plugins: boolean;
  /** Aborted: finish the games at hand, send them and return. */
  readonly signal: AbortSignal;
  /** Called once the queue has answered. */
  readonly onReady: () => void;
  /** Is told what is worth knowing: runs that get nothing from here, what is wrong. */
  readonly onNote: (text: string) => void;
}

/** What a worker has ready for a run. */
interface Ready {
  readonly name: string;
  readonly unpacked: Unpacked;
  readonly pool: WorkerPool;
  /** Jobs that it plays now. */
  atWork: number;
}

/** Plays games from the queue until the signal; returns how many they were. Throws InputError. */
export async function serveQueue(options: QueueWorkerOptions): Promise<number> {
  const libraries = await loadQueueLibraries();
  const redis = await connect(options.address, libraries, options.onNote);
  options.onReady();
  const worker = new QueueWorker(options, libraries, redis);
  try {
    return await worker.serve();
  } finally {
    redis.disconnect();
  }
}

class QueueWorker {
  private readonly options: QueueWorkerOptions;
  private readonly libraries: QueueLibraries;
  private readonly redis: Redis;
  private readonly roster: Roster;
  private readonly id = randomBytes(6).toString("hex");
  private readonly folder = mkdtempSync(join(tmpdir(), "agon-worker-"));
  /** By parcel, the one that was used last at the end. */
  private readonly ready = new Map<string, Promise<Ready>>();
  /** What is being played from. */
  private readonly busy = new Set<Ready>();
  private readonly results = new Map<string, Queue<Result>>();
  private readonly selfPlayer: SelfPlayer;
  /** Games of runs; those of trainings are the self-player's. */
  private games = 0;
  private gamesPerSecond = 0;
  private said = "";

  constructor(options: QueueWorkerOptions, libraries: QueueLibraries, redis: Redis) {
    this.options = options;
    this.libraries = libraries;
    this.redis = redis;
    this.roster = new Roster(redis);
    this.selfPlayer = new SelfPlayer({ redis, libraries, id: this.id, options });
  }

  async serve(): Promise<number> {
    const { workers, plugins, signal } = this.options;
    const { code } = thisBuild();
    const receivers = (plugins ? [false, true] : [false]).map((withCode) => {
      const receiver = new this.libraries.Worker<Job>(
        jobQueue(code, { plugins: withCode }),
        async (job) => this.work(job),
        {
          connection: this.redis,
          prefix: PREFIX,
          // One more is fetched while the others are played.
          concurrency: workers + 1,
          lockDuration: LOCK_MS,
          stalledInterval: GONE_INTERVAL_MS,
          maxStalledCount: MAX_LOSSES - 1,
        },
      );
      receiver.on("error", () => {});
      return receiver;
    });
    const finish = async () => {
      for (const ready of this.ready.values()) void ready.then(({ pool }) => pool.stop());
      await Promise.all(receivers.map(async (receiver) => receiver.close()));
    };
    try {
      await this.beatUntil(signal);
      await finish();
      await this.roster.removeWorker(this.id);
    } finally {
      for (const ready of this.ready.values()) void ready.then(({ pool }) => pool.close());
      this.selfPlayer.close();
      rmSync(this.folder, { recursive: true, force: true });
    }
    return this.played;
  }

  private get played(): number {
    return this.games + this.selfPlayer.games;
  }

  /** Says all the time that it is there, and how fast it plays. */
  private async beatUntil(signal: AbortSignal): Promise<void> {
    let [games, at] = [0, performance.now()];
    while (!signal.aborted) {
      const now = performance.now();
      const recent = ((this.played - games) * 1000) / Math.max(1, now - at);
      // A job ends every now and then: the pace is smoothed.
      this.gamesPerSecond = this.gamesPerSecond === 0 ? recent : 0.7 * this.gamesPerSecond + 0.3 * recent;
      [games, at] = [this.played, now];
      try {
        await this.roster.announceWorker(this.entry());
        await this.lookForRuns();
      } catch (error) {
        if (!signal.aborted) this.options.onNote(`the queue: ${describeError(error)}`);
      }
      await sleep(BEAT_MS, undefined, { signal }).catch(() => {});
    }
  }

  private entry(): WorkerEntry {
    const { workers, plugins } = this.options;
    const runs = [...Array.from(this.busy, ({ name }) => name), ...this.selfPlayer.names];
    const { id, played: games, gamesPerSecond } = this;
    return { ...thisBuild(), ...whereabouts(), id, workers, plugins, runs, games, gamesPerSecond };
  }

  /** Tells of runs that get nothing from here. */
  private async lookForRuns(): Promise<void> {
    const { plugins } = this.options;
    const here = { ...thisBuild(), plugins };
    const words: string[] = [];
    for (const run of await this.roster.runs()) {
      if (run.interrupted || fits(here, run)) continue;
      const why =
        run.code === here.code
          ? "it has code of its own, which this worker runs only with --allow-plugins"
          : `it is of another agon (${run.version}, code ${run.code}; here ${here.version}, code ${here.code})`;
      words.push(`The run "${run.name}" of ${run.host}:${run.pid} gets no games from here: ${why}`);
    }
    const text = words.join("\n");
    if (text !== this.said && text !== "") this.options.onNote(text);
    this.said = text;
  }

  /** Plays the games of a job and sends them. What it throws has the job tried again. */
  private async work(queued: QueuedJob<Job>): Promise<void> {
    if (queued.name === SELF_PLAY) return this.selfPlayer.work(queued);
    const job = String(queued.id);
    const { run, parcel, games } = this.parse(queued);
    let result: Result;
    try {
      const ready = await this.readyFor(parcel);
      const records = await ready.pool.play(games).finally(() => this.leave(ready));
      this.games += records.length;
      const { asSent } = ready.unpacked;
      const sent = records.map((record) => ({ ...record, detail: asSent(record.detail) }));
      result = { job, worker: this.id, packed: packRecords(sent) };
    } catch (error) {
      const { name, message } = error as Error;
      // Whoever plays these games meets the same.
      if (name !== "InputError" && name !== "GameFault") throw error;
      result = { job, worker: this.id, name, message };
    }
    if (await this.roster.knowsRun(run)) await this.resultsOf(run).add("games", result);
  }

  private parse(queued: QueuedJob<Job>): Job {
    try {
      return parseJob(queued.data);
    } catch (error) {
      throw new this.libraries.UnrecoverableError((error as Error).message);
    }
  }

  /** What is needed for a parcel; that of the run that was not played for the longest time is given up for it. */
  private async readyFor(parcel: string): Promise<Ready> {
    const known = this.ready.get(parcel) ?? this.makeReady(parcel);
    this.ready.delete(parcel);
    this.ready.set(parcel, known);
    try {
      const ready = await known;
      ready.atWork++;
      this.busy.add(ready);
      await this.giveUpOld();
      return ready;
    } catch (error) {
      this.ready.delete(parcel);
      throw error;
    }
  }

  private leave(ready: Ready): void {
    if (--ready.atWork === 0) this.busy.delete(ready);
  }

  private async makeReady(parcel: string): Promise<Ready> {
    const { plugins, workers } = this.options;
    const unpacked = await unpack(this.redis, parcel, { parent: this.folder, plugins });
    const { plan, dir } = unpacked;
    const pool = new WorkerPool(await loadGame(plan.game), { plan, dir }, workers);
    return { name: plan.name, unpacked, pool, atWork: 0 };
  }

  private async giveUpOld(): Promise<void> {
    for (const [parcel, made] of this.ready) {
      if (this.ready.size <= MAX_RUNS) return;
      const ready = await made;
      if (ready.atWork > 0) continue;
      this.ready.delete(parcel);
      await ready.pool.close();
    }
  }

  private resultsOf(run: string): Queue<Result> {
    const known = this.results.get(run);
    if (known !== undefined) return known;
    const options = { connection: this.redis, prefix: PREFIX };
    const queue = new this.libraries.Queue<Result>(resultQueue(run), {
      ...options,
      defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
    });
    queue.on("error", () => {});
    this.results.set(run, queue);
    return queue;
  }
}
