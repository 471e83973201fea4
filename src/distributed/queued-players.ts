import { setTimeout as sleep } from "node:timers/promises";
import type { Queue, Worker } from "bullmq";
import type { Redis } from "ioredis";
import { describeError } from "../base/thrown.ts";
import type { TournamentPlan } from "../arena/plan/plan.ts";
import { GameFault } from "../arena/play/game-fault.ts";
import { errorOfFailure } from "../arena/play/worker-process.ts";
import type { Players } from "../arena/play/worker-pool.ts";
import { countGames, schedule, type ScheduledGame } from "../arena/schedule/schedule.ts";
import type { Store } from "../arena/store/store.ts";
import type { GameRecord } from "../ratings/record.ts";
import { loadGame } from "../specs/games.ts";
import { thisBuild } from "./build.ts";
import { GivenJobs, WorkersLost } from "./given-jobs.ts";
import {
  jobQueue,
  matching,
  MAX_LOSSES,
  parseResult,
  readRecords,
  resultQueue,
  type Job,
  type Result,
} from "./jobs.ts";
import { pack, publish, type Parcel } from "./parcel.ts";
import { connect, loadQueueLibraries, PREFIX, type QueueAddress, type QueueLibraries } from "./redis.ts";
import { BEAT_MS, Roster, whereabouts, type RunEntry } from "./roster.ts";
import { Workforce } from "./workforce.ts";

/** How long the games of one job should take, in ms; where there are many workers, so much for each. */
const JOB_MS = 500;
const JOB_MS_PER_WORKER = 4;
/** Jobs for each worker at a time: it fetches one while it plays another. */
const JOBS_PER_WORKER = 2;
/** A job whose worker was lost too often is taken apart into so many. */
const PARTS = 10;
/** So many answers to a job without one game are no accident. */
const MAX_EMPTY_ANSWERS = 50;
/** Results are fetched so many at a time: they are stored together. */
const RESULTS = 32;
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
  private readonly given: GivenJobs;
  private receiver: Worker<Result> | undefined;
  private readonly id: string;
  private readonly total: number;
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
    this.jobs = new libraries.Queue<Job>(jobQueue(thisBuild().code, this.parcel), connection);
    this.results = new libraries.Queue<Result>(resultQueue(this.id), connection);
    // The connection tells of its troubles itself.
    for (const queue of [this.jobs, this.results]) queue.on("error", () => {});
    const { jobs, results } = this;
    this.given = new GivenJobs({ jobs, results }, { run: this.id, parcel: this.parcel.hash });
  }

  get tasks(): number {
    return Math.max(2, this.workforce.slots * JOBS_PER_WORKER);
  }

  get taskMs(): number {
    return Math.max(JOB_MS, this.workforce.slots * JOB_MS_PER_WORKER);
  }

  async play(games: readonly ScheduledGame[]): Promise<GameRecord[]> {
    const records = await this.finish(games);
    this.done += records.length;
    return records;
  }

  /** Has the games played, one of which seems to end its workers if they are `suspect`. */
  private async finish(games: readonly ScheduledGame[], { suspect = false } = {}): Promise<GameRecord[]> {
    const finished = new Map<string, GameRecord>();
    let left = games;
    let endings = 0;
    for (let empty = 0; left.length > 0 && !this.stopping;) {
      const alone = suspect && left.length === 1;
      const result = await this.given.giveOut(left, { alone }).catch((error: unknown) => error as Error);
      if (result instanceof WorkersLost) {
        if (left.length > 1) return [...finished.values(), ...(await this.finishApart(left))];
        suspect = true;
        endings += result.begunAlone;
        if (endings >= MAX_LOSSES) throw this.endsWorkers(left[0]!);
        continue;
      }
      if (result instanceof Error) throw result;
      if ("message" in result) throw errorOfFailure({ kind: "failure", ...result });
      const before = finished.size;
      for (const record of matching(readRecords(result.packed), left)) finished.set(record.id, record);
      left = left.filter(({ id }) => !finished.has(id));
      empty = finished.size > before ? 0 : empty + 1;
      if (empty === MAX_EMPTY_ANSWERS) throw new Error(`worker ${result.worker} finishes no game`);
    }
    return [...finished.values()];
  }

  stop(): void {
    this.stopping = true;
    void this.given.takeBack();
  }

  async close(): Promise<void> {
    this.stopping = true;
    const isDone = this.done >= this.total;
    const goodbye = async () => {
      await this.beating;
      await this.given.takeBack();
      await this.receiver?.close();
      if (isDone) {
        await this.roster.removeRun(this.id);
        await this.results.obliterate({ force: true });
      }
    };
    // Where Redis does not answer, there is nobody to say goodbye to.
    await Promise.race([goodbye().catch(() => {}), sleep(FAREWELL_MS)]);
    this.given.giveUp();
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
    // What cannot be read is left: at worst some games are played twice.
    for (const job of await this.jobs.getJobs(["waiting", "delayed"]).catch(() => [])) {
      if (job.data.run === this.id) await job.remove().catch(() => {});
    }
    const waiting = await this.results.getJobs(["waiting", "active", "failed"]).catch(() => []);
    await this.results.obliterate({ force: true });
    await this.announce();
    this.receiver = new this.libraries.Worker<Result>(
      resultQueue(this.id),
      async ({ data }) => this.receive(data),
      { connection: redis, prefix: PREFIX, concurrency: RESULTS, removeOnComplete: { count: 0 } },
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
        await this.given.lookAfter();
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

  /** Plays games one of which seems to end its workers: a few at a time, and in the end one by one. */
  private async finishApart(games: readonly ScheduledGame[]): Promise<GameRecord[]> {
    const size = Math.ceil(games.length / PARTS);
    const parts = Array.from({ length: Math.ceil(games.length / size) }, (_, part) =>
      games.slice(part * size, (part + 1) * size),
    );
    return (await Promise.all(parts.map(async (part) => this.finish(part, { suspect: true })))).flat();
  }

  /** What is said of a game that was the only one that its worker played, whenever that was lost. */
  private endsWorkers({ id, seats }: ScheduledGame): Error {
    const { entrants } = this.run.plan;
    const names = seats.map((entrant) => entrants[entrant]!.name).join(" against ");
    return new GameFault(`the game ${id}, ${names}, ended its worker ${MAX_LOSSES} times`);
  }

  private receive(data: unknown): void {
    try {
      this.given.receive(parseResult(data));
    } catch (error) {
      this.run.onNote((error as Error).message);
    }
  }
}
