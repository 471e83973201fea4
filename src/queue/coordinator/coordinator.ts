import { setTimeout as sleep } from "node:timers/promises";
import type { Queue, Worker } from "bullmq";
import { escapeControls, shortened } from "../../base/errors.ts";
import { thisBuild } from "../build.ts";
import { jobQueue, resultQueue } from "../jobs.ts";
import { Link } from "../link.ts";
import { publish, type Bundle } from "../bundle.ts";
import type { QueueAddress } from "../address.ts";
import { BEAT_MS, Roster, whereabouts, type RunEntry } from "../roster.ts";
import { Workforce } from "./workforce.ts";

/** The number of results that are fetched at a time, to be stored together. */
const RESULTS = 32;
/** The longest wait for Redis at the end, in ms. */
const FAREWELL_MS = 3000;

/** The longest note about a malformed result, in characters. */
const MAX_NOTE = 1000;

/** The work to give out, and its queue. */
export interface CoordinatorSetup {
  readonly address: QueueAddress;
  /** Names the run, or the self-play of a training. */
  readonly id: string;
  readonly bundle: Bundle;
  /** Receives notes for people, about missing workers and other problems. */
  readonly onNote: (text: string) => void;
}

/** The parts in which a run and a training differ. */
export interface Duties {
  /** The number of games done, and of all. */
  progress(): Pick<RunEntry, "name" | "done" | "total">;
  /** Takes a result that is not yet checked; throws InputError if it is malformed. */
  receive(data: unknown): void;
  /** Finds lost jobs; called every BEAT_MS. */
  lookAfterJobs(): Promise<void>;
}

/**
 * Gives out the games of a run, or of a training. Jobs go to the queue of all workers of the same build; results come back
 * in a queue of the run's own. It announces the run every BEAT_MS, and watches which workers are there.
 */
export class Coordinator<Job extends { readonly run: string }, Result> {
  readonly link: Link;
  readonly workforce: Workforce;
  readonly jobs: Queue<Job>;
  readonly results: Queue<Result>;
  private readonly setup: CoordinatorSetup;
  private readonly roster: Roster;
  private receiver: Worker<Result> | undefined;
  private duties: Duties | undefined;
  /** The other coordinator of this run that was last noted. */
  private another: string | undefined;
  /** The last note about a malformed result. */
  private told = "";
  private beating: Promise<void> = Promise.resolve();
  private readonly ended = new AbortController();

  private constructor(setup: CoordinatorSetup, link: Link) {
    this.setup = setup;
    this.link = link;
    this.roster = new Roster(link.redis);
    this.workforce = new Workforce(this.roster, setup);
    this.jobs = link.queue<Job>(jobQueue(thisBuild().code, setup.bundle));
    this.results = link.queue<Result>(resultQueue(setup.id));
  }

  /** Connects to the queue; throws InputError. */
  static async connect<Job extends { readonly run: string }, Result>(
    setup: CoordinatorSetup,
  ): Promise<Coordinator<Job, Result>> {
    return new Coordinator(setup, await Link.open(setup.address, setup.onNote));
  }

  /**
   * Takes the place of an earlier coordinator of the run. Returns the results that it left behind, not yet checked. Throws
   * InputError.
   */
  async begin(duties: Duties): Promise<unknown[]> {
    return this.link.first(async () => this.replace(duties));
  }

  private async replace(duties: Duties): Promise<unknown[]> {
    await this.forgetOldRuns();
    await this.takeBackJobs();
    // Unreadable results are left: at worst some games are played twice.
    const waiting = await this.results.getJobs(["waiting", "active", "failed"]).catch(() => []);
    await this.results.obliterate({ force: true });
    await this.announce(duties);
    this.receiver = this.link.worker<Result>(
      this.results.name,
      async ({ data }) => this.receive(data, duties),
      { concurrency: RESULTS, removeOnComplete: { count: 0 } },
    );
    this.duties = duties;
    this.beating = this.beat(duties);
    return waiting.map(({ data }) => data);
  }

  /**
   * Announces the end, if Redis answers, and disconnects.
   * @param takeBack takes back the jobs that are given out
   * @param isOver true if no other coordinator shall go on with the run
   */
  async end(takeBack: () => Promise<void>, { isOver }: { isOver: boolean }): Promise<void> {
    this.ended.abort();
    const goodbye = async () => {
      await this.beating;
      await takeBack();
      await this.receiver?.close();
      if (!isOver) return this.duties && this.announce(this.duties);
      await this.roster.removeRun(this.setup.id);
      await this.results.obliterate({ force: true });
    };
    await Promise.race([goodbye().catch(() => {}), sleep(FAREWELL_MS)]);
    this.link.close();
  }

  /** Announces the run, watches the roster and looks after the jobs, every BEAT_MS. */
  private async beat(duties: Duties): Promise<void> {
    const { signal } = this.ended;
    for (;;) {
      await sleep(BEAT_MS, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      try {
        await this.lookForAnother();
        await this.link.insist(async () => this.announce(duties), signal);
        await duties.lookAfterJobs();
      } catch (error) {
        if (!signal.aborted) this.link.tell(error);
      }
    }
  }

  private async announce(duties: Duties): Promise<void> {
    const { id, bundle } = this.setup;
    const { plugins } = bundle;
    const stopped = this.ended.signal.aborted;
    const entry = { ...thisBuild(), ...whereabouts(), ...duties.progress(), id, plugins, stopped };
    await publish(this.link.redis, bundle);
    await this.roster.announceRun(entry);
    await this.workforce.look(entry);
  }

  /** Notes another coordinator of the same run, which works in a copy of its folder. */
  private async lookForAnother(): Promise<void> {
    const { host, pid } = whereabouts();
    const last = await this.roster.coordinatorOf(this.setup.id);
    if (last === undefined || last === `${host}:${pid}` || this.another === last) return;
    this.another = last;
    this.setup.onNote(`${last} gives out the games of this run as well; one of the two is enough`);
  }

  private receive(data: unknown, duties: Duties): void {
    try {
      duties.receive(data);
    } catch (error) {
      // Malformed results come by the thousand.
      const text = escapeControls(shortened((error as Error).message, MAX_NOTE));
      if (text !== this.told) this.setup.onNote(text);
      this.told = text;
    }
  }

  /** Forgets runs that nobody has continued for days, with their waiting results. */
  private async forgetOldRuns(): Promise<void> {
    for (const old of await this.roster.oldRuns()) {
      await this.link.queue(resultQueue(old)).obliterate({ force: true });
      await this.roster.removeRun(old);
    }
  }

  /** Takes back the jobs of an earlier coordinator of this run that no worker has begun. */
  private async takeBackJobs(): Promise<void> {
    // Unreadable jobs are left: at worst some games are played twice.
    for (const job of await this.jobs.getJobs(["waiting"]).catch(() => [])) {
      if (job.data.run === this.setup.id) await job.remove().catch(() => {});
    }
  }
}
