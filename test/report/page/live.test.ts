import { join } from "node:path";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { startAgon, temporaryFolder, writeInto } from "../../support/agon.ts";
import { hasBrowserForAll, openPage } from "../../support/page/browser.ts";
import { ROOT } from "../../support/reports.ts";
import type { PageData } from "../../../src/report/page/data.ts";
import { fillRun } from "../../support/made-up-run.ts";
import { startServing } from "../../support/servers/agon-serve.ts";

/** The faults that axe finds in the page. */
async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe: checker } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await checker.run();
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  });
}

/** The number before " of " in the text of an element: games played. */
async function playedIn(page: Page, selector: string): Promise<number> {
  const text = await page.textContent(selector);
  return Number(/([\d,]+) of [\d,]+ games/.exec(text!)![1]!.replaceAll(",", ""));
}

/** Waits until more games are played than now. */
async function moves(page: Page, selector: string): Promise<void> {
  const before = await playedIn(page, selector);
  await expect.poll(() => playedIn(page, selector), { timeout: 30_000 }).toBeGreaterThan(before);
}

const small = {
  name: "small",
  game: "tic-tac-toe",
  blocks: 5,
  openings: { randomPlies: 1 },
  entrants: ["random", "alpha-beta:depth=2"],
};

/** However fast the machine is, half a minute: there is time to look on. */
const long = { ...small, name: "long", blocks: 900, entrants: ["random", "mcts:timeMs=5"] };

describe.runIf(hasBrowserForAll)("agon serve in a browser", () => {
  test("the list has every folder, by its name; nobody is shut out, nothing goes wrong", async () => {
    const dir = temporaryFolder();
    const names = [
      "one",
      `<script>alert("1")</script>`.replace("/", " "),
      `it's "%2f" ${"long ".repeat(20)}`,
    ];
    for (const name of names) await fillRun(join(dir, name), small);
    writeInto(dir, "no run", "a file");
    const { address } = await startServing(dir);
    for (const dark of [false, true]) {
      const { page, wrong } = await openPage(address, { dark, width: dark ? 320 : 1280 });
      await page.waitForSelector(".runs tbody tr");
      const folders = page.locator(".runs tbody tr");
      expect(
        await folders.evaluateAll((rows) =>
          rows.map((row) => row.getAttribute("data-folder")!).toSorted((a, b) => (a < b ? -1 : 1)),
        ),
      ).toEqual(names.toSorted());
      expect(await violationsOf(page)).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
      for (let row = 0; row < names.length; row++) {
        await page.locator(".runs tbody tr").nth(row).locator("a").click();
        await page.waitForSelector(".views");
        expect(await page.textContent(".strip")).toContain("10 of 10 games");
        expect(await violationsOf(page)).toEqual([]);
        expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
        await page.click("text=All runs");
        await page.waitForSelector(".runs");
      }
      expect(wrong).toEqual([]);
    }
  });

  test("a run that is killed and resumed is followed to its end; a game that is looked at stays", async () => {
    const dir = temporaryFolder();
    const runs = join(dir, "runs");
    const out = join(runs, "live");
    await fillRun(join(runs, "other"), small);
    const { address } = await startServing(runs);
    const { page, wrong } = await openPage(address);
    await page.waitForSelector("[data-folder=other]");

    const args = ["run", writeInto(dir, "long.json", long), "--out", out, "--workers", "1", "-q"];
    const first = startAgon(args);
    onTestFinished(() => void first.child.kill("SIGKILL"));
    const row = "[data-folder=live]";
    await page.waitForSelector(`${row} :text("going on")`);
    await moves(page, row);

    // The standings come by themselves, and so do games, marked as new.
    await page.click(`${row} a`);
    await page.waitForSelector("table >> text=mcts:timeMs=5");
    await page.click("nav >> text=Games");
    await page.waitForSelector(".games .fresh");

    // A game on the table stays, with its position, while others come in.
    await page.click(".games a");
    await page.waitForSelector(".replay");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await page.waitForSelector(".turn >> text=After 1 of");
    await expect.poll(() => page.url()).toMatch(/at=1$/);
    const place = page.url();
    const turn = await page.textContent(".turn");
    await moves(page, ".strip");
    first.child.kill("SIGKILL");
    await first.outcome;
    await page.waitForSelector(`.strip :text("stopped")`);
    const second = startAgon([...args, "--resume"]);
    onTestFinished(() => void second.child.kill("SIGKILL"));
    await page.waitForSelector(`.strip :text("going on")`);
    expect(await second.outcome).toMatchObject({ code: 0 });
    await page.waitForSelector(`.strip :text("finished")`);
    expect(await playedIn(page, ".strip")).toBe(1800);
    expect([page.url(), await page.textContent(".turn")]).toEqual([place, turn]);

    // A page that is opened later shows that game too, though it is not among the newest.
    const { page: later, wrong: laterWrong } = await openPage(address, {
      place: new URL(place).hash,
    });
    await later.waitForSelector(".replay");
    await page.click("nav >> text=Standings");
    await page.waitForSelector("text=1800 games");
    expect([wrong, laterWrong]).toEqual([[], []]);
  });

  test("games that are being played are shown as they go on, until the run is stopped", async () => {
    const dir = temporaryFolder();
    const runs = join(dir, "runs");
    await fillRun(join(runs, "other"), small);
    const { address } = await startServing(runs);
    const { page, wrong } = await openPage(address);
    const slow = {
      ...small,
      name: "slow",
      game: "othello",
      time: "30",
      entrants: ["alpha-beta:timeMs=150", "mcts:timeMs=150"],
    };
    const args = ["run", writeInto(dir, "slow.json", slow), "--out", join(runs, "live"), "--workers", "2"];
    const { child, outcome } = startAgon([...args, "-q"]);
    onTestFinished(() => void child.kill("SIGKILL"));
    await page.click("[data-folder=live] a");
    await page.click(".strip >> text=at play");
    const board = page.locator("[data-at-play] svg.board").first();
    const before = await board.getAttribute("aria-label");
    await expect.poll(() => board.getAttribute("aria-label")).not.toBe(before);
    expect(await page.locator("[data-at-play]").first().textContent()).toMatch(
      /^(?:alpha-beta|mcts):timeMs=150 \(\d+ s\) - .* s\)\d+ actions, last .+; (?:Black|White) to move/,
    );
    expect(await violationsOf(page)).toEqual([]);
    child.kill("SIGINT");
    await outcome;
    await page.waitForSelector(`.strip :text("stopped")`);
    await page.locator("[data-at-play]").first().waitFor({ state: "detached" });
    expect(wrong).toEqual([]);
  });

  test("a page whose server has ended says so and keeps what it has", async () => {
    const dir = temporaryFolder();
    await fillRun(join(dir, "one"), small);
    const { address, stop } = await startServing(dir);
    const { page } = await openPage(address, { place: "#/one/games" });
    await page.waitForSelector(".games a");
    await stop();
    await page.waitForSelector("text=The server does not answer");
    await page.click(".games a");
    // The games are made up, so that this one has no moves to show.
    await page.waitForSelector("text=All games");
  });

  test("a game of the user's is drawn when somebody looks at it", async () => {
    const dir = temporaryFolder();
    const game = join(ROOT, "examples/kalah/kalah.ts");
    await fillRun(join(dir, "own"), { ...small, game });
    const { address } = await startServing(dir);
    const data = (await (await fetch(`${address}runs/own`)).json()) as PageData;
    expect(data.tournaments[0]!.games.every(({ drawn }) => drawn === undefined)).toBe(true);
    const { page, wrong } = await openPage(`${address}#/own/games`);
    await page.locator(".games a").first().click();
    await page.locator("svg.board").waitFor();
    await page.getByRole("button", { name: "one on" }).click();
    expect(await page.locator(".s-mark").count()).toBe(1);
    expect(wrong).toEqual([]);
  });
});
