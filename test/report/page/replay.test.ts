import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { parse } from "yaml";
import { describe, expect, test } from "vitest";
import type { TournamentConfig } from "../../../src/arena/plan/config.ts";
import { createGame } from "../../../src/games/index.ts";
import { loadGame } from "../../../src/specs/games.ts";
import { turnOf } from "../../../src/report/page/game-text.ts";
import { describeResult } from "../../../src/games/contract/notation.ts";
import { hasBrowser, openPage } from "../../support/page/browser.ts";
import { temporaryFolder, writeInto } from "../../support/agon.ts";
import { playedRun, ROOT, writtenReport } from "../../support/reports.ts";
import { storedGames } from "../../support/stored-games.ts";
import { slowTest } from "../../support/thorough.ts";

/** The ids of the games that the page lists. */
async function idsOn(page: Page): Promise<string[]> {
  const links = await page
    .locator(".games a")
    .evaluateAll((all) => all.map((link) => link.getAttribute("href")!));
  expect(links.length).toBeGreaterThan(0);
  return links.map((link) => new URLSearchParams(link.split("?")[1]).get("game")!);
}

describe.runIf(hasBrowser)("replaying games", () => {
  slowTest("every game of the quick tournament, made smaller, ends in its stored result", async () => {
    const file = join(ROOT, "configs/tournaments/quick.yaml");
    const quick = parse(readFileSync(file, "utf8")) as TournamentConfig;
    const entrants = quick.entrants;
    const dir = await playedRun(
      { ...quick, entrants, blocks: 1 },
      { baseDir: join(ROOT, "configs/tournaments") },
    );
    const games = storedGames(dir);
    expect(games).toHaveLength(entrants.length * (entrants.length - 1));
    const { page, wrong } = await openPage(await writtenReport(dir), { place: "#/run/games" });
    const listedIds: string[] = [];
    for (let number = 1; listedIds.length < games.length; number++) {
      await page.evaluate(`location.hash = "#/run/games?page=${number}"`);
      const isNew = (id: string) => !listedIds.includes(id);
      await expect.poll(async () => (await idsOn(page)).every(isNew)).toBe(true);
      listedIds.push(...(await idsOn(page)));
    }
    expect(new Set(listedIds)).toEqual(new Set(games.map(({ id }) => id)));
    const rules = createGame("connect-four");
    for (const { id, actions, returns } of games) {
      await page.evaluate(`location.hash = "#/run/games?game=${id}"`);
      const outcome = (await page.getByText(`; game ${id}`).textContent())!;
      const [winner = ""] = (await page.locator("h2").textContent())!
        .split(" - ")
        .slice(returns[0] === 1 ? 0 : 1);
      expect(outcome).toBe(
        `${returns[0] === 0 ? "draw: the board is full" : `${winner} won: four in a line`}; game ${id}`,
      );
      expect(await page.locator(".turn").textContent()).toBe("The start · player 1 to move");
      await page.keyboard.press("End");
      const state = rules.start();
      for (const action of actions) state.apply(action);
      expect(returns).toEqual([state.returns(0), state.returns(1)]);
      const last = `After ${actions.length} of ${actions.length}: `;
      const shown = await page.locator(".turn").textContent();
      expect(shown).toMatch(new RegExp(`^${last}`));
      expect(shown!.endsWith(` · ${describeResult(rules, state)}`)).toBe(true);
      expect(await page.locator("svg.board").getAttribute("aria-label")).toBe(
        `connect-four: ${rules.formatState(state)}`,
      );
    }
    expect(wrong).toEqual([]);
  });

  test("a game that begins at a position shows it after the choice of its opening", async () => {
    const baseDir = temporaryFolder();
    const positions = ["4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "4k3/4p3/8/8/8/8/8/4K3 b - - 5 30"];
    writeInto(baseDir, "list.fen", positions.join("\n"));
    const dir = await playedRun(
      {
        name: "positions",
        game: "chess",
        blocks: 2,
        openings: { file: "list.fen" },
        adjudicate: { maxPlies: 6 },
        entrants: ["random", "alpha-beta:depth=1"],
      },
      { baseDir },
    );
    const { page, wrong } = await openPage(await writtenReport(dir), { place: "#/run/games" });
    for (const { id, actions } of storedGames(dir)) {
      await page.evaluate(`location.hash = "#/run/games?game=${id}"`);
      await page.getByText(id).waitFor();
      await page.keyboard.press("ArrowRight");
      expect(await page.locator("svg.board").getAttribute("aria-label")).toBe(
        `chess: ${positions[actions[0]!]}`,
      );
      const numbers = await page
        .locator(".moves li")
        .evaluateAll((all) => all.map((one) => one.getAttribute("data-number")));
      // The position is no move, and the first move after it has the position's number.
      expect(numbers.slice(0, 4)).toEqual(actions[0] === 0 ? ["", "1.", "", "2."] : ["", "30…", "31.", ""]);
      await page.keyboard.press("End");
      expect(await page.locator(".turn").textContent()).toContain(
        `After ${actions.length} of ${actions.length}: `,
      );
    }
    expect(wrong).toEqual([]);
  });

  slowTest("keys, buttons, the slider and the list of moves go through a game", async () => {
    const dir = await playedRun({
      name: "keys",
      game: "tic-tac-toe",
      blocks: 1,
      entrants: ["random", "mcts:simulations=9"],
    });
    const { page, wrong } = await openPage(await writtenReport(dir), { place: "#/run/games" });
    await page.locator(".games a").first().click();
    const slider = page.getByRole("slider");
    await slider.waitFor();
    const last = Number(await slider.getAttribute("max"));
    const at = () => slider.inputValue().then(Number);
    const press = async (key: string) => {
      await page.keyboard.press(key);
      return at();
    };
    const click = async (name: string) => {
      await page.getByRole("button", { name, exact: true }).click();
      return at();
    };
    expect(await at()).toBe(0);
    // An address that follows what is drawn later would take the place of one that the reader goes to in between.
    await page.evaluate(`void (globalThis.drawnWithAddress = new Promise((resolve) => {
      const observer = new MutationObserver(() => {
        if (!document.querySelector(".turn").textContent.startsWith("After 1 of")) return;
        observer.disconnect();
        resolve(location.hash.includes("at=1"));
      });
      observer.observe(document.body, { subtree: true, childList: true, characterData: true });
    }))`);
    expect(await press("ArrowRight")).toBe(1);
    expect(await page.evaluate("drawnWithAddress")).toBe(true);
    await press("ArrowLeft");
    expect([await press("End"), await press("ArrowLeft"), await press("ArrowLeft")]).toEqual([
      last,
      last - 1,
      last - 2,
    ]);
    expect([await press("Home"), await press("ArrowLeft")]).toEqual([0, 0]);
    expect(await page.locator(".turn").textContent()).toBe("The start · player 1 to move");
    expect([await press("ArrowRight"), await press("End"), await press("ArrowRight")]).toEqual([
      1,
      last,
      last,
    ]);
    expect([await click("to the start"), await click("one on"), await click("one on")]).toEqual([0, 1, 2]);
    expect([await click("one back"), await click("to the end")]).toEqual([1, last]);
    await slider.focus();
    expect([await press("ArrowLeft"), await press("Home"), await press("ArrowRight")]).toEqual([
      last - 1,
      0,
      1,
    ]);
    const third = page.locator(".moves button").nth(2);
    await third.click();
    expect(await at()).toBe(3);
    expect(await third.getAttribute("aria-current")).toBe("step");
    // Tab goes through all of it in the order in which it is read.
    await page.getByRole("link", { name: "All games" }).focus();
    const reached: string[] = [];
    for (let tabs = 0; tabs < 10; tabs++) {
      await page.keyboard.press("Tab");
      reached.push(
        await page.evaluate(
          "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent",
        ),
      );
    }
    const first = await page.locator(".moves button").allTextContents();
    expect(reached).toEqual([
      "to the start",
      "one back",
      "position in the game",
      "one on",
      "to the end",
      "play",
      "pace",
      "Play on from here",
      "ask two agents",
      ...first.slice(0, 1),
    ]);
    // Other keys of the browser stay its own.
    expect(await press("Control+Home")).toBe(3);
    expect(wrong).toEqual([]);
  });

  slowTest("a game plays by itself to its end, and a touch of the chart goes to the move there", async () => {
    const dir = await playedRun({
      name: "curve",
      game: "connect-four",
      blocks: 1,
      entrants: ["alpha-beta:depth=2,evaluator=threats", "alpha-beta:depth=1,evaluator=threats"],
    });
    const { page, wrong } = await openPage(await writtenReport(dir), { place: "#/run/games" });
    await page.locator(".games a").first().click();
    const slider = page.getByRole("slider");
    const last = Number(await slider.getAttribute("max"));
    await page.getByLabel("pace").selectOption("fast");
    await page.getByRole("button", { name: "play", exact: true }).click();
    await expect.poll(() => slider.inputValue()).toBe("2");
    await page.getByRole("button", { name: "pause" }).click();
    await page.evaluate(`new Promise((wait) => setTimeout(wait, 600))`);
    expect(Number(await slider.inputValue())).toBeLessThan(4);
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowLeft");
    await page.getByRole("button", { name: "play", exact: true }).click();
    await expect.poll(() => slider.inputValue()).toBe(String(last));
    await expect.poll(() => page.getByRole("button", { name: "play", exact: true }).count()).toBe(1);

    // The chart has the colours of the discs: the paints of players 1 and 2.
    const lines = page.locator(".chart [stroke^='var(--paint-']");
    expect(await lines.evaluateAll((all) => all.map((line) => line.getAttribute("stroke")))).toEqual([
      "var(--paint-player0)",
      "var(--paint-player1)",
    ]);
    const { x, y, width } = (await page.locator(".chart svg").boundingBox())!;
    await page.mouse.click(x + width - 21, y + 60);
    expect(await slider.inputValue()).toBe(String(last));
    await page.mouse.click(x + 41, y + 60);
    expect(Number(await slider.inputValue())).toBeLessThan(2);
    expect(wrong).toEqual([]);
  });

  const own = [
    ["examples/kalah/kalah.ts", "svg.board"],
    ["examples/twenty-one/twenty-one.ts", "pre.board"],
  ] as const;
  slowTest.each(own)("a game of the user's, %s, is shown as its own code draws it", async (file, board) => {
    const game = await loadGame(join(ROOT, file));
    const dir = await playedRun({
      name: "own",
      game: join(ROOT, file),
      blocks: 1,
      entrants: ["random", "mcts:simulations=9"],
    });
    const { page, wrong } = await openPage(await writtenReport(dir), { place: "#/run/games" });
    for (const { id, actions } of storedGames(dir)) {
      await page.evaluate(`location.hash = "#/run/games?game=${id}"`);
      await page.getByText(id).waitFor();
      await page.keyboard.press("Home");
      const state = game.start();
      for (const [at, action] of [...actions, undefined].entries()) {
        const texts = game.picture?.draw(state).map((shape) => (shape.kind === "text" ? shape.text : "")) ?? [
          game.render(state),
        ];
        await expect.poll(() => page.getByRole("slider").inputValue()).toBe(String(at));
        expect((await page.locator(board).textContent())!).toBe(texts.join(""));
        expect(await page.locator(".turn").textContent()).toContain(` · ${turnOf(game, state)}`);
        const marks = await page.locator(".s-mark").count();
        expect(marks).toBe(at > 0 && game.picture !== undefined ? 1 : 0);
        if (action === undefined) break;
        state.apply(action);
        await page.keyboard.press("ArrowRight");
      }
    }
    expect(wrong).toEqual([]);
  });
});
