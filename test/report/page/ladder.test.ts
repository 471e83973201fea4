import { mkdirSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { issueTokens } from "../../../src/arena/ladder/tokens.ts";
import { startAgon, temporaryFolder, writeInto } from "../../support/agon.ts";
import { botText } from "../../support/ladder-bots.ts";
import { hasBrowserForAll, openPage } from "../../support/page/browser.ts";

/** Starts a ladder with its page; the page's address. */
async function serveLadder(
  dir: string,
  { game = "tic-tac-toe", agents = ["random", "mcts:simulations=20"] } = {},
): Promise<string> {
  const args = ["--agent", ...agents, "--forfeits", "2", "--workers", "1"];
  // By a relative path, as people type it.
  const { child } = startAgon(["ladder", basename(dir), "--game", game, "--port", "0", "--trust", ...args]);
  onTestFinished(() => void child.kill("SIGKILL"));
  return new Promise((resolve, reject) => {
    let said = "";
    child.stderr!.on("data", (text: string) => {
      said += text;
      const found = /Its page is at (http:\S+)\n/.exec(said);
      if (found !== null) resolve(found[1]!);
    });
    child.once("close", () => reject(new Error(said)));
  });
}

describe.runIf(hasBrowserForAll)("the page of a ladder", () => {
  test.each([1280, 390])(
    "shows bots, their standings and their faults, and takes new ones, %i wide",
    async (width) => {
      const dir = temporaryFolder();
      mkdirSync(`${dir}/bots`);
      writeInto(dir, "bots/low.mjs", botText("first"));
      writeInto(dir, "bots/odd.mjs", botText("illegal"));
      const ann = issueTokens(dir, ["ann"]).get("ann")!;
      const address = await serveLadder(dir);
      const { page, wrong } = await openPage(address, { width });
      await expect.poll(() => new URL(page.url()).hash).toBe(`#/${basename(dir)}/ladder`);
      const rows = page.locator(".panel table").first().locator("tbody tr");
      await page.waitForSelector("text=odd is set aside: 2 forfeits in a row", { timeout: 60_000 });
      await expect.poll(async () => rows.count()).toBe(3);
      // The reigning bot is the first of the table, and stands on the hill.
      const best = await rows.first().locator("th").textContent();
      await expect
        .poll(async () => page.textContent(".hill .reigning"))
        .toBe(await rows.first().locator("th").textContent());
      expect(["low", "random", "mcts:simulations=20"]).toContain(best);
      expect(await page.locator(".hill circle").count()).toBe(3);
      const games = async () =>
        Number((await page.textContent(".strip"))!.match(/([\d,]+) games/)![1]!.replace(",", ""));
      const before = await games();
      await expect.poll(games, { timeout: 30_000 }).toBeGreaterThan(before);
      const overflow = async () => page.evaluate("document.documentElement.scrollWidth - innerWidth");
      expect(await overflow()).toBe(0);

      await page.click("text=odd is set aside >> a");
      await page.waitForSelector("h2:text-is('odd')");
      expect(await page.textContent("main")).toContain("It is set aside: 2 forfeits in a row");
      expect(await page.textContent("main")).not.toContain("the last lines");
      expect(await page.locator("h2:text-is('Opponents')").count()).toBe(1);
      expect(await overflow()).toBe(0);
      await page.click("text=The ladder");

      await page.fill("label:has-text('Your token') input", ann);
      const file = { name: "mine.mjs", mimeType: "text/javascript", buffer: Buffer.from(botText("last")) };
      await page.setInputFiles("input[type=file]", file);
      await page.click("button:text-is('Send')");
      await page.waitForSelector("text=It was accepted", { timeout: 30_000 });
      await expect.poll(async () => rows.allTextContents(), { timeout: 30_000 }).toHaveLength(4);
      expect((await rows.locator("th").allTextContents()).toSorted()).toEqual([
        "ann",
        "low",
        "mcts:simulations=20",
        "random",
      ]);
      const refused = { ...file, buffer: Buffer.from(botText("illegal")) };
      await page.setInputFiles("input[type=file]", refused);
      await page.click("button:text-is('Send')");
      await page.waitForSelector("text=It was refused, and the bot before it stays.", { timeout: 30_000 });
      expect(await page.textContent("pre")).toContain("is not a legal action");
      expect(await overflow()).toBe(0);
      // The browser itself notes that an answer was a refusal.
      expect(wrong.filter((text) => !text.includes("422"))).toEqual([]);
    },
    180_000,
  );

  test.each([1280, 390])(
    "of three players waits for the third one, %i wide",
    async (width) => {
      const dir = temporaryFolder();
      const agents = ["random", "mcts:simulations=20"];
      const address = await serveLadder(dir, { game: "nim:players=3", agents });
      const { page, wrong } = await openPage(address, { width });
      await page.waitForSelector("text=The ladder waits: its games have 3 seats, and 2 entrants are there.");
      expect(await page.locator(".hill").count()).toBe(0);
      mkdirSync(`${dir}/bots`, { recursive: true });
      writeInto(dir, "bots/low.mjs", botText("first"));
      await expect.poll(async () => page.locator(".hill circle").count(), { timeout: 30_000 }).toBe(3);
      expect(await page.textContent("main")).not.toContain("The ladder waits");
      await page.click("th >> text=low");
      await page.waitForSelector("h2:text-is('Opponents')");
      expect(await page.locator(".panel:has-text('Against') tbody tr").count()).toBe(2);
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
      expect(wrong).toEqual([]);
    },
    120_000,
  );

  test.each([1280, 390])(
    "of one player ranks by mean return, %i wide",
    async (width) => {
      const dir = temporaryFolder();
      const game = "2048:width=2,height=2";
      const { page, wrong } = await openPage(await serveLadder(dir, { game }), { width });
      await expect.poll(async () => page.locator(".hill circle").count(), { timeout: 30_000 }).toBe(2);
      const heads = await page.locator(".panel table").first().locator("thead th").allTextContents();
      expect(heads.slice(2, 4)).toEqual(["Return", "95%"]);
      const cells = page.locator(".panel table").first().locator("tbody tr td:nth-child(3)");
      const figures = async () => (await cells.allTextContents()).map(Number);
      await expect.poll(async () => (await figures())[0]! > 0, { timeout: 30_000 }).toBe(true);
      const shown = await figures();
      expect(shown).toEqual(shown.toSorted((a, b) => b - a));
      await page.click("th >> text=random");
      await page.waitForSelector("h2:text-is('The others')");
      expect(await page.locator(".panel:has-text('Against') tbody th a").count()).toBe(0);
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
      expect(wrong).toEqual([]);
    },
    120_000,
  );
});
