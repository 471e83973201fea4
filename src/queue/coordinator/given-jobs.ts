import { randomBytes } from "node:crypto";
import { escapeControls } from "../../base/errors.ts";
import type { ScheduledGame } from "../../arena/schedule/schedule.ts";
import type { GameJob, GameResult } from "../game-jobs.ts";
import type { Coordinator } from "./coordinator.ts";

/** Of a job that was given out longer ago, it is looked up where it is. */
const LOOK_AFTER_MS = 4000;

/** A job that is given out. */
interface GivenJob {
  readonly id: string;
  readonly data: GameJob;
  readonly since: number;
  /** How often in a row Redis did not know it. */
  unknown: number;
  readonly settle: (result: GameResult) => void;
  readonly fail: (error: Error) => void;
}

/** The workers of a job were lost too often while they were at it. */
export class WorkersLost extends Error {
  /** How often the job was begun alone. */
  readonly begunAlone: number;

  constructor(message: string, begunAlone: number) {
    super(message);
    this.begunAlone = begunAlone;
  }
}

/** The jobs that a coordinator has given out, each until its result is there. What Redis has lost is given out again. */
export class GivenJobs {
  private readonly coordinator: Coordinator<GameJob, GameResult>;
  private readonly run: Pick<GameJob, "run" | "bundle">;
  private readonly onNote: (text: string) => void;
  private readonly given = new Map<string, GivenJob>();
  /** Begins the ids of jobs: those of an earlier coordinator are others. */
  private readonly session: string;
  private count = 0;
  /** Why a job failed, as it was told last. */
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

  /** What becomes of a job; throws WorkersLost. */
  async giveOut(games: readonly ScheduledGame[], { alone = false } = {}): Promise<GameResult> {
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

  /** Takes a result; nobody waits for one that came before already, or for one of an earlier coordinator. */
  receive(result: GameResult): void {
    this.given.get(result.job)?.settle(result);
  }

  /** Gives out again what Redis has lost, and hears of jobs that failed. */
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
    // A result comes before its job is gone: as long as results wait, it may be among them.
    const { waiting = 0, active = 0 } = await this.coordinator.results.getJobCounts("waiting", "active");
    if (waiting + active > 0) return;
    for (const job of lost) if (this.given.has(job.id)) await this.add(job);
  }

  /** Takes the jobs back that no worker has begun. */
  async takeBack(): Promise<void> {
    await Promise.all(
      Array.from(this.given.values(), async ({ id, settle }) => {
        const taken = await this.coordinator.jobs.remove(id).catch(() => 0);
        if (taken === 1) settle(nothing(id));
      }),
    );
  }

  /** Waits for nothing any more. */
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
    if (reason !== this.said) this.onNote(`A job failed, and is given out again: ${escapeControls(reason)}`);
    this.said = reason;
    await this.add(job);
  }
}

/** The result of a job of which no game was finished. */
function nothing(job: string): GameResult {
  return { job, worker: "", packed: "[]" };
}
