import { hostname } from "node:os";
// oxlint-disable-next-line no-restricted-imports -- a worker tells people which process it is
import { pid } from "node:process";
import type { Redis } from "ioredis";
import { z } from "zod";
import { escapeControls } from "../base/errors.ts";
import { thisBuild, type Build } from "./build.ts";
import { idShape, jobQueue } from "./jobs.ts";
import { Link } from "./link.ts";
import { PREFIX, type QueueAddress } from "./redis.ts";

/*
 * The roster: workers and runs announce themselves in Redis every BEAT_MS, by the clock of Redis. It decides only how many
 * jobs a run gives out at once, and what people see.
 */

const WORKERS = `${PREFIX}:workers`;
const RUNS = `${PREFIX}:runs`;
/** The interval of announcements, in ms. */
export const BEAT_MS = 2000;
/** A worker or a run that has been silent for this time is gone. */
const GONE_MS = 12_000;
/** A run that has been silent for this time is forgotten, with its waiting results. */
const FORGET_RUN_MS = 7 * 24 * 3600 * 1000;

/** The most entries that are read, and their most characters: anybody who reaches Redis can forge some. */
const MOST_ENTRIES = 2000;
const MOST_CHARACTERS = 10_000;

/** Reads entries of a hash, and removes those that are too long. */
const READ_ENTRIES = `
local found, cursor = {}, "0"
repeat
  local page = redis.call("HSCAN", KEYS[1], cursor, "COUNT", 1000)
  cursor = page[1]
  for at = 1, #page[2], 2 do
    local id, entry = page[2][at], page[2][at + 1]
    if #id + #entry > tonumber(ARGV[2]) then
      redis.call("HDEL", KEYS[1], id)
    elseif #found < 2 * tonumber(ARGV[1]) then
      found[#found + 1] = id
      found[#found + 1] = entry
    end
  end
until cursor == "0" or #found >= 2 * tonumber(ARGV[1])
return found`;

/** A text from Redis, made safe for terminals. */
const text = z.string().max(1000).transform(escapeControls);
const buildShape = { version: text, node: text, code: text };
const workerShape = z.object({
  ...buildShape,
  id: text,
  host: text,
  pid: z.int(),
  /** The number of games that it plays at once. */
  workers: z.int().min(1).max(4096),
  plugins: z.boolean(),
  /** Names of the runs whose games it plays now. */
  runs: z.array(text).max(100),
  /** Games that it has played. */
  games: z.int(),
  /** The pace of the last seconds. */
  gamesPerSecond: z.number(),
});
const runShape = z.object({
  ...buildShape,
  id: idShape,
  host: text,
  pid: z.int(),
  name: text,
  plugins: z.boolean(),
  /** True if its coordinator was stopped; another one may go on. */
  stopped: z.boolean(),
  /** The number of stored games, and of all. */
  done: z.int(),
  total: z.int(),
});

/** A program that plays games from the queue. */
export type WorkerEntry = z.output<typeof workerShape>;
/** A run whose games are given out. */
export type RunEntry = z.output<typeof runShape>;
/** An entry, with the seconds since its last announcement. */
export type Heard<Entry> = Entry & { readonly silentSeconds: number };

/** Host and number of this process, for people. */
export function whereabouts(): { host: string; pid: number } {
  return { host: hostname(), pid };
}

/** True if a worker can play the games of a run: same build, and code only if it takes code. */
export function fits(worker: Build & { plugins: boolean }, run: Build & { plugins: boolean }): boolean {
  return worker.code === run.code && (worker.plugins || !run.plugins);
}

/** The announcements of workers and runs in Redis. */
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

  /** The process that last announced the run, as host:pid; undefined if there is none, or it has stopped. */
  async coordinatorOf(id: string): Promise<string | undefined> {
    const isShort = (await this.redis.hstrlen(RUNS, id)) <= MOST_CHARACTERS;
    const entry = isShort ? await this.redis.hget(RUNS, id) : null;
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

  /** The workers that are not gone. */
  async workers(): Promise<Heard<WorkerEntry>[]> {
    const all = await this.heard(WORKERS, workerShape);
    const gone = all.filter(({ silentSeconds }) => silentSeconds * 1000 > GONE_MS);
    if (gone.length > 0) await this.redis.hdel(WORKERS, ...gone.map(({ id }) => id));
    return all.filter((worker) => !gone.includes(worker));
  }

  /** The runs that are being given out or were interrupted. */
  async runs(): Promise<(Heard<RunEntry> & { readonly interrupted: boolean })[]> {
    const all = await this.heard(RUNS, runShape);
    return all.map((run) => ({ ...run, interrupted: run.stopped || run.silentSeconds * 1000 > GONE_MS }));
  }

  /** The ids of the runs to forget. */
  async oldRuns(): Promise<string[]> {
    const runs = await this.runs();
    return runs.filter((run) => run.silentSeconds * 1000 > FORGET_RUN_MS).map(({ id }) => id);
  }

  private async announce(key: string, entry: { readonly id: string }): Promise<void> {
    await this.redis.hset(key, entry.id, JSON.stringify({ ...entry, at: await this.now() }));
  }

  private async heard<Entry extends z.ZodType>(key: string, shape: Entry): Promise<Heard<z.output<Entry>>[]> {
    const [now, found] = await Promise.all([
      this.now(),
      this.redis.eval(READ_ENTRIES, 1, key, MOST_ENTRIES, MOST_CHARACTERS) as Promise<string[]>,
    ]);
    const known: Heard<z.output<Entry>>[] = [];
    const wrong: string[] = [];
    for (let place = 0; place < found.length; place += 2) {
      const { data, at } = read(found[place + 1]!, shape);
      // An entry from the future would never be gone.
      if (data === undefined || at - now > GONE_MS) wrong.push(found[place]!);
      else
        known.push({ ...(data as object), silentSeconds: Math.max(0, now - at) / 1000 } as Heard<
          z.output<Entry>
        >);
    }
    if (wrong.length > 0) await this.redis.hdel(key, ...wrong);
    return known;
  }

  /** The clock of Redis, in ms: the clocks of machines differ. */
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

/** The workers, the runs and the waiting jobs of a queue. */
export interface QueueLook {
  readonly workers: readonly Heard<WorkerEntry>[];
  readonly runs: readonly (Heard<RunEntry> & { readonly interrupted: boolean })[];
  /** Waiting jobs for workers of this build. */
  readonly jobs: { readonly waiting: number; readonly active: number };
}

/** Looks at a queue; throws InputError if Redis does not answer. */
export async function lookAtQueue(address: QueueAddress, onNote: (text: string) => void): Promise<QueueLook> {
  const link = await Link.open(address, onNote);
  try {
    const roster = new Roster(link.redis);
    return await link.first(async () => {
      const counts = await Promise.all(
        [false, true].map(async (plugins) => {
          // A look leaves no keys in Redis.
          const queue = link.queue(jobQueue(thisBuild().code, { plugins }), { skipMetasUpdate: true });
          return queue.getJobCounts("waiting", "active");
        }),
      );
      const sum = (kind: string) => counts.reduce((total, count) => total + (count[kind] ?? 0), 0);
      return {
        workers: await roster.workers(),
        runs: await roster.runs(),
        jobs: { waiting: sum("waiting"), active: sum("active") },
      };
    });
  } finally {
    link.close();
  }
}
