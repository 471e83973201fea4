import { describe, expect } from "vitest";
import { violationsIn } from "../../support/page/inspect-page.ts";
import { hasBrowser, openPage } from "../../support/page/browser.ts";
import { tableOf } from "../../support/page/read-page.ts";
import { playedRun, writtenReport } from "../../support/reports.ts";
import { slowTest } from "../../support/thorough.ts";

describe.runIf(hasBrowser)("beyond Elo", () => {
  slowTest("the page says how much ratings leave, and the lottery", async () => {
    const entrants = ["random", "minimax:depth=1", "alpha-beta:depth=9"];
    const dir = await playedRun({
      name: "three",
      game: "tic-tac-toe",
      blocks: 10,
      openings: { randomPlies: 1 },
      entrants,
    });
    const { page, wrong } = await openPage(await writtenReport(dir));
    await page.getByRole("link", { name: "Where it comes from" }).click();
    await page.getByRole("heading", { name: "Beyond Elo" }).waitFor();
    await page
      .getByText(/% of the variance of the scores is left \(95% interval .* p [=<] 0\.\d+\)/)
      .waitFor();
    const [best, ...others] = await tableOf(page, "Maximal lottery");
    expect(best!.slice(0, 2)).toEqual(["alpha-beta:depth=9", "100.0"]);
    expect(others.length).toBeLessThan(3);
    expect(await violationsIn(page)).toEqual([]);
    expect(wrong).toEqual([]);
  });
});
