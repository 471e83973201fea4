import type { Job } from "bullmq";
import { InputError } from "../../base/errors.ts";
import { packRecords } from "../../arena/play/worker-messages.ts";
import { MAX_DETAIL } from "../../arena/play/referee.ts";
import { WorkerPool } from "../../arena/play/worker-pool.ts";
import { loadGame } from "../../specs/games.ts";
import { parseGameJob, type GameJob, type GameResult } from "../game-jobs.ts";
import { ContentLost } from "../bundle.ts";
import { isRefusal } from "../redis.ts";
import { toldAsSent, unpackRun, type UnpackedRun } from "../run-bundle.ts";
import type { JobPlayer, JobPlayerSetup } from "./job-player.ts";
import { Ready } from "./ready.ts";

/** The number of runs that are kept ready. */
const MAX_RUNS = 3;

/** The kit of a run: its plan and its worker processes. */
interface RunKit {
  readonly name: string;
  readonly unpacked: UnpackedRun;
  readonly pool: WorkerPool;
  close(): Promise<void>;
}

/** Plays the games of runs in processes. */
export class GamePlayer implements JobPlayer {
  games = 0;
  private readonly setup: JobPlayerSetup;
  private readonly ready: Ready<RunKit>;

  constructor(setup: JobPlayerSetup) {
    this.setup = setup;
    this.ready = new Ready(async (bundle) => this.makeReady(bundle), MAX_RUNS);
  }

  get names(): string[] {
    return this.ready.names;
  }

  async work({ id, data }: Job<unknown>): Promise<boolean> {
    const job = parseGameJob(data);
    const sender = { job: String(id), worker: this.setup.id };
    const result = await this.ready
      .using(job.bundle, async (kit) => ({ ...sender, packed: await this.play(kit, job) }))
      .catch((error: Error): GameResult => {
        if (error instanceof ContentLost || isRefusal(error)) throw error;
        const { name, message } = error;
        this.setup.onRefused(message);
        return { ...sender, name, message };
      });
    await this.setup.results.send(job.run, result);
    return "packed" in result;
  }

  stop(): void {
    this.ready.each(({ pool }) => pool.stop());
  }

  close(): void {
    this.ready.each(async (kit) => kit.close());
  }

  /** Plays the games and packs their records. */
  private async play({ name, unpacked, pool }: RunKit, { games }: GameJob): Promise<string> {
    const { plan, asSent } = unpacked;
    const isOfPlan = games.every(
      ({ seats }) =>
        seats.length === plan.players && seats.every((entrant) => entrant < plan.entrants.length),
    );
    if (!isOfPlan) throw new InputError(`a job from the queue has no games of ${name}`);
    const records = await pool.play(games).catch((error: unknown) => {
      throw toldAsSent(error, unpacked);
    });
    this.games += records.length;
    return packRecords(
      records.map((record) => ({ ...record, detail: asSent(record.detail).slice(0, MAX_DETAIL) })),
    );
  }

  private async makeReady(bundle: string): Promise<RunKit> {
    const { link, folder, plugins, workers } = this.setup;
    const unpacked = await unpackRun(link.redis, bundle, { parent: folder, plugins });
    const { plan, dir } = unpacked;
    const game = await loadGame(plan.game).catch((error: unknown) => {
      throw toldAsSent(error, unpacked);
    });
    const pool = new WorkerPool(game, { plan, dir }, workers);
    return { name: plan.name, unpacked, pool, close: async () => pool.close() };
  }
}
