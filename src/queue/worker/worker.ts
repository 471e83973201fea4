import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Job } from "bullmq";
import { escapeControls, shortened } from "../../base/errors.ts";
import { describeBuild, thisBuild } from "../build.ts";
import { jobQueue, MAX_LOSSES } from "../jobs.ts";
import { Link } from "../link.ts";
import type { QueueAddress } from "../address.ts";
import { BEAT_MS, fits, Roster, whereabouts, type WorkerEntry } from "../roster.ts";
import { SELF_PLAY } from "../self-play-jobs.ts";
import { makeFolder } from "./folder.ts";
import { GamePlayer } from "./game-player.ts";
import type { JobPlayer } from "./job-player.ts";
import { Results } from "./results.ts";
import { SelfPlayer } from "./self-player.ts";
import { Turns } from "./turns.ts";

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
  private readonly gamePlayer: JobPlayer;
  private readonly selfPlayer: JobPlayer;
  private readonly turns = new Turns();
  private gamesPerSecond = 0;
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
    const setup = {
      link,
      results: new Results(link),
      id: this.id,
      folder,
      workers,
      plugins,
      onRefused: (why: string) => this.sayRefused(why),
    };
    this.gamePlayer = new GamePlayer(setup);
    this.selfPlayer = new SelfPlayer(setup);
  }

  async serve(): Promise<number> {
    const { workers, plugins, signal, lostAfterMs } = this.options;
    const { code } = thisBuild();
    const receivers = (plugins ? [false, true] : [false]).map((withCode) => {
      const receiver = this.link.worker(
        jobQueue(code, { plugins: withCode }),
        async (job: Job<unknown>) => this.work(job),
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
    const players = [this.gamePlayer, this.selfPlayer];
    try {
      await Promise.race([this.beatUntil(signal), once(signal, "abort")]);
      for (const player of players) player.stop();
      const finish = async () => {
        await Promise.all(receivers.map(async (receiver) => receiver.close()));
        await this.roster.removeWorker(this.id);
      };
      await Promise.race([finish().catch(() => {}), this.nothingToSend()]);
    } finally {
      for (const player of players) player.close();
    }
    return this.played;
  }

  /** Resolves when there are no results to send and Redis is away, or after FAREWELL_MS without results. */
  private async nothingToSend(): Promise<void> {
    for (let idleMs = 0; idleMs < FAREWELL_MS && !(this.atHand === 0 && this.link.away);) {
      await sleep(WATCH_MS, undefined, { ref: false });
      idleMs = this.atHand > 0 ? 0 : idleMs + WATCH_MS;
    }
  }

  private get played(): number {
    return this.gamePlayer.games + this.selfPlayer.games;
  }

  /** Announces the worker and its pace every BEAT_MS. */
  private async beatUntil(signal: AbortSignal): Promise<void> {
    let [games, at] = [0, performance.now()];
    while (!signal.aborted) {
      const now = performance.now();
      const recent = ((this.played - games) * 1000) / Math.max(1, now - at);
      // Jobs end in bursts, so the pace is smoothed.
      this.gamesPerSecond = this.gamesPerSecond === 0 ? recent : 0.7 * this.gamesPerSecond + 0.3 * recent;
      [games, at] = [this.played, now];
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
    const runs = [...this.gamePlayer.names, ...this.selfPlayer.names];
    const { id, played: games, gamesPerSecond } = this;
    return { ...thisBuild(), ...whereabouts(), id, workers, plugins, runs, games, gamesPerSecond };
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

  /** Has a job played beside others, or alone. The progress of a job that is played alone counts how often it was begun. */
  private async work(job: Job<unknown>): Promise<void> {
    this.atHand++;
    try {
      await this.play(job);
    } finally {
      this.atHand--;
    }
  }

  private async play(job: Job<unknown>): Promise<void> {
    const player = job.name === SELF_PLAY ? this.selfPlayer : this.gamePlayer;
    const play = async () => {
      // The cause may be this machine: other workers come first.
      if (!(await player.work(job)))
        await sleep(PAUSE_MS, undefined, { signal: this.options.signal }).catch(() => {});
    };
    const isAlone = (job.data as { alone?: unknown } | null)?.alone === true;
    if (!isAlone) return this.turns.beside(play);
    return this.turns.byItself(async () => {
      await this.link.insist(async () => job.updateProgress((Number(job.progress) || 0) + 1));
      await play();
    });
  }

  /** Notes once why games were not played. */
  private sayRefused(why: string): void {
    if (why !== this.refused) this.options.onNote(`Games were not played: ${escapeControls(why)}`);
    this.refused = why;
  }
}
