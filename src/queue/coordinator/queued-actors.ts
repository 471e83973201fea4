import { createHash } from "node:crypto";
import { InputError } from "../../base/errors.ts";
import type { ActorJob, ActorResult, Actors, RoundWeights, Table } from "../../training/rounds/actors.ts";
import type { TrainingPlan } from "../../training/plan/plan.ts";
import { sha256 } from "../../specs/files/hashes.ts";
import { keyOf } from "../bundle.ts";
import type { QueueAddress } from "../redis.ts";
import { parsePlayedMoves, type PlayedMoves } from "../jobs.ts";
import { packTraining } from "../bundle-kinds.ts";
import { Coordinator } from "./coordinator.ts";
import { JobLost } from "./given-jobs.ts";

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

/** Connects to the queue; throws InputError. */
export async function openQueuedActors({ address, plan, run, onNote }: QueuedTraining): Promise<Actors> {
  const id = createHash("sha256").update(`${run} self-play`).digest("hex").slice(0, 24);
  const patienceMs = () => Math.max(LEAST_PATIENCE_MS, PATIENCE * actors.longestMs);
  const setup = {
    address,
    id,
    bundle: packTraining(plan.config),
    parse: parsePlayedMoves,
    patienceMs,
    onNote,
  };
  const actors = new QueuedActors(plan, await Coordinator.connect<PlayedMoves>(setup));
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
  /** The longest job so far, in ms. */
  longestMs = 0;
  private readonly plan: TrainingPlan;
  private readonly coordinator: Coordinator<PlayedMoves>;
  private done = 0;
  private readonly tables = new Map<Table, Hashes>();

  constructor(plan: TrainingPlan, coordinator: Coordinator<PlayedMoves>) {
    this.plan = plan;
    this.coordinator = coordinator;
  }

  get jobs(): number {
    return this.coordinator.workforce.slots * JOBS_PER_WORKER;
  }

  get jobMs(): number {
    return Math.max(JOB_MS, this.coordinator.workforce.slots * JOB_MS_PER_WORKER);
  }

  async publish(table: Table, { present, past }: RoundWeights, games: number): Promise<void> {
    const before = this.published;
    this.tables.set(table, { present: await this.send(present), past: past && (await this.send(past)) });
    this.done = games;
    const now = this.published;
    await this.forget(before.filter((old) => !now.includes(old)));
  }

  async play({ table, from, count }: ActorJob): Promise<ActorResult> {
    const { given, workforce } = this.coordinator;
    const { present, past } = this.tables.get(table)!;
    const batch = { weights: present, ...(past && { past }), from, count };
    const result = await given.giveOut(batch).catch((error: unknown) => error as Error);
    if (result === undefined) return { lost: "the job was taken back" };
    if (result instanceof JobLost) return { lost: result.message };
    if (result instanceof Error) throw result;
    const { worker } = result;
    if ("message" in result) {
      if (workforce.hearTrouble(worker, result.message)) throw new InputError(result.message);
      return { lost: result.message };
    }
    workforce.hearGames();
    const { moves, timeMs } = result;
    this.longestMs = Math.max(this.longestMs, timeMs);
    return { moves: Buffer.from(moves, "base64"), worker, timeMs };
  }

  async close(): Promise<void> {
    await this.coordinator.end({ isOver: true, tidyUp: async () => this.forget(this.published) });
  }

  async begin(): Promise<void> {
    const { name, games: total } = this.plan.config;
    await this.coordinator.begin(() => ({ name: `${name}: self-play`, done: this.done, total }));
  }

  /** Hashes of the weights that are in Redis. */
  private get published(): string[] {
    const hashes = [...this.tables.values()].flatMap(({ present, past }) => [present, past]);
    return hashes.filter((hash) => hash !== undefined);
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
    return name;
  }

  private async forget(weights: readonly string[]): Promise<void> {
    if (weights.length > 0) await this.coordinator.link.redis.unlink(...weights.map(keyOf));
  }
}
