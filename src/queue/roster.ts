import { hostname } from "node:os";
import { pid } from "node:process";
import type { Redis } from "ioredis";
import { z } from "zod";
import { escapeControls } from "../base/errors.ts";
import type { Build } from "./build.ts";
import { idShape } from "./jobs.ts";
import { PREFIX } from "./redis.ts";

/*
 * Who is there: workers and runs tell it to Redis all the time, by its clock. Nothing depends on it but how many jobs a run
 * gives out at once, and what people see.
 */

const WORKERS = `${PREFIX}:workers`;
const RUNS = `${PREFIX}:runs`;
/** How often a worker or a run says that it is there. */
export const BEAT_MS = 2000;
/** Who has said nothing for so long is gone. */
const GONE_MS = 12_000;
/** A run that nobody has gone on with for so long is forgotten, with the results that wait for it. */
const FORGET_RUN_MS = 7 * 24 * 3600 * 1000;

/** What comes from Redis is shown in terminals. */
const text = z.string().max(1000).transform(escapeControls);
const buildShape = { version: text, code: text };
const workerShape = z.object({
  ...buildShape,
  id: text,
  host: text,
  pid: z.int(),
  /** How many games it plays at once. */
  workers: z.int().min(1).max(4096),
  plugins: z.boolean(),
  /** Names of the runs whose games it plays now. */
  runs: z.array(text).max(100),
  /** Games that it has played. */
  games: z.int(),
  /** In the last seconds. */
  gamesPerSecond: z.number(),
});
const runShape = z.object({
  ...buildShape,
  id: idShape,
  host: text,
  pid: z.int(),
  name: text,
  plugins: z.boolean(),
  /** Whether its coordinator was stopped; another one may go on. */
  stopped: z.boolean(),
  /** Games that are stored, and that there are. */
  done: z.int(),
  total: z.int(),
});

/** A program that plays games from the queue. */
export type WorkerEntry = z.output<typeof workerShape>;
/** A run whose games are given out. */
export type RunEntry = z.output<typeof runShape>;
/** Seconds since it was last heard of. */
export type Heard<Entry> = Entry & { readonly silentSeconds: number };

/** Whose process this is, for people. */
export function whereabouts(): { host: string; pid: number } {
  return { host: hostname(), pid };
}

/** Whether a worker plays the games of a run. */
export function fits(worker: Build & { plugins: boolean }, run: Build & { plugins: boolean }): boolean {
  return worker.code === run.code && (worker.plugins || !run.plugins);
}

/** What workers and runs say of themselves, in Redis. */
export class Roster {
  private readonly redis: Redis;

  constructor(redis: Redis) {
    this.redis = redis;
  }

  async announceWorker(entry: WorkerEntry): Promise<void> {
    await this.announce(WORKERS, entry);
  }

  async announceRun(entry: RunEntry): Promise<void> {
    await this.announce(RUNS, entry);
  }

  /** The process that said last that it gives out the run; undefined where none did. */
  async coordinatorOf(id: string): Promise<string | undefined> {
    const entry = await this.redis.hget(RUNS, id);
    const { data } = read(entry ?? "", runShape);
    return data && !data.stopped ? `${data.host}:${data.pid}` : undefined;
  }

  async removeWorker(id: string): Promise<void> {
    await this.redis.hdel(WORKERS, id);
  }

  async removeRun(id: string): Promise<void> {
    await this.redis.hdel(RUNS, id);
  }

  async knowsRun(id: string): Promise<boolean> {
    return (await this.redis.hexists(RUNS, id)) === 1;
  }

  /** The workers that are there. */
  async workers(): Promise<Heard<WorkerEntry>[]> {
    const all = await this.heard(WORKERS, workerShape);
    const gone = all.filter(({ silentSeconds }) => silentSeconds * 1000 > GONE_MS);
    if (gone.length > 0) await this.redis.hdel(WORKERS, ...gone.map(({ id }) => id));
    return all.filter((worker) => !gone.includes(worker));
  }

  /** The runs that are given out, and those that were interrupted. */
  async runs(): Promise<(Heard<RunEntry> & { readonly interrupted: boolean })[]> {
    const all = await this.heard(RUNS, runShape);
    return all.map((run) => ({ ...run, interrupted: run.stopped || run.silentSeconds * 1000 > GONE_MS }));
  }

  /** Runs to forget. */
  async oldRuns(): Promise<string[]> {
    const runs = await this.runs();
    return runs.filter((run) => run.silentSeconds * 1000 > FORGET_RUN_MS).map(({ id }) => id);
  }

  private async announce(key: string, entry: { readonly id: string }): Promise<void> {
    await this.redis.hset(key, entry.id, JSON.stringify({ ...entry, at: await this.now() }));
  }

  private async heard<Entry extends z.ZodType>(key: string, shape: Entry): Promise<Heard<z.output<Entry>>[]> {
    const [now, entries] = await Promise.all([this.now(), this.redis.hgetall(key)]);
    const known: Heard<z.output<Entry>>[] = [];
    for (const [id, text] of Object.entries(entries)) {
      const { data, at } = read(text, shape);
      // What comes from the future would never be gone.
      if (data === undefined || at - now > GONE_MS) await this.redis.hdel(key, id);
      else
        known.push({ ...(data as object), silentSeconds: Math.max(0, now - at) / 1000 } as Heard<
          z.output<Entry>
        >);
    }
    return known;
  }

  /** Redis's clock, in ms: machines have different ones. */
  private async now(): Promise<number> {
    const [seconds, micros] = await this.redis.time();
    return Number(seconds) * 1000 + Number(micros) / 1000;
  }
}

function read<Entry extends z.ZodType>(
  text: string,
  shape: Entry,
): { data: z.output<Entry> | undefined; at: number } {
  try {
    const json = JSON.parse(text) as { at?: unknown };
    const { data, success } = shape.safeParse(json);
    const at = Number(json.at);
    return { data: success && Number.isFinite(at) ? data : undefined, at };
  } catch {
    return { data: undefined, at: 0 };
  }
}
