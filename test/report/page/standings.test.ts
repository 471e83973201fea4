import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Report } from "../../../src/ratings/report.ts";
import { Store } from "../../../src/arena/store/store.ts";
import { agon, temporaryFolder, writeInto } from "../../support/agon.ts";
import { dataOf, violationsIn } from "../../support/page/inspect-page.ts";
import { hasBrowser, openPage } from "../../support/page/browser.ts";
import { marksOf, tableOf, titlesOf } from "../../support/page/read-page.ts";
import { playedRun, writtenReport } from "../../support/reports.ts";
import { slowTest } from "../../support/thorough.ts";

const TABLE = "Table of ratings";

describe.runIf(hasBrowser)("the standings", () => {
  slowTest("are sorted by any column, by touch and by key, and say so", async () => {
    const entrants = ["random", "alpha-beta:depth=1", "mcts:simulations=20", "mcts:simulations=40"];
    const dir = await playedRun({ name: "four", game: "tic-tac-toe", blocks: 3, entrants });
    const { page, wrong } = await openPage(await writtenReport(dir));
    const ranked = await tableOf(page, TABLE);
    const table = page.getByRole("region", { name: TABLE, exact: true });
    const sorted = table.locator("th[aria-sort]");
    expect([await sorted.textContent(), await sorted.getAttribute("aria-sort")]).toEqual(["#", "ascending"]);
    const titles = await titlesOf(page, TABLE);
    for (const [at, title] of titles.entries()) {
      if (title === "95%" || title === "#") continue;
      const value = (row: readonly string[]) =>
        title === "Entrant" ? row[at]! : parseFloat(row[at]!.replaceAll(",", ""));
      for (const turn of [1, 2]) {
        const button = table.getByRole("button", { name: title, exact: true });
        if (turn === 1) await button.click();
        else await button.press("Enter");
        const isDescending = (title === "Entrant") === (turn === 2);
        expect(await sorted.getAttribute("aria-sort")).toBe(isDescending ? "descending" : "ascending");
        expect(await sorted.textContent()).toBe(title);
        const rows = await tableOf(page, TABLE);
        expect(new Set(rows)).toEqual(new Set(ranked));
        const values = rows.map(value);
        const ascending = values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
        expect(values).toEqual(isDescending ? ascending.toReversed() : ascending);
      }
    }
    expect(await violationsIn(page)).toEqual([]);
    expect(wrong).toEqual([]);
  });

  slowTest("draw an interval with an unknown end to the edge, with the head of an arrow", async () => {
    const entrants = ["random", "alpha-beta:depth=5,evaluator=threats"];
    const dir = await playedRun({ name: "one-sided", game: "connect-four", blocks: 2, entrants });
    const { page, wrong } = await openPage(await writtenReport(dir));
    const intervals = (await tableOf(page, TABLE)).map((row) => row[3]!);
    expect(intervals).toEqual([
      expect.stringMatching(/^[-+]\d+ or more$/),
      expect.stringMatching(/^[-+]\d+ or less$/),
    ]);
    const picture = "Ratings with their intervals";
    const [toTheRight, toTheLeft] = [
      await marksOf(page, picture, ".open-high path"),
      await marksOf(page, picture, ".open-low path"),
    ];
    const dots = await marksOf(page, picture, "circle");
    const ticks = await marksOf(page, picture, "g[stroke='var(--accent)'] line");
    expect([toTheRight.length, toTheLeft.length]).toEqual([1, 1]);
    const ends = ({ x, width }: (typeof dots)[number]) => [x - width / 2, x + width / 2];
    const [[from, right], [left, to]] = [ends(toTheRight[0]!), ends(toTheLeft[0]!)];
    expect(toTheRight[0]!.y).toBeCloseTo(dots[0]!.y, 0);
    expect(toTheLeft[0]!.y).toBeCloseTo(dots[1]!.y, 0);
    expect(from).toBeCloseTo(dots[0]!.x, 0);
    expect(to).toBeCloseTo(dots[1]!.x, 0);
    for (const { x } of [...dots, ...ticks]) {
      expect(x).toBeLessThan(right!);
      expect(x).toBeGreaterThan(left!);
    }
    expect(wrong).toEqual([]);
  });

  slowTest(
    "have returns without luck as report.json has them, until games follow that it does not know",
    async () => {
      const parent = temporaryFolder();
      const dir = join(parent, "run");
      const config = {
        name: "luck",
        game: { id: "pig", target: 20 },
        blocks: 12,
        luck: "race",
        rankBy: "adjusted-return",
        entrants: ["random", "greedy:evaluator=race"],
      };
      const file = writeInto(parent, "luck.json", config);
      expect(await agon(["run", file, "--out", dir, "--workers", "1", "-q"])).toMatchObject({ code: 0 });
      const path = join(dir, "report.json");
      const report = JSON.parse(readFileSync(path, "utf8")) as Report;
      const { page, wrong } = await openPage(join(dir, "report.html"));
      await page.getByRole("heading", { name: "Mean return without luck" }).waitFor();
      const titles = await titlesOf(page, TABLE);
      const [returns, own, luck, adjusted] = ["Return", "+/-", "Luck", "Adjusted"].map((title) =>
        titles.indexOf(title),
      );
      expect(titles.slice(adjusted! + 1)[0]).toBe("+/-");
      const shown = [adjusted!, adjusted! + 1, luck!, returns!, own!];
      for (const [at, row] of (await tableOf(page, TABLE)).entries()) {
        const { name, adjustedReturn, adjustedHigh, luck: mean, ...plain } = report.entrants[at]!;
        expect(row[1]).toBe(name);
        const figures = shown.map((column) => Number(row[column]));
        const expected = [
          adjustedReturn!,
          adjustedHigh! - adjustedReturn!,
          mean!,
          plain.meanReturn,
          plain.returnHigh - plain.meanReturn,
        ];
        // Figures have three digits.
        for (const [which, value] of expected.entries())
          expect(Math.abs(figures[which]! - value)).toBeLessThanOrEqual(
            Math.max(0.00051, 0.0051 * Math.abs(value)),
          );
      }
      expect(await violationsIn(page)).toEqual([]);
      expect(wrong).toEqual([]);

      const [first, ...others] = report.entrants;
      writeFileSync(
        path,
        JSON.stringify({ ...report, entrants: [{ ...first, wins: first!.wins + 1 }, ...others] }),
      );
      expect(dataOf(await writtenReport(dir)).tournaments[0]!.report.luck).toBeUndefined();
    },
  );

  slowTest("tell a class of long names apart in a narrow chart, none of them cut by its border", async () => {
    const entrants = Array.from({ length: 24 }, (_, at) => ({
      name: `Student number ${at + 1} with a rather long team name`,
      agent: "random",
    }));
    const dir = await playedRun({ name: "class", game: "tic-tac-toe", blocks: 1, entrants });
    const { page, wrong } = await openPage(await writtenReport(dir), { width: 390 });
    const labels = page.locator(".chart svg[aria-label^='Ratings with'] text");
    const texts = (await labels.allTextContents()).filter((text) => text.startsWith("Student"));
    expect(new Set(texts).size).toBe(24);
    const first = await page.getByText("Student...24...").boundingBox();
    const chart = await page.locator(".chart svg").first().boundingBox();
    expect(first!.x).toBeGreaterThan(chart!.x);
    expect(wrong).toEqual([]);
  });

  slowTest(
    "begin with the config's title, date and description, whose Markdown is text but for a few marks",
    async () => {
      const description =
        "Two **bots** of `class 2`:\n\n- one is [known](https://example.org/a)\n- <img src=x onerror=alert(1)> [no](javascript:alert(2))";
      const about = { title: "Class league, autumn", date: "2026-11-27", description };
      const dir = await playedRun({
        name: "league",
        ...about,
        game: "tic-tac-toe",
        blocks: 1,
        entrants: ["random", { name: "other", agent: "random" }],
      });
      const { page, wrong } = await openPage(await writtenReport(dir));
      expect(await page.title()).toBe("Class league, autumn - agon");
      expect(await page.locator("h1").textContent()).toBe("agon Class league, autumn");
      const shown = page.getByRole("region", { name: "About" });
      expect(await shown.innerText()).toContain("2026-11-27");
      expect(await shown.locator("b, code, a").allTextContents()).toEqual(["bots", "class 2", "known"]);
      expect(await shown.locator("li").nth(1).textContent()).toBe(
        "<img src=x onerror=alert(1)> [no](javascript:alert(2))",
      );
      expect(await violationsIn(page)).toEqual([]);
      expect(wrong).toEqual([]);
    },
  );

  test("say which entrants the chart of effort leaves out", async () => {
    const entrants = ["random", "alpha-beta:depth=2"];
    const dir = await playedRun({ name: "run", game: "tic-tac-toe", blocks: 1, entrants });
    const { page } = await openPage(await writtenReport(dir), { place: "#/run/origins" });
    await page.getByText("Without nodes to show: random.", { exact: true }).waitFor();
  });

  slowTest("say forfeits in a line, with an example and the dialogue folded below", async () => {
    const dir = await playedRun({
      name: "bots",
      game: "tic-tac-toe",
      blocks: 2,
      entrants: ["random", "ann"].map((name) => ({ name, agent: "random" })),
    });
    const store = Store.open(dir);
    const [record] = store.records();
    const detail = 'its process ended: SIGSEGV; the last lines: > {"type":"decide"} | < nonsense';
    for (const id of ["x", "y"])
      store.add([{ ...record!, id, returns: [-1, 1], ending: "worker died", forfeitSeat: 0, detail }]);
    store.close();
    const { page, wrong } = await openPage(await writtenReport(dir));
    const name = ["random", "ann"][record!.seats[0]!]!;
    const warning = `${name}: 2 crashes ("its process ended: SIGSEGV")`;
    expect(await page.getByRole("list", { name: "Warnings" }).textContent()).toContain(warning);
    const lines = page.getByText("nonsense");
    expect(await lines.isVisible()).toBe(false);
    for (const summary of ["What happened at forfeits", "the last lines"])
      await page.getByText(summary).click();
    expect(await lines.textContent()).toBe('> {"type":"decide"}\n< nonsense');
    await page.getByRole("link", { name: `${name} crashed` }).click();
    await page.getByText(`${name} crashed; game x`).waitFor();
    expect(await violationsIn(page)).toEqual([]);
    expect(wrong).toEqual([]);
  });
});
