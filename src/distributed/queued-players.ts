import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Queue, Worker } from "bullmq";
import type { Redis } from "ioredis";
import { describeError } from "../base/thrown.ts";
import type { TournamentPlan } from "../arena/plan/plan.ts";
import { errorOfFailure } from "../arena/play/worker-process.ts";
import type { Players } from "../arena/play/worker-pool.ts";
import { countGames, schedule, type ScheduledGame } from "../arena/schedule/schedule.ts";
import type { Store } from "../arena/store/store.ts";
import type { GameRecord } from "../ratings/record.ts";
import { loadGame } from "../specs/games.ts";
import { thisBuild } from "./build.ts";
import { jobQueue, matching, parseResult, readRecords, resultQueue, type Job, type Result } from "./jobs.ts";
import { pack, publish, type Parcel } from "./parcel.ts";
import { connect, loadQueueLibraries, PREFIX, type QueueAddress, type QueueLibraries } from "./redis.ts";
import { BEAT_MS, Roster, whereabouts, type RunEntry } from "./roster.ts";
import { Workforce } from "./workforce.ts";

/** How long the games of one job should take, in ms; where there are many workers, so much for each. */
const JOB_MS = 500;
const JOB_MS_PER_WORKER = 4;
/** Jobs for each worker at a time: it fetches one while it plays another. */
const JOBS_PER_WORKER = 2;
/** A job that failed, not by the game's or the config's fault, is tried so often, by whoever takes it. */
const ATTEMPTS = 3;
/** A job whose worker was lost too often is taken apart into so many. */
const PARTS = 10;
/** So many answers to a job without one game are no accident. */
const MAX_EMPTY_ANSWERS = 50;
/** Of a job that was given out longer ago, it is looked up where it is. */
const LOOK_AFTER_MS = 4000;
/** How long Redis is waited for at the end. */
const FAREWELL_MS = 3000;

/** A run whose games are to be played by workers elsewhere. */
export interface QueuedRun {
  readonly address: QueueAddress;
  readonly plan: TournamentPlan;
  /** The folder of the run, where its weights are. */
  readonly dir: string;
  /** Gets the games that were finished while no coordinator was there. */
  readonly store: Store;
  /** Is told what is worth knowing: who is waited for, what is wrong. */
  readonly onNote: (text: string) => void;
}

/** A job that is given out. */
interface Outstanding {
  readonly job: string;
  readonly games: readonly ScheduledGame[];
  readonly since: number;
  /** How often in a row Redis did not know it. */
  unknown: number;
  readonly settle: (result: Result) => void;
  readonly fail: (error: Error) => void;
}

/** The workers of a job were lost too often while they were at it. */
class WorkersLost extends Error {}

/** Connects to the queue, ready to play; throws InputError. */
export async function openQueuedPlayers(run: QueuedRun): Promise<QueuedPlayers> {
  const libraries = await loadQueueLibraries();
  const redis = await connect(run.address, libraries, run.onNote);
  const players = new QueuedPlayers(run, libraries, redis);
  try {
    await players.begin();
    return players;
  } catch (error) {
    await players.close();
    throw error;
  }
}

/**
 * Players on other machines: games go out as jobs of a BullMQ queue, and come back as jobs of the run's own queue of
 * results. A game counts once, whoever sends it how often. What Redis has lost is given out again.
 */
class QueuedPlayers implements Players {
  private readonly run: QueuedRun;
  private readonly parcel: Parcel;
  private readonly redis: Redis;
  private readonly libraries: QueueLibraries;
  private readonly roster: Roster;
  private readonly jobs: Queue<Job>;
  private readonly results: Queue<Result>;
  private receiver: Worker<Result> | undefined;
  private readonly outstanding = new Map<string, Outstanding>();
  /** Begins the ids of jobs: those of an earlier coordinator are others. */
  private readonly session: string;
  private readonly id: string;
  private readonly total: number;
  private given = 0;
  /** Games that the store has. */
  private done: number;
  private readonly workforce: Workforce;
  private stopping = false;
  private beating: Promise<void> = Promise.resolve();

  constructor(run: QueuedRun, libraries: QueueLibraries, redis: Redis) {
    const connection = { connection: redis, prefix: PREFIX };
    this.run = run;
    this.libraries = libraries;
    this.redis = redis;
    this.parcel = pack(run.plan, run.dir);
    this.roster = new Roster(redis);
    this.workforce = new Workforce(this.roster, run);
    this.id = run.store.id!;
    this.total = countGames(run.plan);
    this.done = run.store.size;
    this.session = `${this.id}-${randomBytes(6).toString("hex")}`;
    this.jobs = new libraries.Queue<Job>(jobQueue(thisBuild().code, this.parcel), connection);
    this.results = new libraries.Queue<Result>(resultQueue(this.id), connection);
    // The connection tells of its troubles itself.
    for (const queue of [this.jobs, this.results]) queue.on("error", () => {});
  }

  get tasks(): number {
    return Math.max(2, this.workforce.slots * JOBS_PER_WORKER);
  }

  get taskMs(): number {
    return Math.max(JOB_MS, this.workforce.slots * JOB_MS_PER_WORKER);
  }

  async play(games: readonly ScheduledGame[]): Promise<GameRecord[]> {
    const finished = new Map<string, GameRecord>();
    let left = games;
    for (let empty = 0; left.length > 0 && !this.stopping;) {
      const result = await this.giveOut(left).catch((error: unknown) => error as Error);
      if (result instanceof WorkersLost) return [...finished.values(), ...(await this.playApart(left))];
      if (result instanceof Error) throw result;
      if ("message" in result) throw errorOfFailure({ kind: "failure", ...result });
      const before = finished.size;
      for (const record of matching(readRecords(result.packed), left)) finished.set(record.id, record);
      left = left.filter(({ id }) => !finished.has(id));
      empty = finished.size > before ? 0 : empty + 1;
      if (empty === MAX_EMPTY_ANSWERS) throw new Error(`worker ${result.worker} finishes no game`);
    }
    this.done += finished.size;
    return [...finished.values()];
  }

  stop(): void {
    this.stopping = true;
    void this.takeBack();
  }

  async close(): Promise<void> {
    this.stopping = true;
    const isDone = this.done >= this.total;
    const goodbye = async () => {
      await this.beating;
      await this.takeBack();
      await this.receiver?.close();
      if (isDone) {
        await this.roster.removeRun(this.id);
        await this.results.obliterate({ force: true });
      }
    };
    // Where Redis does not answer, there is nobody to say goodbye to.
    await Promise.race([goodbye().catch(() => {}), sleep(FAREWELL_MS)]);
    for (const { job, settle } of this.outstanding.values()) settle(nothing(job));
    this.redis.disconnect();
  }

  /** Makes ready; stores the games that an earlier coordinator of this run gave out and did not store. */
  async begin(): Promise<void> {
    const { run, roster, redis } = this;
    for (const old of await roster.oldRuns()) {
      const connection = { connection: redis, prefix: PREFIX };
      await new this.libraries.Queue(resultQueue(old), connection).obliterate({ force: true });
      await roster.removeRun(old);
    }
    for (const job of await this.jobs.getJobs(["waiting", "delayed"])) {
      if (job.data.run === this.id) await job.remove().catch(() => {});
    }
    const waiting = await this.results.getJobs(["waiting", "active", "failed"]);
    await this.results.obliterate({ force: true });
    await this.announce();
    this.receiver = new this.libraries.Worker<Result>(
      resultQueue(this.id),
      async ({ data }) => this.receive(data),
      { connection: redis, prefix: PREFIX, concurrency: 4, removeOnComplete: { count: 0 } },
    );
    this.receiver.on("error", () => {});
    this.beating = this.beat();
    const earlier = waiting.flatMap(({ data }) => ("packed" in data ? readRecords(data.packed) : []));
    if (earlier.length === 0) return;
    run.store.add(matching(earlier, schedule(run.plan, await loadGame(run.plan.game))));
    this.done = run.store.size;
  }

  /** Says all the time that this run is there, sees who else is, and looks after the jobs. */
  private async beat(): Promise<void> {
    while (!this.stopping) {
      try {
        await this.announce();
        await this.workforce.look(this.entry);
        await this.lookAfterJobs();
      } catch (error) {
        if (!this.stopping) this.run.onNote(`the queue: ${describeError(error)}`);
      }
      for (let waited = 0; waited < BEAT_MS && !this.stopping; waited += 100) await sleep(100);
    }
  }

  private get entry(): RunEntry {
    const { id, done, total, run, parcel } = this;
    const { name } = run.plan;
    return { ...thisBuild(), ...whereabouts(), id, name, plugins: parcel.plugins, done, total };
  }

  private async announce(): Promise<void> {
    await publish(this.redis, this.parcel);
    await this.roster.announceRun(this.entry);
  }

  /** Gives out again what Redis has lost, and hears of jobs that failed. */
  private async lookAfterJobs(): Promise<void> {
    const now = performance.now();
    const old = [...this.outstanding.values()].filter(({ since }) => now - since > LOOK_AFTER_MS);
    await Promise.all(
      old.map(async (one) => {
        const state = await this.jobs.getJobState(one.job);
        one.unknown = state === "unknown" ? one.unknown + 1 : 0;
        if (state === "failed") await this.hearFailure(one);
      }),
    );
    const lost = old.filter(({ job, unknown }) => unknown >= 2 && this.outstanding.has(job));
    if (lost.length === 0) return;
    // A result comes before its job is gone: as long as results wait, it may be among them.
    const { waiting = 0, active = 0 } = await this.results.getJobCounts("waiting", "active");
    if (waiting + active > 0) return;
    for (const one of lost) if (this.outstanding.has(one.job)) await this.add(one);
  }

  private async hearFailure({ job, fail }: Outstanding): Promise<void> {
    const failed = await this.jobs.getJob(job);
    const reason = failed?.failedReason ?? "it is gone";
    await failed?.remove().catch(() => {});
    fail(/stalled/.test(reason) ? new WorkersLost(reason) : new Error(`a worker failed: ${reason}`));
  }

  /** What becomes of a job. */
  private async giveOut(games: readonly ScheduledGame[]): Promise<Result> {
    const job = `${this.session}-${this.given++}`;
    const since = performance.now();
    try {
      return await new Promise<Result>((settle, fail) => {
        const one: Outstanding = { job, games, since, unknown: 0, settle, fail };
        this.outstanding.set(job, one);
        this.add(one).catch(fail);
      });
    } finally {
      this.outstanding.delete(job);
    }
  }

  private async add({ job, games }: Outstanding): Promise<void> {
    const data: Job = { run: this.id, parcel: this.parcel.hash, games };
    await this.jobs.add("games", data, {
      jobId: job,
      attempts: ATTEMPTS,
      backoff: { type: "fixed", delay: 1000 },
      removeOnComplete: true,
      removeOnFail: { age: 24 * 3600 },
    });
  }

  /** Plays games one of which seems to end its workers: a few at a time, and in the end one by one. */
  private async playApart(games: readonly ScheduledGame[]): Promise<GameRecord[]> {
    const { entrants } = this.run.plan;
    if (games.length === 1) {
      const names = games[0]!.seats.map((entrant) => entrants[entrant]!.name).join(" against ");
      throw new Error(`the game ${games[0]!.id}, ${names}, ended its worker again and again`);
    }
    const size = Math.ceil(games.length / PARTS);
    const parts = Array.from({ length: Math.ceil(games.length / size) }, (_, part) =>
      games.slice(part * size, (part + 1) * size),
    );
    return (await Promise.all(parts.map((part) => this.play(part)))).flat();
  }

  private receive(data: unknown): void {
    try {
      const result = parseResult(data);
      // Nobody waits for what came before already, or for an earlier coordinator.
      this.outstanding.get(result.job)?.settle(result);
    } catch (error) {
      this.run.onNote((error as Error).message);
    }
  }

  /** Takes the jobs back that no worker has begun. */
  private async takeBack(): Promise<void> {
    await Promise.all(
      Array.from(this.outstanding.values(), async ({ job, settle }) => {
        const taken = await this.jobs.remove(job).catch(() => 0);
        if (taken === 1) settle(nothing(job));
      }),
    );
  }
}

/** The result of a job of which no game was finished. */
function nothing(job: string): Result {
  return { job, worker: "", packed: "[]" };
}
