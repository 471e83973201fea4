import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { planAblation } from "../../../src/arena/suite/ablation.ts";
import { planSuite } from "../../../src/arena/suite/config.ts";
import { formatSuite } from "../../../src/ratings/sections/format-report.ts";
import { isSuiteFolder, loadSuiteReport, playSuite, suiteFolders } from "../../../src/arena/suite/suite.ts";
import { playTournament, type Play } from "../../../src/arena/tournament.ts";
import { agon, temporaryFolder } from "../../support/agon.ts";
import { storedGames } from "../../support/stored-games.ts";
import { slowTest } from "../../support/thorough.ts";

const from = { baseDir: ".", source: "" };
const SUITE = {
  name: "s",
  blocks: 6,
  openings: { randomPlies: 2 },
  games: ["connect-four", { game: "breakthrough", entrants: { "two, plies": { evaluator: "advancement" } } }],
  entrants: ["random", "minimax:depth=1", { name: "two, plies", agent: "minimax", depth: 2 }],
};

const playHere: Play = async (plan, request) => playTournament(plan, { ...request, workers: 0 });

describe("a suite that is played", () => {
  slowTest(
    "has a run for each game with the games that it has alone, and a report that is read again",
    async () => {
      const suite = await planSuite(SUITE, from);
      const dir = join(temporaryFolder(), "suite");
      const report = (await playSuite(suite, { dir, resume: false, play: playHere }))!;
      expect(isSuiteFolder(dir)).toBe(true);
      for (const [at, folder] of suiteFolders(dir).entries()) {
        const alone = join(temporaryFolder(), "alone");
        const { report: own } = await playHere(suite.tournaments[at]!.plan, { outDir: alone });
        expect(storedGames(folder)).toEqual(storedGames(alone));
        for (const { name, games } of report.entrants!)
          expect(games[at]!.elo).toBe(own.entrants.find((one) => one.name === name)!.elo);
      }
      const mean = (elos: readonly number[]) => elos.reduce((sum, elo) => sum + elo, 0) / elos.length;
      for (const { elo, games } of report.entrants!)
        expect(elo).toBeCloseTo(mean(games.map((one) => one.elo)), 9);
      expect(await loadSuiteReport(dir)).toEqual(report);
      expect(JSON.parse(readFileSync(join(dir, "report.json"), "utf8"))).toMatchObject({ suite: "s" });
      for (const name of ["report.txt", "report.md", "report.csv"])
        expect(existsSync(join(dir, name))).toBe(true);
      await expect(playSuite(suite, { dir, resume: false, play: playHere })).rejects.toThrow(
        /holds a suite already; go on with --resume/,
      );
    },
  );

  slowTest("goes on after a stop in any of its games", async () => {
    const suite = await planSuite(SUITE, from);
    const whole = join(temporaryFolder(), "whole");
    const expected = await playSuite(suite, { dir: whole, resume: false, play: playHere });
    for (const stopAt of [0, 1]) {
      const dir = join(temporaryFolder(), "stopped");
      let played = 0;
      const play: Play = async (plan, request) => {
        const controller = new AbortController();
        if (played++ === stopAt) setTimeout(() => controller.abort(), 0);
        return playTournament(plan, { ...request, workers: 0, signal: controller.signal });
      };
      expect(await playSuite(suite, { dir, resume: false, play })).toBeUndefined();
      expect(existsSync(join(dir, "report.json"))).toBe(false);
      const report = (await playSuite(suite, { dir, resume: true, play: playHere }))!;
      expect(report.games).toEqual(expected!.games);
      expect(report.entrants).toEqual(expected!.entrants);
    }
  });

  slowTest("of comparisons has the first entrant less each of the others", async () => {
    const ablation = await planAblation(
      {
        name: "a",
        agent: { agent: "minimax", evaluator: "threats", depth: 3 },
        vary: { depth: [1, 3] },
        games: ["connect-four"],
        blocks: 60,
        round: 10,
        margin: 150,
        openings: { randomPlies: 4 },
      },
      from,
    );
    const dir = join(temporaryFolder(), "ablation");
    const report = (await playSuite(ablation, { dir, resume: false, play: playHere }))!;
    expect(report.entrants).toBeUndefined();
    expect(report.compared!.name).toBe("base");
    const [shallow, same] = report.compared!.others;
    expect([shallow!.name, same!.name]).toEqual(["depth=1", "depth=3"]);
    expect(shallow!.games[0]!.verdict).toBe("stronger");
    expect(shallow!.games[0]!.low).toBeGreaterThan(0);
    // Random ties aside, an agent that is the same as the first one is level with it.
    expect(same!.games[0]!.verdict).not.toBe("stronger");
    expect(formatSuite(report, "table")).toMatch(
      /^base less each of the others, in Elo\n\n#  Other +connect-four\n/,
    );
    expect(formatSuite(report, "csv").split("\n")[0]).toBe(
      "name,connect-four,connect-four low,connect-four high",
    );
    expect(formatSuite(report, "markdown")).toMatch(
      /^## base less each of the others, in Elo\n\n\| # \| Other \|/,
    );
  });
});

slowTest("agon rate and report read the folder of a suite; verify names the runs in it", async () => {
  const dir = join(temporaryFolder(), "suite");
  await playSuite(await planSuite(SUITE, from), { dir, resume: false, play: playHere });
  const { code, stdout } = await agon(["rate", dir]);
  expect(code).toBe(0);
  expect(`${stdout.trimEnd()}\n`).toContain("Ratings over 2 games\n\n#  Entrant");
  expect(JSON.parse((await agon(["rate", dir, "--json"])).stdout)).toMatchObject({
    suite: "s",
    games: [{ label: "connect-four" }, { label: "breakthrough" }],
  });
  expect((await agon(["rate", dir, "--format", "csv"])).stdout).toContain('"two, plies",');
  expect(await agon(["rate", dir, "--luck", "order"])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/--luck is for runs of one game/) as string,
  });
  expect((await agon(["report", dir])).code).toBe(0);
  expect(readFileSync(join(dir, "report.html"), "utf8")).toContain("s-breakthrough");
  expect((await agon(["verify", dir])).stderr).toMatch(/2 of its folders have one/);
});
