import { statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { agon, temporaryFolder } from "../support/agon.ts";
import { fillRun } from "../support/made-up-run.ts";
import { dataOf } from "../support/page/inspect-page.ts";
import { peakMemoryMb } from "../support/peak-memory.ts";
import { playedRun, ROOT, writtenReport } from "../support/reports.ts";
import { slowTest } from "../support/thorough.ts";

const MAIN = new URL("../../dist/cli/main.js", import.meta.url).href;

slowTest("the report of the quick tournament is one file below 2 MB", async () => {
  const dir = join(temporaryFolder(), "run");
  const { code } = await agon(["run", "configs/tournaments/quick.yaml", "--quiet", "--out", dir], {
    cwd: ROOT,
  });
  expect(code).toBe(0);
  expect(statSync(join(dir, "report.html")).size).toBeLessThan(2_000_000);
});

slowTest("the report of 1,000 games of chess is under 5 MB", async () => {
  const entrants = ["one", "two"].map((name) => ({ name, agent: "random" }));
  const dir = await playedRun({ name: "chess", game: "chess", blocks: 500, entrants });
  const file = await writtenReport(dir);
  expect(dataOf(file).tournaments[0]!.games).toHaveLength(1000);
  expect(statSync(file).size).toBeLessThan(5_000_000);
});

slowTest("the report of 100,000 games takes little memory, and has a sample of them", async () => {
  const dir = join(temporaryFolder(), "run");
  const entrants = ["a", "b", "c", "d"].map((name) => ({ name, agent: "random" }));
  const games = await fillRun(dir, {
    name: "large",
    game: "connect-four",
    blocks: 8334,
    openings: { randomPlies: 6 },
    entrants,
  });
  expect(games).toBe(100_008);
  expect(await peakMemoryMb(MAIN, ["report", dir])).toBeLessThan(300);
  const [run] = dataOf(join(dir, "report.html")).tournaments;
  expect(run!.report.games).toBe(games);
  expect(run!.games.length).toBeGreaterThanOrEqual(1000);
  expect(run!.games.length).toBeLessThanOrEqual(1100);
  expect(statSync(join(dir, "report.html")).size).toBeLessThan(5_000_000);
});
