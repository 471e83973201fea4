import type { Browser, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { createRandom, type Random } from "../../../src/base/random.ts";
import type { TournamentConfig } from "../../../src/arena/plan/config.ts";
import { CHANCE, type Game } from "../../../src/game/game.ts";
import { createGame, games, type GameSpec } from "../../../src/games/index.ts";
import { describeResult, parseLegal } from "../../../src/game/notation.ts";
import { violationsIn } from "../../support/page/inspect-page.ts";
import { hasBrowser, openPage, startBrowser } from "../../support/page/browser.ts";
import { GAMES } from "../../support/page/games.ts";
import { playedRun, writtenReport } from "../../support/reports.ts";
import { slowTest, thorough } from "../../support/thorough.ts";

let browser: Browser;
beforeAll(async () => {
  if (hasBrowser) browser = await startBrowser();
  return () => browser?.close();
});

/** A tournament of random and an agent that looks one ply ahead with shipped weights. */
function agentOn(game: string, weights: string): TournamentConfig {
  const own = { name: "own", agent: "greedy", evaluator: `weights/${game}/${weights}` };
  return { name: "own", game, blocks: 1, entrants: ["random", own] };
}

/** A page in which the game can be played; no game is stored. */
async function playPage(id: string): Promise<{ page: Page; wrong: string[]; game: Game }> {
  const { game, entrants } = GAMES[id]!;
  const dir = await playedRun({ name: id, game, seed: "play", blocks: 1, entrants });
  const { page, wrong } = await openPage(browser, await writtenReport(dir), { place: "#/run/play" });
  return { page, wrong, game: createGame(game as GameSpec) };
}

/** Waits until it is the person's turn, or the game is over. */
async function awaitTurn(page: Page): Promise<"yours" | "over"> {
  const turn = page.locator(".turn:not([data-turn=theirs])");
  return (await turn.getAttribute("data-turn")) as "yours" | "over";
}

/** Clicks on a place or a named move, any of them that the page offers. */
async function clickAny(page: Page, random: Random): Promise<void> {
  const offered = page.locator("[data-place], [data-action]");
  const count = await offered.count();
  expect(count).toBeGreaterThan(0);
  await offered.nth(random.below(count)).click();
}

/** The moves that the page lists. */
function movesOn(page: Page): Promise<string[]> {
  return page.locator(".moves li").allTextContents();
}

/** The moves that the page lists, by the rules. */
function resultOf(game: Game, moves: readonly string[]): string {
  const state = game.start();
  for (const move of moves)
    state.apply(parseLegal(game, state.toMove === CHANCE ? move.slice(1, -1) : move, state));
  return describeResult(game, state);
}

describe.runIf(hasBrowser)("playing in the page", () => {
  const WHOLE = thorough(Object.keys(games), ["tic-tac-toe"]);
  test.each(WHOLE)("a whole game of %s is played by clicks, to the result that the rules say", async (id) => {
    const { page, wrong, game } = await playPage(id);
    const random = createRandom("clicks", id);
    await page.setViewportSize({ width: 1000, height: 1400 });
    while ((await awaitTurn(page)) === "yours") await clickAny(page, random);
    const moves = await movesOn(page);
    expect(await page.locator(".turn").textContent()).toBe(resultOf(game, moves));
    expect(await violationsIn(page)).toEqual([]);
    expect(wrong).toEqual([]);
  });

  slowTest(
    "a promotion is chosen by its name; the keyboard alone plays it, and keeps its place",
    async () => {
      const { page, wrong } = await playPage("chess");
      await page.locator("[aria-label^='c7,']").focus();
      await page.keyboard.press("Enter");
      await expect.poll(() => focused(page)).toBe("c7, white pawn");
      await page.locator("[aria-label^='d8,']").focus();
      await page.keyboard.press(" ");
      expect(await page.locator("[data-action]").allTextContents()).toEqual([
        "cxd8=N",
        "cxd8=B",
        "cxd8=R",
        "cxd8=Q",
      ]);
      await expect.poll(() => focused(page)).toBe("cxd8=N");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await awaitTurn(page);
      expect((await movesOn(page))[0]).toBe("cxd8=B");
      await expect.poll(() => focused(page)).toBe("d8, white bishop");
      expect(wrong).toEqual([]);
    },
  );

  slowTest("undo, hint, change of sides and a new game", async () => {
    const { page, wrong, game } = await playPage("tic-tac-toe");
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    await page.locator("[aria-label=b2]").click();
    await awaitTurn(page);
    expect(await movesOn(page)).toHaveLength(2);
    await page.locator("[data-place]").first().click();
    await awaitTurn(page);
    await button("undo").click();
    expect((await movesOn(page)).length).toBe(2);
    await button("hint").click();
    await page.getByText(/would play [abc][123]$/).waitFor();
    expect(await page.getByRole("meter").getAttribute("aria-label")).toMatch(/ expects \S+ for player 1 \(/);
    // The agent plays on for the person, and its own seat is the person's now.
    await button("change sides").click();
    await page.locator(".moves li:nth-child(3)").waitFor();
    expect(await awaitTurn(page)).toBe("yours");
    const selects = page.getByRole("combobox");
    expect(await selects.nth(1).inputValue()).toBe("-1");
    // Nobody sits there but agents: they play to the end.
    await selects.nth(1).selectOption("random");
    expect(await awaitTurn(page)).toBe("over");
    expect(await page.locator(".turn").textContent()).toBe(resultOf(game, await movesOn(page)));
    await selects.nth(0).selectOption("you");
    await button("new game").click();
    expect(await movesOn(page)).toEqual([]);
    expect(await awaitTurn(page)).toBe("yours");
    expect(wrong).toEqual([]);
  });

  slowTest("agents with weights play in the page", async () => {
    const cases: TournamentConfig[] = [
      agentOn("connect-four", "linear.json"),
      agentOn("connect-four", "n-tuple.json"),
      agentOn("backgammon", "network.json"),
    ];
    for (const config of cases) {
      const dir = await playedRun(config);
      const { page, wrong } = await openPage(browser, await writtenReport(dir), { place: "#/run/play" });
      const button = page.getByRole("button", { name: "hint" });
      expect(await awaitTurn(page)).toBe("yours");
      await button.click();
      await page.getByText(/^own would play /).waitFor();
      expect(await page.getByRole("meter").getAttribute("aria-label")).toMatch(/^own expects -?\d/);
      await page.getByRole("combobox").nth(0).selectOption("own");
      await page.getByRole("combobox").nth(1).selectOption("own");
      await page.locator(".moves li:nth-child(6)").waitFor();
      expect(await page.getByRole("alert").count()).toBe(0);
      expect(wrong).toEqual([]);
      await page.close();
    }
  });

  slowTest("a game is played on from a position of a stored one", async () => {
    const dir = await playedRun({
      name: "on",
      game: "connect-four",
      blocks: 1,
      entrants: ["random", "mcts:simulations=9"],
    });
    const { page, wrong } = await openPage(browser, await writtenReport(dir), { place: "#/run/games" });
    await page.locator(".games a").first().click();
    await page.getByRole("button", { name: "one back" }).click();
    await page.getByRole("button", { name: "one back" }).click();
    const stored = await movesOn(page);
    await page.getByRole("link", { name: "Play on from here" }).click();
    expect(await movesOn(page)).toEqual(stored.slice(0, -2));
    expect(await awaitTurn(page)).toBe("yours");
    await page.locator("[data-place]").first().click();
    expect((await movesOn(page)).length).toBeGreaterThan(stored.length - 2);
    expect(wrong).toEqual([]);
  });

  slowTest("a whole game is played by the keyboard alone, from the view's name on", async () => {
    const { page, wrong } = await playPage("tic-tac-toe");
    await page.getByRole("link", { name: "Play" }).focus();
    for (let tabs = 0; !(await focused(page)).startsWith("a1"); tabs++) {
      expect(tabs).toBeLessThan(10);
      await page.keyboard.press("Tab");
    }
    while ((await awaitTurn(page)) === "yours") {
      await page.keyboard.press("Enter");
      const place = await page.evaluate("document.activeElement.localName");
      expect(place).not.toBe("body");
    }
    await expect.poll(() => page.evaluate("document.activeElement.matches('.board')")).toBe(true);
    expect(wrong).toEqual([]);
  });
});

/** The name of the element that has the focus. */
function focused(page: Page): Promise<string> {
  return page.evaluate(
    "(document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent).slice(0, 40)",
  );
}
