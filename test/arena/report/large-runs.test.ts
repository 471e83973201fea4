import { spawn } from "node:child_process";
import process from "node:process";
import { beforeAll, expect, test } from "vitest";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Store } from "../../../src/arena/store/store.ts";
import { writeInto } from "../../support/agon.ts";
import { fillRun } from "../../support/made-up-run.ts";

const MAIN = new URL("../../../dist/cli/main.js", import.meta.url).href;
const CONFIG = {
  name: "large",
  game: "connect-four",
  blocks: 12_500,
  openings: { randomPlies: 6 },
  entrants: ["a", "b", "c", "d"].map((name) => ({ name, agent: "random" })),
};

let dir: string;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "agon-large-"));
  await fillRun(dir, CONFIG);
  return () => rmSync(dir, { recursive: true });
});

/** The peak memory of a command in MB, read by the process itself when it ends. */
async function peakMb(args: readonly string[]): Promise<number> {
  const script =
    "process.on('exit', () => process.stderr.write(`peak ${process.resourceUsage().maxRSS / 1024} MB`)); " +
    `process.argv.splice(1, 0, "agon"); await import(${JSON.stringify(MAIN)});`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script, ...args]);
  child.stdout.resume();
  let told = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (told += text));
  await new Promise((resolve) => child.on("close", resolve));
  return Number(/peak ([\d.]+) MB/.exec(told)?.[1] ?? Infinity);
}

// All 150,000 games in memory take more than 300 MB.
test.each([["rate"], ["rate", "--json"], ["export"], ["verify", "--sample", "1"]])(
  "agon %s reads a large run in little memory",
  async (command, ...options) => {
    expect(await peakMb([command, dir, ...options])).toBeLessThan(200);
  },
);

test("a large run is gone on with and ended in little memory", async () => {
  const config = writeInto(dir, "more.json", { ...CONFIG, blocks: CONFIG.blocks + 1 });
  expect(await peakMb(["run", config, "--out", dir, "--resume", "--workers", "1"])).toBeLessThan(300);
  const store = Store.openExisting(dir);
  expect(store.size).toBe(6 * 2 * (CONFIG.blocks + 1));
  store.close();
});
