import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Redis } from "ioredis";
import { WorkerPool } from "../arena/play/worker-pool.ts";
import { loadGame } from "../specs/games.ts";
import { toldAsSent, unpack, type Unpacked } from "./parcel.ts";

/** So many runs are kept ready at once. */
const MAX_RUNS = 3;

/** What a worker has ready for a run. */
export interface ReadyRun {
  readonly name: string;
  readonly unpacked: Unpacked;
  readonly pool: WorkerPool;
  /** Jobs that it plays now. */
  atWork: number;
}

/** What a worker has of the runs whose games it plays: their files, in a folder of its own, and the processes that play. */
export class ReadyRuns {
  private readonly redis: Redis;
  private readonly options: { readonly plugins: boolean; readonly workers: number };
  /** Code says where an exception was thrown by the path without links. */
  private readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "agon-worker-")));
  /** By parcel, the one that was used last at the end. */
  private readonly ready = new Map<string, Promise<ReadyRun>>();
  /** What is being played from. */
  private readonly busy = new Set<ReadyRun>();

  constructor(redis: Redis, options: { readonly plugins: boolean; readonly workers: number }) {
    this.redis = redis;
    this.options = options;
  }

  /** The names of the runs whose games are being played. */
  get names(): string[] {
    return Array.from(this.busy, ({ name }) => name);
  }

  /** Does `work` with what is needed for a parcel; that of the run that was not played for the longest time is given up for it. */
  async using<T>(parcel: string, work: (ready: ReadyRun) => Promise<T>): Promise<T> {
    const ready = await this.readyFor(parcel);
    ready.atWork++;
    this.busy.add(ready);
    try {
      await this.giveUpOld();
      return await work(ready);
    } finally {
      if (--ready.atWork === 0) this.busy.delete(ready);
    }
  }

  /** Has all that play return after the games at hand. */
  stop(): void {
    this.each((pool) => pool.stop());
  }

  /** Ends all that play, and forgets the files. */
  close(): void {
    this.each((pool) => pool.close());
    rmSync(this.folder, { recursive: true, force: true });
  }

  private each(what: (pool: WorkerPool) => unknown): void {
    for (const made of this.ready.values())
      made.then(
        ({ pool }) => what(pool),
        () => {},
      );
  }

  private async readyFor(parcel: string): Promise<ReadyRun> {
    const known = this.ready.get(parcel) ?? this.makeReady(parcel);
    this.ready.delete(parcel);
    this.ready.set(parcel, known);
    try {
      return await known;
    } catch (error) {
      if (this.ready.get(parcel) === known) this.ready.delete(parcel);
      throw error;
    }
  }

  private async makeReady(parcel: string): Promise<ReadyRun> {
    const { plugins, workers } = this.options;
    const unpacked = await unpack(this.redis, parcel, { parent: this.folder, plugins });
    const { plan, dir } = unpacked;
    const game = await loadGame(plan.game).catch((error: unknown) => {
      throw toldAsSent(error, unpacked);
    });
    const pool = new WorkerPool(game, { plan, dir }, workers);
    return { name: plan.name, unpacked, pool, atWork: 0 };
  }

  private async giveUpOld(): Promise<void> {
    for (const [parcel, made] of this.ready) {
      if (this.ready.size <= MAX_RUNS) return;
      // One that cannot be made is nobody's here: whoever asked for it is told.
      const ready = await made.catch(() => undefined);
      if (ready === undefined || ready.atWork > 0) continue;
      this.ready.delete(parcel);
      await ready.pool.close();
    }
  }
}
