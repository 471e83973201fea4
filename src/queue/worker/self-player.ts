import type { Job } from "bullmq";
import { ActorThreads, type SharedWeights } from "../../training/rounds/actor-threads.ts";
import { ContentLost, fetchContent } from "../bundle.ts";
import { isRefusal } from "../redis.ts";
import { parseSelfPlayJob, type SelfPlayJob, type SelfPlayResult } from "../self-play-jobs.ts";
import { unpackTraining } from "../training-bundle.ts";
import type { JobPlayer, JobPlayerSetup } from "./job-player.ts";
import { Ready } from "./ready.ts";

/** The number of trainings that are kept ready. */
const MAX_TRAININGS = 2;
/** The number of versions of weights that are kept: those of two rounds are in use. */
const MAX_VERSIONS = 2;

/** The kit of a training: its actor threads. */
interface TrainingKit {
  readonly name: string;
  readonly threads: ActorThreads;
  close(): void;
}

/** Plays the games of self-play of trainings, in threads. */
export class SelfPlayer implements JobPlayer {
  games = 0;
  private readonly setup: JobPlayerSetup;
  private readonly ready: Ready<TrainingKit>;
  /** The versions fetched so far: those of two rounds that follow each other have different slots. */
  private fetched = 0;
  /** By hashes, in the order in which they were fetched. */
  private readonly versions = new Map<string, Promise<SharedWeights>>();

  constructor(setup: JobPlayerSetup) {
    this.setup = setup;
    this.ready = new Ready(async (bundle) => this.makeReady(bundle), MAX_TRAININGS);
  }

  get names(): string[] {
    return this.ready.names;
  }

  async work({ id, data }: Job<unknown>): Promise<boolean> {
    const job = parseSelfPlayJob(data);
    const sender = { job: String(id), worker: this.setup.id };
    const result = await this.play(job).then(
      (played): SelfPlayResult => ({ ...sender, ...played }),
      (error: Error): SelfPlayResult => {
        if (error instanceof ContentLost || isRefusal(error)) throw error;
        const { name, message } = error;
        this.setup.onRefused(message);
        return { ...sender, name, message };
      },
    );
    await this.setup.results.send(job.run, result);
    return "moves" in result;
  }

  /** Does nothing: jobs of self-play are short. */
  stop(): void {}

  close(): void {
    this.ready.each(({ threads }) => threads.close());
  }

  private async play({
    bundle,
    weights,
    past,
    from,
    count,
  }: SelfPlayJob): Promise<{ moves: string; timeMs: number }> {
    const numbers = await this.fetchWeights(weights, past);
    return this.ready.using(bundle, async ({ threads }) => {
      const { moves, timeMs } = await threads.play(numbers, { from, count });
      this.games += count;
      return { moves: Buffer.from(moves).toString("base64"), timeMs };
    });
  }

  private async makeReady(bundle: string): Promise<TrainingKit> {
    const { link, folder, plugins, workers } = this.setup;
    const { config, name, dir } = await unpackTraining(link.redis, bundle, { parent: folder, plugins });
    const threads = new ActorThreads({ config, baseDir: dir }, workers);
    return { name, threads, close: () => threads.close() };
  }

  private async fetchWeights(present: string, past: string | undefined): Promise<SharedWeights> {
    const version = past === undefined ? present : `${present} ${past}`;
    const known = this.versions.get(version) ?? this.fetchVersion(version);
    this.versions.set(version, known);
    for (const old of this.versions.keys()) {
      if (this.versions.size <= MAX_VERSIONS) break;
      this.versions.delete(old);
    }
    try {
      return await known;
    } catch (error) {
      this.versions.delete(version);
      throw error;
    }
  }

  private async fetchVersion(version: string): Promise<SharedWeights> {
    const [present, past] = await Promise.all(
      version.split(" ").map(async (hash) => this.fetchNumbers(hash)),
    );
    return { slot: this.fetched++ % MAX_VERSIONS, version, present: present!, past };
  }

  private async fetchNumbers(hash: string): Promise<Float32Array> {
    const content = await fetchContent(this.setup.link.redis, hash);
    const shared = new SharedArrayBuffer(content.length);
    new Uint8Array(shared).set(content);
    return new Float32Array(shared);
  }
}
