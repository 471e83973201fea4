import type { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { onTestFinished } from "vitest";
import { Store } from "../../../src/arena/store/store.ts";
import type { GameRecord } from "../../../src/ratings/record.ts";
import { storedGames } from "../stored-games.ts";
import { agonProcess, startAgon, type Outcome } from "../agon.ts";

/** Starts `agon worker`, which ends with the test. */
export function startWorker(
  url: string,
  args: readonly string[] = ["--workers", "1"],
  options: Parameters<typeof startAgon>[1] = {},
): ReturnType<typeof startAgon> {
  const worker = startAgon(["worker", url, ...args], options);
  onTestFinished(() => void worker.child.kill("SIGKILL"));
  return worker;
}

/** The program's output on standard error so far. */
export function heard({ stderr }: ChildProcess): { text: string } {
  const said = { text: "" };
  stderr!.on("data", (text: string) => (said.text += text));
  return said;
}

/** A connection of the test's own. */
export async function openRedis(url: string): Promise<Redis> {
  const redis = new Redis(url, { maxRetriesPerRequest: null });
  redis.on("error", () => {});
  onTestFinished(() => redis.disconnect());
  await redis.ping();
  return redis;
}

/** The status that workers or runs give of themselves. */
export async function announced(
  redis: Redis,
  who: "workers" | "runs",
): Promise<{ readonly id: string; readonly code: string }[]> {
  const entries = await redis.hvals(`agon:${who}`);
  return entries.map((text) => JSON.parse(text) as { id: string; code: string });
}

/** The number of games stored so far. */
export function countStored(dir: string): number {
  if (!existsSync(join(dir, "results.sqlite"))) return 0;
  return storedGames(dir).length;
}

/** Waits until it is so; throws where it is not in a minute. */
export async function until(isSo: () => boolean | Promise<boolean>, what = "so"): Promise<void> {
  for (let tries = 0; !(await isSo()); tries++) {
    if (tries > 1200) throw new Error(`it is not ${what}, after a minute`);
    await sleep(50);
  }
}

/** Plays a config over a queue. */
export async function runOver(url: string, config: string, dir: string): Promise<Outcome> {
  // A process of its own starts no sooner than workers do.
  return agonProcess(["run", config, "--out", dir, "--queue", url, "--json", "--quiet"]);
}

/** The games of a run, without the times that were measured. */
export function gamesOf(dir: string): unknown[] {
  const store = Store.openExisting(dir);
  const games = store.records().map(withoutTimes);
  store.close();
  return games;
}

function withoutTimes(record: GameRecord): object {
  const thoughts = record.thoughts.map((thought) => thought && { ...thought, timeMs: 0 });
  return { ...record, timeMs: 0, thoughts };
}

/** A report as `--json` prints it, without the times that were measured. */
export function withoutReportTimes(json: string): unknown {
  return JSON.parse(json, (key, value: unknown) => (key === "msPerMove" ? undefined : value)) as unknown;
}
