import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Job as QueuedJob, Queue } from "bullmq";
import type { Redis } from "ioredis";
import { escapeControls } from "../base/errors.ts";
import { describeError } from "../base/thrown.ts";
import { packRecords } from "../arena/play/worker-messages.ts";
import { thisBuild } from "./build.ts";
import { jobQueue, MAX_LOSSES, parseJob, resultQueue, type Job, type Result } from "./jobs.ts";
import { toldAsSent } from "./parcel.ts";
import { ReadyRuns } from "./ready-runs.ts";
import { connect, loadQueueLibraries, PREFIX, type QueueAddress, type QueueLibraries } from "./redis.ts";
import { BEAT_MS, fits, Roster, whereabouts, type WorkerEntry } from "./roster.ts";
import { SELF_PLAY } from "./self-play-jobs.ts";
import { SelfPlayer } from "./self-player.ts";
import { Turns } from "./turns.ts";

/** How often it is looked for jobs whose worker is gone, at most. */
const GONE_INTERVAL_MS = 10_000;

export interface QueueWorkerOptions {
  readonly address: QueueAddress;
  /** How many games to play at once, each in a process of its own. */
  readonly workers: number;
  /** Whether to run code of the user's that comes with a run. */
  readonly plugins: boolean;
  /** The games that this worker has are given to others when it has said nothing for so long. */
  readonly lostAfterMs: number;
  /** Aborted: finish the games at hand, send them and return. */
  readonly signal: AbortSignal;
  /** Called once the queue has answered. */
  readonly onReady: () => void;
  /** Is told what is worth knowing: runs that get nothing from here, what is wrong. */
  readonly onNote: (text: string) => void;
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
  private readonly runs: ReadyRuns;
  private readonly turns = new Turns();
  private readonly results = new Map<string, Queue<Result>>();
  private readonly selfPlayer: SelfPlayer;
  /** Games of runs; those of trainings are the self-player's. */
  private games = 0;
  private gamesPerSecond = 0;
  /** What was said last of runs that get nothing from here, and of jobs that were refused. */
  private said = "";
  private refused = "";

  constructor(options: QueueWorkerOptions, libraries: QueueLibraries, redis: Redis) {
    this.options = options;
    this.libraries = libraries;
    this.redis = redis;
    this.roster = new Roster(redis);
    this.runs = new ReadyRuns(redis, options);
    this.selfPlayer = new SelfPlayer({ redis, libraries, id: this.id, options });
  }

  async serve(): Promise<number> {
    const { workers, plugins, signal, lostAfterMs } = this.options;
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
          lockDuration: lostAfterMs,
          stalledInterval: Math.min(GONE_INTERVAL_MS, lostAfterMs / 2),
          maxStalledCount: MAX_LOSSES - 1,
        },
      );
      receiver.on("error", () => {});
      receiver.on("failed", (_, error) => this.sayRefused(error.message));
      return receiver;
    });
    const finish = async () => {
      this.runs.stop();
      await Promise.all(receivers.map(async (receiver) => receiver.close()));
    };
    try {
      await this.beatUntil(signal);
      await finish();
      await this.roster.removeWorker(this.id);
    } finally {
      this.runs.close();
      this.selfPlayer.close();
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
    const runs = [...this.runs.names, ...this.selfPlayer.names];
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
    if (queued.name === SELF_PLAY) return this.turns.beside(async () => this.selfPlayer.work(queued));
    const job = this.parse(queued);
    const result = await (job.alone === true
      ? this.turns.byItself(async () => {
          await queued.updateProgress((Number(queued.progress) || 0) + 1);
          return this.play(String(queued.id), job);
        })
      : this.turns.beside(async () => this.play(String(queued.id), job)));
    if (await this.roster.knowsRun(job.run)) await this.resultsOf(job.run).add("games", result);
  }

  private async play(job: string, { parcel, games }: Job): Promise<Result> {
    try {
      return await this.runs.using(parcel, async ({ name, pool, unpacked }) => {
        const { plan, asSent } = unpacked;
        const isOfPlan = games.every(
          ({ seats }) =>
            seats.length === plan.players && seats.every((entrant) => entrant < plan.entrants.length),
        );
        if (!isOfPlan)
          throw new this.libraries.UnrecoverableError(`a job from the queue has no games of ${name}`);
        const records = await pool.play(games).catch((error: unknown) => {
          throw toldAsSent(error, unpacked);
        });
        this.games += records.length;
        const sent = records.map((record) => ({ ...record, detail: asSent(record.detail) }));
        return { job, worker: this.id, packed: packRecords(sent) };
      });
    } catch (error) {
      const { name, message } = error as Error;
      // Whoever plays these games meets the same.
      if (name !== "InputError" && name !== "GameFault") throw error;
      this.sayRefused(message);
      return { job, worker: this.id, name, message };
    }
  }

  /** Tells why games were not played, once. */
  private sayRefused(why: string): void {
    if (why !== this.refused) this.options.onNote(`Games were not played: ${escapeControls(why)}`);
    this.refused = why;
  }

  private parse(queued: QueuedJob<Job>): Job {
    try {
      return parseJob(queued.data);
    } catch (error) {
      throw new this.libraries.UnrecoverableError((error as Error).message);
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
