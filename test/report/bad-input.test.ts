import process from "node:process";
import { cpSync, mkdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { agon, startAgon, temporaryFolder, writeInto } from "../support/agon.ts";
import { dataOf } from "../support/page/inspect-page.ts";
import { playedRun, trainedRun } from "../support/reports.ts";
import { slowTest } from "../support/thorough.ts";

const small = { name: "small", game: "tic-tac-toe", blocks: 1, entrants: ["random", "alpha-beta:depth=2"] };

/** The one line that a report of the folder is refused with. */
async function refusalOf(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await agon(["report", ...args]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/^[^\n]+\n$/);
  return stderr.trimEnd();
}

/** The notices of the trainings and the tournaments in the folder, of which a report can be written. */
async function noticesOf(
  dir: string,
): Promise<{ training: readonly string[]; rating: readonly string[] | undefined }> {
  const { code, stderr } = await agon(["report", dir]);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const { trainings, tournaments } = dataOf(join(dir, "report.html"));
  return { training: trainings.flatMap(({ notices }) => notices), rating: tournaments[0]?.notices };
}

describe("one clear line", () => {
  slowTest("for a folder that is none, or has no run", async () => {
    const dir = temporaryFolder();
    expect(await refusalOf(join(dir, "gone"))).toMatch(/gone: no run here: it has no results\.sqlite$/);
    expect(await refusalOf(dir)).toMatch(/: no run here: it has no results\.sqlite$/);
  });

  slowTest("for a damaged store, also beside a run that is whole", async () => {
    const whole = await playedRun(small);
    const dir = await playedRun(small);
    const store = join(dir, "results.sqlite");
    truncateSync(store, 5000);
    expect(await refusalOf(whole, dir)).toMatch(
      /results\.sqlite: is damaged: .*\. Nothing was changed in it$/,
    );
    writeFileSync(store, "no database");
    expect(await refusalOf(dir)).toMatch(/results\.sqlite: is not a store of agon: it is no database$/);
  });

  slowTest("for a report that cannot be written, or a number of games that is none", async () => {
    const dir = await playedRun(small);
    mkdirSync(join(dir, "report.html"));
    expect(await refusalOf(dir)).toMatch(/report\.html: /);
    expect(await refusalOf(dir, "--games", "0")).toBe("--games must be a whole number of at least 1, got 0");
  });
});

slowTest("a run that was killed half-way has a report that says so", async () => {
  const parent = temporaryFolder();
  const dir = join(parent, "run");
  const config = { ...small, blocks: 100_000, entrants: ["random", "mcts:simulations=20"] };
  const { child, outcome } = startAgon(
    ["run", writeInto(parent, "t.json", config), "--out", dir, "--workers", "1"],
    {
      detached: true,
    },
  );
  let isKilled = false;
  child.stderr!.on("data", (text: string) => {
    // Once games are stored, it and its worker are killed.
    if (isKilled || !/^[1-9]\d* of 200000/m.test(text)) return;
    isKilled = true;
    process.kill(-child.pid!, "SIGKILL");
  });
  expect((await outcome).code).toBe(null);
  const { rating } = await noticesOf(dir);
  expect(rating).toEqual([
    expect.stringMatching(/^The run is not finished: \d+ of 200000 games are played\.$/),
  ]);
});

slowTest("a training shows what can be read of it", async () => {
  const trained = await trainedRun({
    name: "short",
    game: "tic-tac-toe",
    games: 60,
    evaluator: { features: "lines" },
    learner: { lambda: 0.5, stepSize: 0.01 },
    exploration: { epsilon: 0.1 },
    checkpoints: 2,
    rating: { pool: ["random"], player: "greedy", blocks: 2 },
  });
  /** A copy of the training, changed. */
  const changed = (change: (dir: string) => void) => {
    const dir = join(temporaryFolder(), "training");
    cpSync(trained, dir, { recursive: true });
    change(dir);
    return dir;
  };
  expect(await noticesOf(trained)).toEqual({ training: [], rating: [] });

  const unrated = changed((dir) => {
    rmSync(join(dir, "results.sqlite"));
    rmSync(join(dir, "weights.json"));
    rmSync(join(dir, "checkpoints"), { recursive: true });
    mkdirSync(join(dir, "checkpoints"));
  });
  expect(await noticesOf(unrated)).toEqual({
    training: ["No checkpoint is rated yet.", "The training is not finished."],
    rating: undefined,
  });

  const damaged = changed((dir) => {
    writeFileSync(join(dir, "checkpoints/30.json"), "{");
    writeFileSync(join(dir, "weights.json"), "{}");
  });
  expect((await noticesOf(damaged)).training).toEqual([
    expect.stringMatching(/^A checkpoint cannot be read: 30\.json: is not JSON/),
    expect.stringMatching(/^The weights cannot be shown: .*weights\.json: format: missing/),
  ]);

  const damagedStore = changed((dir) => writeFileSync(join(dir, "results.sqlite"), "no database"));
  expect(await noticesOf(damagedStore)).toEqual({
    training: [
      expect.stringMatching(/^The ratings of the checkpoints cannot be shown: .*it is no database$/),
    ],
    rating: undefined,
  });

  const noConfig = changed((dir) => writeFileSync(join(dir, "config.json"), "{"));
  expect(await refusalOf(noConfig)).toMatch(/config\.json: /);
});
