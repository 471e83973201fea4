import { createHash, randomBytes } from "node:crypto";
import { InputError } from "../../base/errors.ts";
import type { ActorJob, ActorResult, Actors, RoundWeights, Table } from "../../training/rounds/actors.ts";
import type { TrainingPlan } from "../../training/plan/plan.ts";
import { sha256 } from "../../specs/files/hashes.ts";
import { keyOf } from "../bundle.ts";
import type { QueueAddress } from "../address.ts";
import { BEAT_MS } from "../roster.ts";
import { parseSelfPlayResult, SELF_PLAY, type SelfPlayJob, type SelfPlayResult } from "../self-play-jobs.ts";
import { packTraining } from "../training-bundle.ts";
import { Coordinator, type CoordinatorSetup } from "./coordinator.ts";

/**
 * The time that the games of one job should take, in ms: JOB_MS, or JOB_MS_PER_WORKER times the workers if that is
 * more.
 */
const JOB_MS = 200;
const JOB_MS_PER_WORKER = 2;
/** Jobs for each worker at a time: it fetches one while it plays another. */
const JOBS_PER_WORKER = 2;
/** A job is given up after PATIENCE times the longest job so far, and not before LEAST_PATIENCE_MS. */
const PATIENCE = 10;
const LEAST_PATIENCE_MS = 10_000;
/** Redis forgets weights that no learner has renewed for this time, in seconds. */
const KEEP_WEIGHTS_S = 3600;
/** The largest weights that are sent: they go to each machine again and again. */
const MAX_WEIGHTS_BYTES = 64 * 2 ** 20;

/** A training whose games of self-play are to be played by workers elsewhere. */
export interface QueuedTraining {
  readonly address: QueueAddress;
  readonly plan: TrainingPlan;
  /** The id of the tournament that rates its checkpoints. */
  readonly run: string;
  /** Receives notes for people, about missing workers and other problems. */
  readonly onNote: (text: string) => void;
}

/** The hashes of the weights of a round. */
interface Hashes {
  readonly present: string;
  readonly past: string | undefined;
}

/** A job that is given out. */
interface Outstanding {
  readonly weights: Hashes;
  readonly since: number;
  readonly settle: (result: ActorResult) => void;
  readonly fail: (error: Error) => void;
}

/** Connects to the queue; throws InputError. */
export async function openQueuedActors({ address, plan, run, onNote }: QueuedTraining): Promise<Actors> {
  const id = createHash("sha256").update(`${run} self-play`).digest("hex").slice(0, 24);
  const setup = { address, id, bundle: packTraining(plan.config), onNote };
  const coordinator = await Coordinator.connect<SelfPlayJob, SelfPlayResult>(setup);
  const actors = new QueuedActors(plan, setup, coordinator);
  try {
    await actors.begin();
    return actors;
  } catch (error) {
    await actors.close();
    throw error;
  }
}

/**
 * Actors on other machines. Games go out as jobs of the BullMQ queue that runs use, too; the weights go beside them, by
 * content. A lost job is reported as lost, and its later result is ignored.
 */
class QueuedActors implements Actors {
  private readonly plan: TrainingPlan;
  private readonly setup: CoordinatorSetup;
  private readonly coordinator: Coordinator<SelfPlayJob, SelfPlayResult>;
  private readonly outstanding = new Map<string, Outstanding>();
  /** The prefix of this learner's job ids; an earlier learner had another one. */
  private readonly session: string;
  private given = 0;
  private done = 0;
  private longestMs = 0;
  /** Hashes of the weights that are in Redis: those of the two tables, and older ones that jobs may still need. */
  private readonly published = new Set<string>();
  private readonly tables = new Map<Table, Hashes>();

  constructor(
    plan: TrainingPlan,
    setup: CoordinatorSetup,
    coordinator: Coordinator<SelfPlayJob, SelfPlayResult>,
  ) {
    this.plan = plan;
    this.setup = setup;
    this.coordinator = coordinator;
    this.session = `${setup.id}-${randomBytes(6).toString("hex")}`;
  }

  get jobs(): number {
    return this.coordinator.workforce.slots * JOBS_PER_WORKER;
  }

  get jobMs(): number {
    return Math.max(JOB_MS, this.coordinator.workforce.slots * JOB_MS_PER_WORKER);
  }

  async publish(table: Table, { present, past }: RoundWeights, games: number): Promise<void> {
    this.tables.set(table, { present: await this.send(present), past: past && (await this.send(past)) });
    this.done = games;
    const inUse = [...this.tables.values(), ...Array.from(this.outstanding.values(), (job) => job.weights)];
    const used = new Set(inUse.flatMap((hashes) => [hashes.present, hashes.past]));
    await this.forget([...this.published].filter((old) => !used.has(old)));
  }

  /** Puts weights into Redis, and returns their hash. */
  private async send(weights: Float32Array): Promise<string> {
    const content = Buffer.from(weights.buffer, weights.byteOffset, weights.byteLength);
    if (content.length > MAX_WEIGHTS_BYTES)
      throw new InputError(
        `the evaluator is too large for actors on other machines: its weights are ${content.length} bytes, at most ${MAX_WEIGHTS_BYTES}`,
      );
    const name = sha256(content);
    const { link } = this.coordinator;
    await link.insist(async () => link.redis.set(keyOf(name), content, "EX", KEEP_WEIGHTS_S));
    this.published.add(name);
    return name;
  }

  async play({ table, from, count }: ActorJob): Promise<ActorResult> {
    const id = `${this.session}-${this.given++}`;
    const { id: run, bundle } = this.setup;
    const weights = this.tables.get(table)!;
    const { present, past } = weights;
    const data: SelfPlayJob = {
      run,
      bundle: bundle.hash,
      weights: present,
      ...(past && { past }),
      from,
      count,
    };
    const since = performance.now();
    const { link, jobs } = this.coordinator;
    try {
      return await new Promise<ActorResult>((settle, fail) => {
        this.outstanding.set(id, { weights, since, settle, fail });
        const options = { jobId: id, removeOnComplete: true, removeOnFail: { age: 600 } };
        link.insist(async () => jobs.add(SELF_PLAY, data, options)).catch(fail);
      });
    } finally {
      this.outstanding.delete(id);
    }
  }

  async close(): Promise<void> {
    const takeBack = async () => {
      await Promise.all(
        Array.from(this.outstanding.keys(), async (id) => this.coordinator.jobs.remove(id).catch(() => {})),
      );
      await this.forget([...this.published]);
    };
    await this.coordinator.end(takeBack, { isOver: true });
  }

  async begin(): Promise<void> {
    const { name, games: total } = this.plan.config;
    await this.coordinator.begin({
      progress: () => ({ name: `${name}: self-play`, done: this.done, total }),
      receive: (data) => this.receive(data),
      lookAfterJobs: async () => this.lookAfterJobs(),
    });
  }

  /** Finds the jobs that will not come back. A job that waits for a worker is not one of them. */
  private async lookAfterJobs(): Promise<void> {
    const patience = Math.max(LEAST_PATIENCE_MS, PATIENCE * this.longestMs);
    const now = performance.now();
    for (const [id, { since, settle }] of this.outstanding) {
      if (now - since < 2 * BEAT_MS) continue;
      const state = await this.coordinator.jobs.getJobState(id);
      if (state === "failed") {
        const failed = await this.coordinator.jobs.getJob(id);
        settle({ lost: failed?.failedReason ?? "it is gone" });
      } else if (state !== "waiting" && now - since > patience) {
        settle({ lost: `nothing was heard of a job for ${Math.round((now - since) / 1000)} s` });
      }
    }
  }

  private receive(data: unknown): void {
    const result = parseSelfPlayResult(data);
    // The job was given up, or an earlier learner gave it out.
    const job = this.outstanding.get(result.job);
    if (job === undefined) return;
    const { worker } = result;
    const { workforce } = this.coordinator;
    if ("message" in result) {
      if (workforce.hearTrouble(worker, result.message)) job.fail(new InputError(result.message));
      else job.settle({ lost: result.message });
      return;
    }
    workforce.hearGames();
    const { moves, timeMs } = result;
    this.longestMs = Math.max(this.longestMs, timeMs);
    job.settle({ moves: Buffer.from(moves, "base64"), worker, timeMs });
  }

  private async forget(weights: readonly string[]): Promise<void> {
    if (weights.length === 0) return;
    await this.coordinator.link.redis.unlink(...weights.map(keyOf));
    for (const name of weights) this.published.delete(name);
  }
}
