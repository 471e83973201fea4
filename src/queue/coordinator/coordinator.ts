import { setTimeout as sleep } from "node:timers/promises";
import type { Queue, Worker } from "bullmq";
import { escapeControls } from "../../base/errors.ts";
import { thisBuild } from "../build.ts";
import { jobQueue, resultQueue } from "../jobs.ts";
import { Link } from "../link.ts";
import { publish, type Bundle } from "../bundle.ts";
import type { QueueAddress } from "../address.ts";
import { BEAT_MS, Roster, whereabouts, type RunEntry } from "../roster.ts";
import { Workforce } from "./workforce.ts";

/** Results are fetched so many at a time: they are stored together. */
const RESULTS = 32;
/** How long Redis is waited for at the end. */
const FAREWELL_MS = 3000;

/** What is given out, and where. */
export interface CoordinatorSetup {
  readonly address: QueueAddress;
  /** Of the run, or of the self-play of a training. */
  readonly id: string;
  readonly bundle: Bundle;
  /** Is told what is worth knowing: who is waited for, what is wrong. */
  readonly onNote: (text: string) => void;
}

/** What depends on what is given out. */
export interface Duties {
  /** How far it is, in games. */
  progress(): Pick<RunEntry, "name" | "done" | "total">;
  /** Takes a result, which is not yet checked; throws InputError where it is none. */
  receive(data: unknown): void;
  /** Finds the jobs that were lost; called every two seconds. */
  lookAfterJobs(): Promise<void>;
}

/**
 * The side of a run, or of a training, that gives out games: jobs go to the queue of all who play alike, results come back in
 * a queue of the run's own. It says all the time that it is there, and sees which workers are.
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
  /** Another coordinator of the run, as it was told. */
  private another: string | undefined;
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

  /** Begins, in place of an earlier coordinator of the run; returns the results that it did not take, not yet checked. Throws InputError. */
  async begin(duties: Duties): Promise<unknown[]> {
    return this.link.first(async () => this.replace(duties));
  }

  private async replace(duties: Duties): Promise<unknown[]> {
    await this.forgetOldRuns();
    await this.takeBackJobs();
    // What cannot be read is left: at worst some games are played twice.
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
   * Says goodbye, where Redis answers, and leaves.
   * @param takeBack takes back the jobs that are given out
   * @param isOver whether no other coordinator is to go on with the run
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

  /** Says all the time that the run is there, sees who else is, and looks after the jobs. */
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

  /** Tells of a coordinator of the same run, in a copy of its folder. */
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
      this.setup.onNote(escapeControls((error as Error).message));
    }
  }

  /** Forgets runs that nobody has gone on with for days, with the results that wait for them. */
  private async forgetOldRuns(): Promise<void> {
    for (const old of await this.roster.oldRuns()) {
      await this.link.queue(resultQueue(old)).obliterate({ force: true });
      await this.roster.removeRun(old);
    }
  }

  /** Takes back what an earlier coordinator of the run gave out and nobody has begun. */
  private async takeBackJobs(): Promise<void> {
    // What cannot be read is left: at worst some games are played twice.
    for (const job of await this.jobs.getJobs(["waiting"]).catch(() => [])) {
      if (job.data.run === this.setup.id) await job.remove().catch(() => {});
    }
  }
}
