import { randomBytes } from "node:crypto";
import { escapeControls, shortened } from "../../base/errors.ts";
import type { GameBatch, Job, Result, SelfPlayBatch } from "../jobs.ts";
import type { Link } from "../link.ts";
import type { Queue } from "bullmq";

/** Jobs older than this are looked up in Redis. */
const LOOK_AFTER_MS = 4000;

/** A job that is given out. */
interface GivenJob<Played> {
  readonly id: string;
  readonly data: Job;
  readonly since: number;
  /** The number of look-ups in a row that did not find the job in Redis. */
  unknown: number;
  readonly settle: (result: Result<Played> | undefined) => void;
  readonly fail: (error: Error) => void;
}

/** A job will not come back: it lost its worker too often, failed, or was at work for too long. */
export class JobLost extends Error {
  /** The number of times that the job was begun alone. */
  readonly begunAlone: number;

  constructor(message: string, begunAlone = 0) {
    super(message);
    this.begunAlone = begunAlone;
  }
}

/** The queues of the jobs, and the rules for those that do not come back. */
export interface GivingSetup {
  readonly link: Pick<Link, "insist">;
  readonly jobs: Pick<Queue<Job>, "add" | "getJob" | "getJobState" | "remove">;
  readonly results: Pick<Queue, "getJobCounts">;
  readonly run: string;
  readonly bundle: string;
  /** If given, a job that fails is lost, and one that is away for longer than this, in ms [a failed one is given out again]. */
  readonly patienceMs?: (() => number) | undefined;
  readonly onNote: (text: string) => void;
}

/** The jobs that a coordinator has given out, each until its result arrives. Jobs that Redis lost are given out again. */
export class GivenJobs<Played> {
  private readonly setup: GivingSetup;
  private readonly given = new Map<string, GivenJob<Played>>();
  /** The prefix of this coordinator's job ids; an earlier coordinator had another one. */
  private readonly session: string;
  private count = 0;
  /** The last reason of a failure that was noted. */
  private said = "";

  constructor(setup: GivingSetup) {
    this.setup = setup;
    this.session = `${setup.run}-${randomBytes(6).toString("hex")}`;
  }

  /** Gives out a batch and waits for its result, which is undefined if it was taken back. Throws JobLost. */
  async giveOut(batch: GameBatch | SelfPlayBatch): Promise<Result<Played> | undefined> {
    const id = `${this.session}-${this.count++}`;
    const { run, bundle } = this.setup;
    const data: Job = { run, bundle, ...batch };
    try {
      return await new Promise<Result<Played> | undefined>((settle, fail) => {
        const job: GivenJob<Played> = { id, data, since: performance.now(), unknown: 0, settle, fail };
        this.given.set(id, job);
        this.add(job).catch(fail);
      });
    } finally {
      this.given.delete(id);
    }
  }

  /** Takes a result. A repeated one, or one for an earlier coordinator, is ignored. */
  receive(result: Result<Played>): void {
    this.given.get(result.job)?.settle(result);
  }

  /** Gives out again the jobs that Redis lost, and handles those that failed or take too long. */
  async lookAfter(): Promise<void> {
    const now = performance.now();
    const old = [...this.given.values()].filter(({ since }) => now - since > LOOK_AFTER_MS);
    const patienceMs = this.setup.patienceMs?.() ?? Infinity;
    await Promise.all(
      old.map(async (job) => {
        const state = await this.setup.jobs.getJobState(job.id);
        job.unknown = state === "unknown" ? job.unknown + 1 : 0;
        if (state === "failed") await this.hearFailure(job);
        else if (state !== "waiting" && now - job.since > patienceMs)
          job.fail(new JobLost(`nothing was heard of a job for ${Math.round((now - job.since) / 1000)} s`));
      }),
    );
    const lost = old.filter(({ id, unknown }) => unknown >= 2 && this.given.has(id));
    if (lost.length === 0) return;
    // A worker sends the result before its job ends, so the result of a job that is gone may be among those that wait.
    const { waiting = 0, active = 0 } = await this.setup.results.getJobCounts("waiting", "active");
    if (waiting + active > 0) return;
    for (const job of lost) if (this.given.has(job.id)) await this.add(job);
  }

  /** Takes back the jobs that no worker has begun. */
  async takeBack(): Promise<void> {
    await Promise.all(
      Array.from(this.given.values(), async ({ id, settle }) => {
        const taken = await this.setup.jobs.remove(id).catch(() => 0);
        if (taken === 1) settle(undefined);
      }),
    );
  }

  /** Ends the wait for all jobs. */
  giveUp(): void {
    for (const { settle } of this.given.values()) settle(undefined);
  }

  private async add({ id, data }: GivenJob<Played>): Promise<void> {
    const options = { jobId: id, removeOnComplete: true, removeOnFail: { age: 24 * 3600 } };
    await this.setup.link.insist(async () => this.setup.jobs.add("games", data, options));
  }

  private async hearFailure(job: GivenJob<Played>): Promise<void> {
    const failed = await this.setup.jobs.getJob(job.id);
    const reason = failed?.failedReason ?? "it is gone";
    await failed?.remove().catch(() => {});
    if (/stalled/.test(reason) || this.setup.patienceMs !== undefined)
      return job.fail(new JobLost(reason, Number(failed?.progress) || 0));
    if (reason !== this.said)
      this.setup.onNote(`A job failed, and is given out again: ${escapeControls(shortened(reason, 1000))}`);
    this.said = reason;
    await this.add(job);
  }
}
