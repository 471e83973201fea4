import { describe, expect } from "vitest";
import { Store } from "../../../src/arena/store/store.ts";
import type { RunReport } from "../../../src/ratings/format-results.ts";
import { agon } from "../../support/agon.ts";
import { hasBrowser, openPage } from "../../support/page/browser.ts";
import { overflowOf, violationsIn } from "../../support/page/inspect-page.ts";
import { tableOf } from "../../support/page/read-page.ts";
import { playedRun, writtenReport } from "../../support/reports.ts";
import { slowTest } from "../../support/thorough.ts";

/** The ms of `1:02.30`. */
function msOf(text: string): number {
  const [minutes, seconds] = text.split(":").map(Number);
  return 1000 * (60 * minutes! + seconds!);
}

describe.runIf(hasBrowser)("clocks", () => {
  slowTest("are shown for each entrant, and beside each position of a game", async () => {
    const dir = await playedRun({
      name: "timed",
      game: "tic-tac-toe",
      blocks: 1,
      time: "9+0.05",
      openings: { randomPlies: 1 },
      entrants: ["mcts:simulations=500", "alpha-beta:depth=2"],
    });
    const { stdout } = await agon(["rate", dir, "--format", "json"]);
    const { clocks, entrants } = JSON.parse(stdout) as RunReport;
    expect(clocks!.map(({ name }) => name)).toEqual(entrants.map(({ name }) => name));
    const { page, wrong } = await openPage(await writtenReport(dir));
    const rows = await tableOf(page, /^Clocks/);
    for (const [at, { name, share, lowestMs, flags }] of clocks!.entries()) {
      const [, entrant, used, lowest, fallen] = rows[at]!;
      expect([entrant, fallen]).toEqual([name, String(flags)]);
      // JSON has the share to 4 decimals: 0.00046 is 0.0% here, and its 0.0005 would be 0.1%.
      expect(Math.abs(Number(used) - 100 * share)).toBeLessThanOrEqual(0.1);
      expect(Math.abs(msOf(lowest!) - lowestMs!)).toBeLessThanOrEqual(10);
    }

    const store = Store.openExisting(dir);
    const [game] = store.records();
    store.close();
    const left = [9000, 9000];
    await page.evaluate(`location.hash = "#/run/games?game=${game!.id}"`);
    await page.getByText(game!.id).waitFor();
    await page.keyboard.press("Home");
    for (let at = 0; ; at++) {
      await expect.poll(() => page.getByRole("slider").inputValue()).toBe(String(at));
      const shown = (await page.locator(".clocks time").allTextContents()).map(msOf);
      for (const [seat, ms] of left.entries()) expect(Math.abs(shown[seat]! - ms)).toBeLessThanOrEqual(11);
      if (at === game!.actions.length) break;
      // Tic-tac-toe is played in turns; the opening takes no time.
      if (at > 0) left[at % 2]! += 50 - game!.thoughts[at - 1]!.timeMs;
      await page.keyboard.press("ArrowRight");
    }
    expect(left[0]).not.toBe(left[1]);
    expect(await violationsIn(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await overflowOf(page)).toBe(0);
    expect(wrong).toEqual([]);
  });
});
