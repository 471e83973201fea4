import { randomBytes } from "node:crypto";
import { escapeControls, shortened } from "../../base/errors.ts";
import type { ScheduledGame } from "../../arena/schedule/schedule.ts";
import type { GameJob, GameResult } from "../game-jobs.ts";
import type { Coordinator } from "./coordinator.ts";

/** Jobs older than this are looked up in Redis. */
const LOOK_AFTER_MS = 4000;

/** A job that is given out. */
interface GivenJob {
  readonly id: string;
  readonly data: GameJob;
  readonly since: number;
  /** The number of look-ups in a row that did not find the job in Redis. */
  unknown: number;
  readonly settle: (result: GameResult) => void;
  readonly fail: (error: Error) => void;
}

/** A job lost its worker too often. */
export class WorkersLost extends Error {
  /** The number of times that the job was begun alone. */
  readonly begunAlone: number;

  constructor(message: string, begunAlone: number) {
    super(message);
    this.begunAlone = begunAlone;
  }
}

/** The jobs that a coordinator has given out, each until its result arrives. Jobs that Redis lost are given out again. */
export class GivenJobs {
  private readonly coordinator: Coordinator<GameJob, GameResult>;
  private readonly run: Pick<GameJob, "run" | "bundle">;
  private readonly onNote: (text: string) => void;
  private readonly given = new Map<string, GivenJob>();
  /** The prefix of this coordinator's job ids; an earlier coordinator had another one. */
  private readonly session: string;
  private count = 0;
  /** The last reason of a failure that was noted. */
  private said = "";

  constructor(
    coordinator: Coordinator<GameJob, GameResult>,
    run: Pick<GameJob, "run" | "bundle">,
    onNote: (text: string) => void,
  ) {
    this.coordinator = coordinator;
    this.run = run;
    this.onNote = onNote;
    this.session = `${run.run}-${randomBytes(6).toString("hex")}`;
  }

  /** Gives out a job and waits for its result; throws WorkersLost. */
  async giveOut(
    games: readonly ScheduledGame[],
    { alone }: { readonly alone: boolean },
  ): Promise<GameResult> {
    const id = `${this.session}-${this.count++}`;
    const data: GameJob = { ...this.run, games, ...(alone && { alone }) };
    try {
      return await new Promise<GameResult>((settle, fail) => {
        const job: GivenJob = { id, data, since: performance.now(), unknown: 0, settle, fail };
        this.given.set(id, job);
        this.add(job).catch(fail);
      });
    } finally {
      this.given.delete(id);
    }
  }

  /** Takes a result. A repeated one, or one for an earlier coordinator, is ignored. */
  receive(result: GameResult): void {
    this.given.get(result.job)?.settle(result);
  }

  /** Gives out again the jobs that Redis lost, and handles failed ones. */
  async lookAfter(): Promise<void> {
    const now = performance.now();
    const old = [...this.given.values()].filter(({ since }) => now - since > LOOK_AFTER_MS);
    await Promise.all(
      old.map(async (job) => {
        const state = await this.coordinator.jobs.getJobState(job.id);
        job.unknown = state === "unknown" ? job.unknown + 1 : 0;
        if (state === "failed") await this.hearFailure(job);
      }),
    );
    const lost = old.filter(({ id, unknown }) => unknown >= 2 && this.given.has(id));
    if (lost.length === 0) return;
    // A worker sends the result before its job ends, so the result of a job that is gone may be among those that wait.
    const { waiting = 0, active = 0 } = await this.coordinator.results.getJobCounts("waiting", "active");
    if (waiting + active > 0) return;
    for (const job of lost) if (this.given.has(job.id)) await this.add(job);
  }

  /** Takes back the jobs that no worker has begun. */
  async takeBack(): Promise<void> {
    await Promise.all(
      Array.from(this.given.values(), async ({ id, settle }) => {
        const taken = await this.coordinator.jobs.remove(id).catch(() => 0);
        if (taken === 1) settle(nothing(id));
      }),
    );
  }

  /** Ends the wait for all jobs. */
  giveUp(): void {
    for (const { id, settle } of this.given.values()) settle(nothing(id));
  }

  private async add({ id, data }: GivenJob): Promise<void> {
    const options = {
      jobId: id,
      removeOnComplete: true,
      removeOnFail: { age: 24 * 3600 },
    };
    await this.coordinator.link.insist(async () => this.coordinator.jobs.add("games", data, options));
  }

  private async hearFailure(job: GivenJob): Promise<void> {
    const failed = await this.coordinator.jobs.getJob(job.id);
    const reason = failed?.failedReason ?? "it is gone";
    await failed?.remove().catch(() => {});
    if (/stalled/.test(reason)) return job.fail(new WorkersLost(reason, Number(failed?.progress) || 0));
    if (reason !== this.said)
      this.onNote(`A job failed, and is given out again: ${escapeControls(shortened(reason, 1000))}`);
    this.said = reason;
    await this.add(job);
  }
}

/** The result of a job without a finished game. */
function nothing(job: string): GameResult {
  return { job, worker: "", packed: "[]" };
}
