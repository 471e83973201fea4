import { describe, expect, test } from "vitest";
import { games } from "../../../src/games/index.ts";
import { overflowOf, violationsIn } from "../../support/page/inspect-page.ts";
import { hasBrowserForAll, openPage } from "../../support/page/browser.ts";
import { GAMES } from "../../support/page/games.ts";
import { playedRun, trainedRun, writtenReport } from "../../support/reports.ts";

const SCHEMES = [
  { dark: false, width: 1280 },
  { dark: true, width: 320 },
];
/** The views that draw positions, and those that are alike for all games. */
const BOARDS = ["replay", "play"];
const LISTS = ["standings", "origins", "games"];

/** The faults of a view of a report. */
async function faultsOf(file: string, folder: string, view: string): Promise<string[]> {
  const faults: string[] = [];
  for (const scheme of SCHEMES) {
    const place = `#/${encodeURIComponent(folder)}/${view === "replay" ? "games" : view}`;
    const { page, wrong } = await openPage(file, { place, ...scheme });
    if (view === "replay") {
      await page.locator(".games a").first().click();
      await page.getByRole("slider").waitFor();
    }
    faults.push(...(await violationsIn(page)), ...wrong);
    const overflow = await overflowOf(page);
    if (overflow !== 0) faults.push(`${overflow} pixels too wide`);
    await page.close();
  }
  return faults.map((fault) => `${view}: ${fault}`);
}

const TRAINING = {
  name: "short",
  game: "connect-four",
  games: 300,
  evaluator: { features: "lines" },
  learner: { lambda: 0.5, stepSize: 0.01 },
  exploration: { epsilon: 0.1 },
  checkpoints: 3,
  rating: { pool: ["random"], player: "greedy", blocks: 3 },
};

describe.runIf(hasBrowserForAll)("a report, light and wide as well as dark and narrow", () => {
  test.each(Object.keys(games))("of %s shuts nobody out and loads nothing", async (id) => {
    const entrants = ["random", { name: "other", agent: "random" }];
    const config = GAMES[id] ?? { game: id, entrants };
    const dir = await playedRun({ ...config, name: id, blocks: 2, openings: { randomPlies: 1 } });
    const file = await writtenReport(dir);
    const views = id === "tic-tac-toe" || id === "hearts" ? [...LISTS, ...BOARDS] : BOARDS;
    for (const view of views) expect(await faultsOf(file, "run", view)).toEqual([]);
  });

  test("of trainings, with heat maps and curves, shuts nobody out", async () => {
    const dirs = [await trainedRun(TRAINING, "one"), await trainedRun({ ...TRAINING, seed: "other" }, "two")];
    const file = await writtenReport(...dirs);
    for (const folder of ["training of one", "one"])
      expect(await faultsOf(file, folder, folder === "one" ? "standings" : "curve")).toEqual([]);
  });
});
