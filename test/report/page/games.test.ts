import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { Store } from "../../../src/arena/store/store.ts";
import { temporaryFolder } from "../../support/agon.ts";
import { fillRun } from "../../support/made-up-run.ts";
import { overflowOf, violationsIn } from "../../support/page/inspect-page.ts";
import { hasBrowser, openPage } from "../../support/page/browser.ts";
import { listedGames, type GameRow } from "../../support/page/read-page.ts";
import { writtenReport } from "../../support/reports.ts";
import { startServing } from "../../support/servers/agon-serve.ts";
import { slowTest } from "../../support/thorough.ts";

const names = ["random", "greedy:evaluator=open-lines", "alpha-beta:depth=1"];

/** A folder with a run of 132 games, and its games as the list shows them, in the order of storing. */
async function madeUpRun(): Promise<{ dir: string; games: GameRow[] }> {
  const dir = temporaryFolder();
  await fillRun(join(dir, "run"), {
    name: "made-up",
    game: "tic-tac-toe",
    blocks: 22,
    openings: { randomPlies: 1 },
    entrants: names,
  });
  const store = Store.openExisting(join(dir, "run"));
  const games = Array.from(store.games(), ({ id, seats, returns, actions }, at) => ({
    id,
    number: at + 1,
    seats: seats.map((entrant) => names[entrant]!),
    result: returns[0] === 0 ? "½-½" : returns[0] === 1 ? "1-0" : "0-1",
    actions: actions.length,
  }));
  store.close();
  return { dir, games };
}

/** The list's pages, one after the other; a key turns them. */
async function pagesOf(page: Page): Promise<GameRow[][]> {
  await page.getByRole("link", { name: "first" }).press("Enter");
  const pages: GameRow[][] = [];
  for (;;) {
    await page.getByText(`page ${pages.length + 1} of`).waitFor();
    const before = pages.at(-1)?.[0]?.id;
    await expect.poll(async () => (await listedGames(page))[0]!.id).not.toBe(before);
    pages.push(await listedGames(page));
    const next = page.getByRole("link", { name: "next" });
    if ((await next.getAttribute("aria-disabled")) === "true") return pages;
    await next.press("Enter");
  }
}

/** Tries the list of all games, its orders and its choices. */
async function checkList(page: Page, games: readonly GameRow[]): Promise<void> {
  await page.locator(".games a").first().waitFor();
  const newest = games.toReversed();
  const pages = await pagesOf(page);
  expect(pages.map(({ length }) => length)).toEqual([50, 50, 32]);
  expect(pages.flat()).toEqual(newest);
  await page.getByText("132 games; 101 to 132 below").waitFor();
  const keys: [title: string, key: (game: GameRow) => number | string][] = [
    ["Player 1", ({ seats }) => seats[0]!],
    ["Player 2", ({ seats }) => seats[1]!],
    ["Result", ({ result }) => ["0-1", "½-½", "1-0"].indexOf(result)],
    ["Actions", ({ actions }) => actions],
    ["No.", ({ number }) => number],
  ];
  for (const [title, key] of keys) {
    for (const turn of [1, 2]) {
      await page.getByRole("button", { name: title, exact: true }).press("Enter");
      const isDescending = title.startsWith("Player") ? turn === 2 : turn === 1;
      const head = page.locator(`th[aria-sort=${isDescending ? "descending" : "ascending"}]`);
      await head.getByText(title).waitFor();
      const sign = isDescending ? -1 : 1;
      const expected = newest.toSorted((a, b) => (key(a) < key(b) ? -sign : key(a) > key(b) ? sign : 0));
      await expect.poll(() => listedGames(page)).toEqual(expected.slice(0, 50));
    }
  }
  // Choices are in the address, so that the way back from a game leads to the same list.
  await page.getByRole("button", { name: "No.", exact: true }).click();
  await page.getByLabel("entrant").selectOption("random");
  await page.getByLabel("opponent").selectOption("alpha-beta:depth=1");
  await page.getByLabel("shortest").fill("25");
  const chosen = newest.filter(
    ({ seats, actions }) => actions >= 25 && seats.includes("random") && seats.includes("alpha-beta:depth=1"),
  );
  await expect.poll(() => listedGames(page)).toEqual(chosen);
  await page.locator(".games a").last().click();
  await page.getByText(chosen.at(-1)!.id).waitFor();
  await page.goBack();
  await expect.poll(() => listedGames(page)).toEqual(chosen);
  await page.getByLabel("longest").fill("0");
  await page.getByText("0 games").waitFor();
  await page.getByLabel("longest").fill("");
  await page.getByLabel("shortest").fill("");
  await page.getByLabel("entrant").selectOption("");
  await page.getByLabel("opponent").selectOption("");
  await page.getByText("132 games; 1 to 50 below").waitFor();
  expect(await violationsIn(page)).toEqual([]);
}

describe.runIf(hasBrowser)("the list of games has each game once, on pages, in any order", () => {
  slowTest("in a file", async () => {
    const { dir, games } = await madeUpRun();
    const file = await writtenReport(join(dir, "run"));
    const { page, wrong } = await openPage(file, { place: "#/run/games" });
    await checkList(page, games);
    await page.setViewportSize({ width: 320, height: 900 });
    expect(await overflowOf(page)).toBe(0);
    expect(wrong).toEqual([]);
  });

  slowTest("any cell of a row opens its game, and a phone shows results whole", async () => {
    const { dir } = await madeUpRun();
    const { page, wrong } = await openPage(await writtenReport(join(dir, "run")), { place: "#/run/games" });
    const row = page.locator(".games tbody tr").nth(3);
    const [game] = (await listedGames(page)).slice(3);
    for (const at of [0, 2, 3, 4]) {
      // The link lies over the cell.
      await row.locator("th, td").nth(at).click({ force: true });
      await page.getByText(`; game ${game!.id}`).waitFor();
      await page.goBack();
    }
    await page.setViewportSize({ width: 390, height: 900 });
    const table = page.getByRole("region", { name: "Games", exact: true });
    expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    expect(await violationsIn(page)).toEqual([]);
    expect(wrong).toEqual([]);
  });

  slowTest("on paper, with the other views", async () => {
    const { dir } = await madeUpRun();
    const { page, wrong } = await openPage(await writtenReport(join(dir, "run")), {
      place: "#/run/standings",
    });
    const titles = "Array.from(document.querySelectorAll('h2'), (title) => title.textContent).join()";
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    await expect.poll(() => page.evaluate(titles)).toMatch(/^Elo,.*Effort,By length,.*Games$/);
    expect(await page.locator(".games tbody tr").count()).toBe(132);
    await page.evaluate("dispatchEvent(new Event('afterprint'))");
    await expect.poll(() => page.evaluate(titles)).not.toContain("Games");
    expect(wrong).toEqual([]);
  });

  slowTest("from a server", async () => {
    const { dir, games } = await madeUpRun();
    const { address } = await startServing(dir);
    const { page, wrong } = await openPage(address, { place: "#/run/games" });
    await checkList(page, games);
    expect(wrong).toEqual([]);
  });

  slowTest("a file with a sample says so", async () => {
    const dir = join(temporaryFolder(), "run");
    await fillRun(dir, {
      name: "large",
      game: "tic-tac-toe",
      blocks: 600,
      openings: { randomPlies: 1 },
      entrants: names.slice(0, 2),
    });
    const { page } = await openPage(await writtenReport(dir), { place: "#/run/games" });
    await page
      .getByText(/^This file has a sample of 1,\d{3} of the 1,200 games, .*; agon serve lists all\./)
      .waitFor();
  });
});
