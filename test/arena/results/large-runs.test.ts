import { beforeAll, expect } from "vitest";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Store } from "../../../src/arena/store/store.ts";
import { writeInto } from "../../support/agon.ts";
import { peakMemoryMb } from "../../support/peak-memory.ts";
import { fillRun } from "../../support/made-up-run.ts";
import { slowTest } from "../../support/thorough.ts";

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

const peakMb = (args: readonly string[]) => peakMemoryMb(MAIN, args);

// All 150,000 games in memory take more than 300 MB.
slowTest.each([["rate"], ["rate", "--json"], ["export"], ["verify", "--sample", "1"]])(
  "agon %s reads a large run in little memory",
  async (command, ...options) => {
    expect(await peakMb([command, dir, ...options])).toBeLessThan(250);
  },
);

slowTest("a large run is gone on with and ended in little memory", async () => {
  const config = writeInto(dir, "more.json", { ...CONFIG, blocks: CONFIG.blocks + 1 });
  expect(await peakMb(["run", config, "--out", dir, "--resume", "--workers", "1"])).toBeLessThan(300);
  const store = Store.openExisting(dir);
  expect(store.size).toBe(6 * 2 * (CONFIG.blocks + 1));
  store.close();
});
