import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { game as kalah } from "../../../examples/kalah/kalah.ts";
import type { TournamentConfig } from "../../../src/arena/plan/config.ts";
import { createRandom } from "../../../src/base/random.ts";
import { describeResult, parseLegal } from "../../../src/game/notation.ts";
import { hasBrowser, openPage, startBrowser } from "../../support/page/browser.ts";
import { violationsIn } from "../../support/page/inspect-page.ts";
import { playedRun, reportWithCode, ROOT } from "../../support/reports.ts";
import { slowTest } from "../../support/thorough.ts";

let browser: Browser;
beforeAll(async () => {
  if (hasBrowser) browser = await startBrowser();
  return () => browser?.close();
});

const EXAMPLES = join(ROOT, "examples");

/** A page with the user's code, of a run of one block. */
async function pageOf(
  game: string,
  {
    entrants = ["random", "mcts:simulations=9"],
    place = "#/run/play",
  }: { entrants?: TournamentConfig["entrants"]; place?: string } = {},
): Promise<{ page: Page; wrong: string[] }> {
  const dir = await playedRun({ name: "own", game, blocks: 1, entrants }, { baseDir: EXAMPLES });
  return openPage(browser, await reportWithCode(dir), { place });
}

/** Waits until it is the person's turn, or the game is over. */
async function awaitTurn(page: Page): Promise<"yours" | "over"> {
  return (await page.locator(".turn:not([data-turn=theirs])").getAttribute("data-turn")) as "yours" | "over";
}

const movesOn = (page: Page) => page.locator(".moves li").allTextContents();

describe.runIf(hasBrowser)("a game of the user's in a page with its code", () => {
  test("is replayed, and played on by clicks to the result that its rules say", async () => {
    const { page, wrong } = await pageOf("kalah/kalah.ts", { place: "#/run/games" });
    await page.locator(".games a").first().click();
    for (let times = 0; times < 6; times++) await page.getByRole("button", { name: "one on" }).click();
    expect(await page.locator("svg.board .s-mark").count()).toBe(1);
    const stored = await movesOn(page);
    await page.getByRole("link", { name: "Play on from here" }).click();
    const random = createRandom("clicks");
    await page.locator(".turn").waitFor();
    expect((await movesOn(page)).slice(0, 6)).toEqual(stored.slice(0, 6));
    while ((await awaitTurn(page)) === "yours") {
      const places = page.locator("[data-place]");
      await places.nth(random.below(await places.count())).click();
    }
    const game = kalah.create({ pits: 6, stones: 4 });
    const state = game.start();
    for (const move of await movesOn(page)) state.apply(parseLegal(game, move, state));
    expect(await page.locator(".turn").textContent()).toBe(describeResult(game, state));
    expect(await violationsIn(page)).toEqual([]);
    expect(wrong).toEqual([]);
  });

  slowTest("is played by an agent of the user's", async () => {
    const { page, wrong } = await pageOf("twenty-one/twenty-one.ts", {
      entrants: ["random", { name: "counter", agent: "./twenty-one/counter.ts" }],
    });
    await page.getByRole("combobox").nth(0).selectOption("counter");
    await page.getByRole("combobox").nth(1).selectOption("counter");
    expect(await awaitTurn(page)).toBe("over");
    expect((await movesOn(page)).slice(0, 6)).toEqual(["+1", "+3", "+1", "+3", "+1", "+3"]);
    expect(await page.getByRole("alert").count()).toBe(0);
    expect(wrong).toEqual([]);
  });

  slowTest("is built in, and played by an evaluator of the user's", async () => {
    const { page, wrong } = await pageOf("connect-four", {
      entrants: ["random", { name: "centre", agent: "greedy", evaluator: "./centre/centre.ts" }],
    });
    await page.getByRole("combobox").nth(0).selectOption("centre");
    await page.getByRole("combobox").nth(1).selectOption("centre");
    expect(await awaitTurn(page)).toBe("over");
    expect((await movesOn(page))[0]).toBe("4");
    expect(wrong).toEqual([]);
  });
});
