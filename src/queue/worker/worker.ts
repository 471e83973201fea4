import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Job as QueuedJob, Queue } from "bullmq";
import { escapeControls, InputError, shortened } from "../../base/errors.ts";
import { Pace } from "../../base/pace.ts";
import { isAbandoned, lockFolder } from "../../specs/files/lock.ts";
import { describeBuild, thisBuild } from "../build.ts";
import { ContentLost } from "../bundle.ts";
import { jobQueue, MAX_LOSSES, parseJob, resultQueue, type Job, type Result } from "../jobs.ts";
import { Link } from "../link.ts";
import { isRefusal, type QueueAddress } from "../redis.ts";
import { BEAT_MS, fits, Roster, whereabouts, type WorkerEntry } from "../roster.ts";
import { makeKit, type Kit, Ready, Turns } from "./kits.ts";

/** The number of runs and trainings that are kept ready. */
const MAX_KITS = 4;

/** The longest interval of looks for jobs whose worker is gone, in ms. */
const GONE_INTERVAL_MS = 10_000;

/** The pause after a job that could not be played, in ms: another worker may take the next one. */
const PAUSE_MS = 2000;

/** The longest note, in characters. */
const MAX_NOTE = 4000;
/** The longest wait for Redis at the end, and the interval of looks for results that are left to send, in ms. */
const FAREWELL_MS = 3000;
const WATCH_MS = 200;

export interface QueueWorkerOptions {
  readonly address: QueueAddress;
  /** The number of games to play at once, each in a process of its own. */
  readonly workers: number;
  /** True to run code of the user's that comes with a run. */
  readonly plugins: boolean;
  /** After this silence of the worker, its games are given to others. */
  readonly lostAfterMs: number;
  /** Aborted: finish the games at hand, send them and return. */
  readonly signal: AbortSignal;
  /** Called once the queue has answered. */
  readonly onReady: () => void;
  /** Receives notes for people: runs that this worker cannot play for, and errors. */
  readonly onNote: (text: string) => void;
}

/** Plays games from the queue until the signal; returns how many they were. Throws InputError. */
export async function serveQueue(options: QueueWorkerOptions): Promise<number> {
  const folder = makeFolder();
  try {
    const link = await Link.open(options.address, options.onNote);
    options.onReady();
    try {
      return await new QueueWorker(options, link, folder).serve();
    } finally {
      link.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

class QueueWorker {
  private readonly options: QueueWorkerOptions;
  private readonly link: Link;
  private readonly roster: Roster;
  private readonly id = randomBytes(6).toString("hex");
  private readonly results: Results;
  private readonly kits: Ready<Kit>;
  /** The number of games that it has played. */
  private games = 0;
  private readonly turns = new Turns();
  private readonly pace = new Pace();
  /** The number of jobs that are being played or whose results are being sent. */
  private atHand = 0;
  /** The last notes: about runs that this worker cannot play for, and about games that were not played. */
  private said = "";
  private refused = "";

  constructor(options: QueueWorkerOptions, link: Link, folder: string) {
    const { workers, plugins } = options;
    this.options = { ...options, onNote: (text) => options.onNote(shortened(text, MAX_NOTE)) };
    this.link = link;
    this.roster = new Roster(link.redis);
    this.results = new Results(link);
    const setup = { redis: link.redis, folder, workers, plugins };
    this.kits = new Ready(async (bundle) => makeKit(bundle, setup), MAX_KITS);
  }

  async serve(): Promise<number> {
    const { workers, plugins, signal, lostAfterMs } = this.options;
    const { code } = thisBuild();
    const receivers = (plugins ? [false, true] : [false]).map((withCode) => {
      const receiver = this.link.worker(
        jobQueue(code, { plugins: withCode }),
        async (job: QueuedJob<unknown>) => this.work(job),
        {
          // One more job is fetched while the others are played.
          concurrency: workers + 1,
          lockDuration: lostAfterMs,
          stalledInterval: Math.min(GONE_INTERVAL_MS, lostAfterMs / 2),
          maxStalledCount: MAX_LOSSES - 1,
        },
      );
      receiver.on("failed", (_, error) => this.sayRefused(error.message));
      return receiver;
    });
    try {
      await Promise.race([this.beatUntil(signal), once(signal, "abort")]);
      this.kits.each((kit) => kit.stop());
      const finish = async () => {
        await Promise.all(receivers.map(async (receiver) => receiver.close()));
        await this.roster.removeWorker(this.id);
      };
      await Promise.race([finish().catch(() => {}), this.nothingToSend()]);
    } finally {
      this.kits.each((kit) => kit.close());
    }
    return this.games;
  }

  /** Resolves when there are no results to send and Redis is away, or after FAREWELL_MS without results. */
  private async nothingToSend(): Promise<void> {
    for (let idleMs = 0; idleMs < FAREWELL_MS && !(this.atHand === 0 && this.link.away);) {
      await sleep(WATCH_MS, undefined, { ref: false });
      idleMs = this.atHand > 0 ? 0 : idleMs + WATCH_MS;
    }
  }

  /** Announces the worker and its pace every BEAT_MS. */
  private async beatUntil(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.pace.note(this.games, performance.now());
      try {
        await this.link.insist(async () => this.roster.announceWorker(this.entry()), signal);
        await this.lookForRuns();
      } catch (error) {
        if (!signal.aborted) this.link.tell(error);
      }
      await sleep(BEAT_MS, undefined, { signal }).catch(() => {});
    }
  }

  private entry(): WorkerEntry {
    const { workers, plugins } = this.options;
    const { id, games, pace, kits } = this;
    return {
      ...thisBuild(),
      ...whereabouts(),
      id,
      workers,
      plugins,
      runs: kits.names,
      games,
      gamesPerSecond: pace.perSecond,
    };
  }

  /** Notes the runs that this worker cannot play for. */
  private async lookForRuns(): Promise<void> {
    const { plugins } = this.options;
    const here = { ...thisBuild(), plugins };
    const words: string[] = [];
    for (const run of await this.roster.runs()) {
      if (run.interrupted || fits(here, run)) continue;
      const why =
        run.code === here.code
          ? "it has code of its own, which this worker runs only with --allow-plugins"
          : `it is of another agon (${describeBuild(run)}; here ${describeBuild(here)})`;
      words.push(`The run "${run.name}" of ${run.host}:${run.pid} gets no games from here: ${why}`);
    }
    const text = words.join("\n");
    if (text !== this.said && text !== "") this.options.onNote(text);
    this.said = text;
  }

  private async work(queued: QueuedJob<unknown>): Promise<void> {
    this.atHand++;
    try {
      await this.takeTurn(queued);
    } finally {
      this.atHand--;
    }
  }

  /** Has a job played beside others, or alone. The progress of a job that is played alone counts how often it was begun. */
  private async takeTurn(queued: QueuedJob<unknown>): Promise<void> {
    const job = parseJob(queued.data);
    const play = async () => this.play(String(queued.id), job);
    if (!("games" in job && job.alone === true)) return this.turns.beside(play);
    return this.turns.byItself(async () => {
      await this.link.insist(async () => queued.updateProgress((Number(queued.progress) || 0) + 1));
      await play();
    });
  }

  /** Plays a job and sends its games, or the reason why it cannot be played here. If it throws, the job fails. */
  private async play(id: string, job: Job): Promise<void> {
    const sender = { job: id, worker: this.id };
    const result = await this.kits
      .using<Result>(job.bundle, async (kit) => {
        const { played, games } = await kit.play(job);
        this.games += games;
        return { ...sender, ...played };
      })
      .catch((error: Error): Result => {
        if (error instanceof ContentLost || isRefusal(error)) throw error;
        const { name, message } = error;
        this.sayRefused(message);
        return { ...sender, name, message };
      });
    await this.results.send(job.run, result);
    // The cause may be this machine: other workers come first.
    if ("message" in result)
      await sleep(PAUSE_MS, undefined, { signal: this.options.signal }).catch(() => {});
  }

  /** Notes once why games were not played. */
  private sayRefused(why: string): void {
    if (why !== this.refused) this.options.onNote(`Games were not played: ${escapeControls(why)}`);
    this.refused = why;
  }
}

/** Sends results to the coordinators of runs and trainings. */
class Results {
  private readonly link: Link;
  private readonly roster: Roster;
  private readonly queues = new Map<string, Queue<Result>>();

  constructor(link: Link) {
    this.link = link;
    this.roster = new Roster(link.redis);
  }

  /** Sends a result, however long Redis refuses it. The result of an unknown run is dropped. */
  async send(run: string, result: Result): Promise<void> {
    await this.link.insist(async () => {
      if (await this.roster.knowsRun(run)) await this.queueOf(run).add("result", result);
    });
  }

  private queueOf(run: string): Queue<Result> {
    const known = this.queues.get(run);
    if (known !== undefined) return known;
    const queue = this.link.queue<Result>(resultQueue(run), {
      defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
    });
    this.queues.set(run, queue);
    return queue;
  }
}

/** The prefix of the folders of workers. */
const FOLDER_PREFIX = "agon-worker-";

/** Makes a folder for this worker, and removes those of workers that were killed. Its path has no links. Throws InputError. */
function makeFolder(): string {
  try {
    const parent = realpathSync(tmpdir());
    removeAbandoned(parent);
    const dir = mkdtempSync(join(parent, FOLDER_PREFIX));
    lockFolder(dir);
    return dir;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new InputError(
      `takes no folder for what a worker needs (${code ?? message}); TMPDIR can name another place`,
      tmpdir(),
    );
  }
}

function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent)) {
    const dir = join(parent, name);
    if (!name.startsWith(FOLDER_PREFIX) || !isAbandoned(dir)) continue;
    try {
      rmSync(dir, { recursive: true, force: true });
    } catch {
      // The folder belongs to another user.
    }
  }
}
