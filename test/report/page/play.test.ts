import { readFileSync } from "node:fs";
import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { createRandom, type Random } from "../../../src/base/random.ts";
import type { TournamentConfig } from "../../../src/arena/plan/config.ts";
import { CHANCE, type Game } from "../../../src/games/contract/game.ts";
import { createGame, type GameSpec } from "../../../src/games/index.ts";
import { ObservedGame } from "../../../src/games/contract/privacy.ts";
import { describeResult, moveTexts, parseLegal } from "../../../src/games/contract/notation.ts";
import { violationsIn } from "../../support/page/inspect-page.ts";
import { hasBrowser, hasBrowserForAll, openPage } from "../../support/page/browser.ts";
import { GAMES } from "../../support/page/games.ts";
import { playedRun, writtenReport } from "../../support/reports.ts";
import { slowTest, thorough } from "../../support/thorough.ts";

/** A tournament of random and an agent that looks one ply ahead with shipped weights. */
function agentOn(game: string, weights: string): TournamentConfig {
  const own = { name: "own", agent: "greedy", evaluator: `weights/${game}/${weights}` };
  return { name: "own", game, blocks: 1, entrants: ["random", own] };
}

/** A page in which the game can be played; no game is stored. */
async function playPage(
  id: string,
  { hasTouch = false } = {},
): Promise<{ page: Page; wrong: string[]; game: Game }> {
  const { game, entrants } = GAMES[id]!;
  const dir = await playedRun({ name: id, game, seed: "play", blocks: 1, entrants });
  const { page, wrong } = await openPage(await writtenReport(dir), {
    place: "#/run/play",
    hasTouch,
  });
  return { page, wrong, game: createGame(game as GameSpec) };
}

/** Waits until it is the person's turn, or the game is over. */
async function awaitTurn(page: Page): Promise<"yours" | "over"> {
  const turn = page.locator(".turn:not([data-turn=theirs])");
  return (await turn.getAttribute("data-turn")) as "yours" | "over";
}

const MEANS = {
  mouse: (element: Locator) => element.click(),
  touch: (element: Locator) => element.tap(),
  keyboard: (element: Locator) => element.press("Enter"),
};

/** Chooses a place or a named move, any of them that the page offers. */
async function chooseAny(page: Page, random: Random, means: keyof typeof MEANS = "mouse"): Promise<void> {
  const offered = page.locator("[data-place], [data-action]");
  const count = await offered.count();
  expect(count).toBeGreaterThan(0);
  await MEANS[means](offered.nth(random.below(count)));
}

/** The letters on the board, in the order of its places. */
async function stonesOn(page: Page): Promise<string> {
  return (await page.locator(".board text").allTextContents()).join("");
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
  return describeResult(game, state).replace(
    /player (\d)/g,
    (text, number) => game.picture?.names?.[Number(number) - 1] ?? text,
  );
}

describe.runIf(hasBrowser)("playing in the page", () => {
  const WHOLE = thorough(Object.keys(GAMES), ["tic-tac-toe"]);
  slowTest.each(WHOLE)(
    "a whole game of %s is played by clicks, to the result that the rules say",
    async (id) => {
      const { page, wrong, game } = await playPage(id);
      const random = createRandom("clicks", id);
      await page.setViewportSize({ width: 1000, height: 1400 });
      while ((await awaitTurn(page)) === "yours") await chooseAny(page, random);
      const moves = await movesOn(page);
      expect(await page.locator(".turn").textContent()).toBe(resultOf(game, moves));
      expect(await violationsIn(page)).toEqual([]);
      expect(wrong).toEqual([]);
    },
  );

  const OTHER_MEANS = ["chess", "backgammon", "2048"].flatMap((id) => [
    { id, means: "touch" as const },
    { id, means: "keyboard" as const },
  ]);
  test.runIf(hasBrowserForAll).each(OTHER_MEANS)(
    "a whole game of $id is played by $means",
    async ({ id, means }) => {
      const { page, wrong, game } = await playPage(id, { hasTouch: means === "touch" });
      const random = createRandom(means, id);
      await page.setViewportSize({ width: 500, height: 1400 });
      while ((await awaitTurn(page)) === "yours") await chooseAny(page, random, means);
      expect(await page.locator(".turn").textContent()).toBe(resultOf(game, await movesOn(page)));
      expect(wrong).toEqual([]);
    },
  );

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

  test("connect four takes a touch anywhere in a column, shows where the disc falls, and keeps the focus there", async () => {
    const { page, wrong } = await playPage("connect-four");
    const column = page.locator("[aria-label^='column 3,']");
    const spot = page.locator("[aria-label^='column 3,'] + .spot");
    const box = (await column.boundingBox())!;
    const fall = (await spot.boundingBox())!;
    expect(box.height).toBeCloseTo(6 * fall.height, 0);
    // The top of the column is far above the cell where the first disc comes to lie.
    const top = [box.x + box.width / 2, box.y + 5] as const;
    await page.mouse.move(...top);
    const shade = `getComputedStyle(document.querySelector("[aria-label^='column 3,'] + .spot")).fillOpacity`;
    expect(await page.evaluate(shade)).toBe("0.55");
    await page.mouse.click(...top);
    await awaitTurn(page);
    expect((await movesOn(page))[0]).toBe("3");
    await expect.poll(() => focused(page)).toMatch(/^column 3, row [23]$/);
    expect(wrong).toEqual([]);
  });

  slowTest(
    "a person sees its own view alone, and the address tells nothing, until the game is over",
    async () => {
      const { page, wrong, game } = await playPage("phantom-tic-tac-toe");
      const random = createRandom("hidden");
      const observed = new ObservedGame(game);
      const seen: string[] = [];
      while ((await awaitTurn(page)) === "yours") {
        seen.push(await stonesOn(page));
        expect(await movesOn(page)).toEqual([]);
        expect(await page.locator(".saving").count()).toBe(0);
        expect(await page.evaluate("location.hash")).toBe("#/run/play");
        await chooseAny(page, random);
        // The others have a second.
        await page.locator(".turn[data-turn=theirs], .turn[data-turn=over]").waitFor();
      }
      await expect.poll(() => page.evaluate("location.hash")).toMatch(/moves=\d/);
      const views: string[] = [];
      for (const move of await movesOn(page)) {
        const view = game.privacy!.formatView(observed.state, 0);
        if (observed.state.toMove === 0) views.push(view.replace(/[^xo]|\d unseen/g, ""));
        observed.apply(parseLegal(game, move, observed.state));
      }
      expect(seen).toEqual(views);
      expect(await stonesOn(page)).toBe(game.render(observed.state).replace(/[^xo]/g, ""));
      // The other seat is another game.
      await page.getByRole("combobox").nth(1).selectOption("you");
      await expect.poll(async () => page.getByRole("combobox").nth(0).inputValue()).not.toBe("-1");
      expect(await awaitTurn(page)).toBe("yours");
      expect(await stonesOn(page)).toBe("");
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
    await expect.poll(() => movesOn(page)).toHaveLength(2);
    await button("hint").click();
    await page.getByText(/would play [abc][123]$/).waitFor();
    const said = await page.getByText(/would play [abc][123]$/).textContent();
    expect(await page.locator("[data-hint]").getAttribute("data-hint")).toBe(said!.slice(-2));
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
    await expect.poll(() => movesOn(page)).toEqual([]);
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
      const { page, wrong } = await openPage(await writtenReport(dir), { place: "#/run/play" });
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
    const { page, wrong } = await openPage(await writtenReport(dir), { place: "#/run/games" });
    await page.locator(".games a").first().click();
    await page.getByRole("button", { name: "to the end" }).click();
    await page.getByRole("button", { name: "one back" }).click();
    await page.getByRole("button", { name: "one back" }).click();
    const stored = await movesOn(page);
    await page.getByRole("link", { name: "Play on from here" }).click();
    await expect.poll(() => movesOn(page)).toEqual(stored.slice(0, -2));
    expect(await awaitTurn(page)).toBe("yours");
    await page.locator("[data-place]").first().click();
    await expect.poll(async () => (await movesOn(page)).length).toBeGreaterThan(stored.length - 2);
    expect(wrong).toEqual([]);
  });

  slowTest("a whole game is played by the keyboard alone, from the view's name on", async () => {
    const { page, wrong } = await playPage("tic-tac-toe");
    await awaitTurn(page);
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

/** A page of a game whose seats are all of persons. */
async function personsPage(
  game: GameSpec,
  { query = "", hasTouch = false } = {},
): Promise<{ page: Page; wrong: string[]; game: Game }> {
  const made = createGame(game);
  const dir = await playedRun({
    name: "persons",
    game,
    seed: "play",
    blocks: 1,
    entrants: ["random", "greedy:evaluator=none"],
  });
  const seats = Array.from({ length: made.players }, () => "seat=").join("&");
  const place = `#/run/play?${seats}${query}`;
  const { page, wrong } = await openPage(await writtenReport(dir), { place, hasTouch });
  await awaitTurn(page);
  return { page, wrong, game: made };
}

/** Moves a finger over the page from one point to another one. */
async function moveFinger(page: Page, from: Spot, to: Spot): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const send = (type: "touchStart" | "touchMove" | "touchEnd", touchPoints: Spot[]) =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints });
  await send("touchStart", [from]);
  for (let step = 1; step <= 5; step++) {
    const part = step / 5;
    await send("touchMove", [{ x: from.x + part * (to.x - from.x), y: from.y + part * (to.y - from.y) }]);
  }
  await send("touchEnd", []);
}

interface Spot {
  readonly x: number;
  readonly y: number;
}

/** The middle of a place on the board. */
async function middleOf(page: Page, name: string): Promise<Spot> {
  const { x, y, width, height } = (await page.locator(`[aria-label^='${name}']`).first().boundingBox())!;
  return { x: x + width / 2, y: y + height / 2 };
}

/** Draws a piece from place to place by the mouse. */
async function drawPiece(page: Page, from: string, to: string): Promise<void> {
  const [start, end] = [await middleOf(page, from), await middleOf(page, to)];
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2);
  await page.mouse.move(end.x, end.y);
  expect(await page.locator(".lifted *").count()).toBeGreaterThan(0);
  await page.mouse.up();
}

describe.runIf(hasBrowserForAll)("the habits that people have", () => {
  const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

  test("two people play chess at one screen: moves by drawing pieces and by touches, with names and numbers as chess has them", async () => {
    const { page, wrong } = await personsPage("chess");
    expect(await page.locator(".turn").textContent()).toBe("White to move");
    // Every square that a piece may be drawn to has a name once that piece is touched.
    await page.locator("[aria-label^='e2,']").click();
    await drawPiece(page, "e2,", "e4");
    await expect.poll(() => page.locator(".turn").textContent()).toBe("Black to move");
    await page.locator("[aria-label^='e7,']").click();
    await page.locator("[aria-label=e5]").click();
    await expect.poll(() => movesOn(page)).toEqual(["e4", "e5"]);
    const numbers = page.locator(".moves li");
    expect(
      await numbers.evaluateAll((items) => items.map((item) => item.getAttribute("data-number"))),
    ).toEqual(["1.", ""]);
    // A place where no piece can go takes nothing.
    await page.locator("[aria-label^='g1,']").click();
    await drawPiece(page, "g1,", "d2,");
    expect(await movesOn(page)).toEqual(["e4", "e5"]);
    // Sides are changed in the middle of a move: the piece is laid down.
    await page.locator("[aria-label^='g1,']").click();
    expect(await page.locator("[aria-label=f3]").count()).toBe(1);
    await button(page, "change sides").click();
    expect(await page.locator("[aria-label=f3]").count()).toBe(0);
    // The board turned: the white pieces are above.
    const top = async () =>
      (await page.locator("[aria-label^='e4,'], [aria-label^='d2,']").first().boundingBox())!.y;
    const before = await top();
    await button(page, "turn the board").click();
    expect(await top()).toBeLessThan(before);
    expect(wrong).toEqual([]);
  });

  test("the board is turned to a person who sits above", async () => {
    const { page } = await personsPage("chess");
    const seats = page.getByRole("combobox");
    await seats.nth(0).selectOption("random");
    await page.locator(".moves li").first().waitFor();
    expect(await awaitTurn(page)).toBe("yours");
    expect(await button(page, "turn the board").getAttribute("aria-pressed")).toBe("true");
    const y = async (name: string) =>
      (await page.locator(`[aria-label^='${name}']`).first().boundingBox())!.y;
    await page.locator("[aria-label^='a7,'], [aria-label^='b8,']").first().click();
    expect(await y("b8,")).toBeGreaterThan(await y("b7,").catch(() => 0));
  });

  test("the four that won are marked; a touch of a move shows the position after it, and play goes on from there", async () => {
    const { page, wrong } = await personsPage("connect-four");
    for (const column of [1, 2, 1, 2, 1, 2, 1]) {
      await page.locator(`[aria-label^='column ${column},']`).click();
      await page.locator(".turn:not([data-turn=theirs])").waitFor();
    }
    await expect.poll(() => page.locator("[data-won]").count()).toBe(4);
    expect(await page.locator(".turn").textContent()).toBe("player 1 has won (four in a line)");
    await page.locator(".moves button").nth(1).click();
    await expect.poll(() => page.locator(".turn").textContent()).toBe("After 2 of 7 · player 1 to move");
    expect(await page.locator("[data-won]").count()).toBe(0);
    await button(page, "back to the game").click();
    await expect.poll(() => page.locator("[data-won]").count()).toBe(4);
    await page.locator(".moves button").nth(1).click();
    await button(page, "play on from here").click();
    await expect.poll(() => movesOn(page)).toHaveLength(2);
    expect(await awaitTurn(page)).toBe("yours");
    expect(wrong).toEqual([]);
  });

  test("2048 is played by arrow keys and by swipes", async () => {
    const { page, wrong } = await personsPage({ id: "2048", height: 3, width: 3 });
    const random = createRandom("arrows");
    const box = (await page.locator("svg.board").boundingBox())!;
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    const ways = [
      { key: "ArrowUp", x: 0, y: -80 },
      { key: "ArrowRight", x: 80, y: 0 },
      { key: "ArrowDown", x: 0, y: 80 },
      { key: "ArrowLeft", x: -80, y: 0 },
    ];
    for (let count = 0; (await awaitTurn(page)) === "yours"; count++) {
      const { key, x, y } = ways[random.below(4)]!;
      if (count % 2 === 0) await page.keyboard.press(key);
      else {
        await page.mouse.move(middle.x, middle.y);
        await page.mouse.down();
        await page.mouse.move(middle.x + x, middle.y + y);
        await page.mouse.up();
      }
    }
    expect((await movesOn(page)).length).toBeGreaterThan(10);
    expect(wrong).toEqual([]);
  });

  test("a finger draws pieces and swipes, and the page does not scroll under it", async () => {
    const chess = await personsPage("chess", { hasTouch: true });
    await chess.page.setViewportSize({ width: 400, height: 500 });
    await chess.page.locator("[aria-label^='d2,']").tap();
    const [from, beside] = [await middleOf(chess.page, "e2,"), await middleOf(chess.page, "d2,")];
    const to = { x: from.x, y: from.y - 2 * (from.x - beside.x) };
    await moveFinger(chess.page, from, to);
    await expect.poll(() => movesOn(chess.page)).toEqual(["e4"]);
    const { page, wrong } = await personsPage({ id: "2048", height: 3, width: 3 }, { hasTouch: true });
    await page.setViewportSize({ width: 400, height: 500 });
    // The narrow page is laid out and drawn: touches find what they would on a screen.
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    const scrolled = () => page.evaluate("scrollY");
    const before = await scrolled();
    const { x, y, width } = (await page.locator("svg.board").boundingBox())!;
    const middle = { x: x + width / 2, y: y + width / 2 };
    const count = (await movesOn(page)).length;
    await moveFinger(page, middle, { x: middle.x, y: middle.y - 90 });
    await moveFinger(page, middle, { x: middle.x + 90, y: middle.y });
    await expect.poll(async () => (await movesOn(page)).length).toBeGreaterThan(count);
    expect(await scrolled()).toBe(before);
    expect([...wrong, ...chess.wrong]).toEqual([]);
  });

  test("a reload keeps the game, and so does its address in another window", async () => {
    const { page, wrong } = await personsPage("tic-tac-toe");
    await page.locator("[aria-label=b2]").click();
    await expect.poll(() => movesOn(page)).toEqual(["b2"]);
    await page.locator("[aria-label=a1]").click();
    await expect.poll(() => movesOn(page)).toEqual(["b2", "a1"]);
    await page.reload();
    await awaitTurn(page);
    expect(await movesOn(page)).toEqual(["b2", "a1"]);
    expect(await page.getByRole("combobox").nth(0).inputValue()).toBe("-1");
    // Also that it was begun anew.
    await button(page, "new game").click();
    await expect.poll(() => movesOn(page)).toEqual([]);
    await page.reload();
    await awaitTurn(page);
    expect(await movesOn(page)).toEqual([]);
    await page.locator("[aria-label=b2]").click();
    await expect.poll(() => movesOn(page)).toEqual(["b2"]);
    await page.locator("[aria-label=a1]").click();
    await expect.poll(() => movesOn(page)).toEqual(["b2", "a1"]);
    const { pathname, hash } = new URL(page.url());
    const other = await openPage(pathname, { place: hash });
    await awaitTurn(other.page);
    expect(await movesOn(other.page)).toEqual(["b2", "a1"]);
    expect(wrong).toEqual([]);
  });

  test.each(["moves=4.4", "moves=77", "moves=x", "moves=-1", "from=nonsense&moves="])(
    "the address %s, which the rules do not allow, is refused with a sentence",
    async (text) => {
      const { page, wrong } = await personsPage("tic-tac-toe", { query: `&${text}` });
      expect(await page.getByRole("alert").textContent()).toMatch(
        /^The game in the address cannot be shown: /,
      );
      expect(await movesOn(page)).toEqual([]);
      await page.locator("[aria-label=b2]").click();
      await expect.poll(() => movesOn(page)).toEqual(["b2"]);
      expect(wrong).toEqual([]);
    },
  );

  test("a game is saved in the formats of the field, and reads back as it was", async () => {
    const { page, wrong, game } = await personsPage("chess");
    for (const place of ["f2,", "f3", "e7,", "e5", "g2,", "g4", "d8,", "h4"])
      await page.locator(`[aria-label^='${place}']`).click();
    await expect.poll(() => page.locator(".turn").textContent()).toBe("Black has won (checkmate)");
    const saving = page.getByRole("region", { name: "Save and set up" });
    const saved = async (format: string) => {
      await saving.getByRole("combobox").selectOption(format);
      const [file] = await Promise.all([page.waitForEvent("download"), button(page, "save").click()]);
      return { name: file.suggestedFilename(), text: readFileSync(await file.path(), "utf8") };
    };
    const pgn = await saved("pgn");
    expect(pgn.name).toBe("run.pgn");
    expect(pgn.text).toContain("1. f3 e5 2. g4 Qh4# 0-1");
    const [read] = Array.from(game.transcripts["pgn"]!.read!(pgn.text));
    expect(moveTexts(game, { ...read!, openingLength: 0 } as never)).toEqual(await movesOn(page));
    expect(JSON.parse((await saved("jsonl")).text)).toMatchObject({
      moves: ["f3", "e5", "g4", "Qh4#"],
      returns: [-1, 1],
    });
    expect(wrong).toEqual([]);
  });

  test("a position is set up in the game's notation; nonsense is refused with a sentence", async () => {
    const { page, wrong } = await personsPage("chess");
    const saving = page.getByRole("region", { name: "Save and set up" });
    await saving.getByRole("textbox").fill("8/8/8/8/8/8/8/nonsense");
    await button(page, "set up").click();
    await saving.getByRole("alert").waitFor();
    await saving.getByRole("textbox").fill("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    await button(page, "set up").click();
    await expect.poll(() => page.locator(".turn").textContent()).toMatch(/^a draw \(stalemate/);
    await page.reload();
    await expect.poll(() => page.locator(".turn").textContent()).toMatch(/^a draw \(stalemate/);
    expect(wrong).toEqual([]);
  });

  test("an agent analyses the shown position on and on, until it is switched off or knows all", async () => {
    const entrants = ["random", "alpha-beta:depth=2"];
    const dir = await playedRun({ name: "analysis", game: "tic-tac-toe", seed: "play", blocks: 1, entrants });
    const { page, wrong } = await openPage(await writtenReport(dir), {
      place: "#/run/play?seat=&seat=&moves=0.4.1",
    });
    const analysis = page.getByRole("region", { name: "Analysis" });
    await analysis.getByRole("combobox").selectOption("alpha-beta:depth=2");
    await button(page, "analyse").click();
    await analysis.getByText("this is its last word").waitFor();
    // Player 2 must stop the row of player 1, and then draws.
    const lines = await analysis.locator("li").allTextContents();
    expect(lines[0]).toMatch(/^0 c1 /);
    expect(lines).toHaveLength(3);
    for (const line of lines.slice(1)) expect(line).toMatch(/^-1 /);
    await page.locator("[aria-label=c1]").click();
    await expect.poll(() => analysis.locator("li").first().textContent()).not.toBe(lines[0]);
    await button(page, "analyse").click();
    await expect.poll(() => analysis.locator("li").count()).toBe(0);
    expect(wrong).toEqual([]);
  });

  test("backgammon's last move stays marked while the next player looks at the dice", async () => {
    const { page } = await personsPage({ id: "backgammon", maxTurns: 12 });
    const frames = page.locator("svg.board .s-mark");
    const random = createRandom("men");
    while ((await movesOn(page)).filter((text) => !text.startsWith("[")).length < 1) {
      await chooseAny(page, random);
      await awaitTurn(page);
    }
    await expect.poll(() => movesOn(page).then((moves) => moves.at(-1))).toMatch(/^\[/);
    expect(await frames.count()).toBeGreaterThanOrEqual(2);
  });
});

/** The name of the element that has the focus. */
function focused(page: Page): Promise<string> {
  return page.evaluate(
    "(document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent).slice(0, 40)",
  );
}
