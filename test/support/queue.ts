import { onTestFinished } from "vitest";
import { Store } from "../../src/arena/store/store.ts";
import type { GameRecord } from "../../src/ratings/record.ts";
import { agon, startAgon, type Outcome } from "./agon.ts";

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

/** Plays a config over a queue. */
export async function runOver(url: string, config: string, dir: string): Promise<Outcome> {
  return agon(["run", config, "--out", dir, "--queue", url, "--json", "--quiet"]);
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
