import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Store } from "../../../src/arena/store/store.ts";
import { temporaryFolder } from "../../support/agon.ts";
import { hasBrowserForAll, openPage } from "../../support/page/browser.ts";
import { playedRun, ROOT, writtenReport } from "../../support/reports.ts";
import { storedGames } from "../../support/stored-games.ts";
import { slowTest } from "../../support/thorough.ts";

describe.runIf(hasBrowserForAll)("what is missing is said", () => {
  test("weights that are gone: the games are shown, and who cannot play and why", async () => {
    const dir = await playedRun({
      name: "gone",
      game: "tic-tac-toe",
      blocks: 1,
      entrants: ["random", { name: "own", agent: "greedy", evaluator: "weights/tic-tac-toe/linear.json" }],
    });
    rmSync(join(dir, "weights"), { recursive: true });
    const { page, wrong } = await openPage(await writtenReport(dir), { place: "#/run/play" });
    await page.getByText("1 cannot play here").click();
    await page.getByText(/^own: its weights cannot be read: weights\/\S+\.json: /).waitFor();
    expect(await page.getByRole("option", { name: "own" }).first().isDisabled()).toBe(true);
    await page.getByRole("link", { name: "Games" }).click();
    await page.locator(".games a").first().click();
    await page.locator("svg.board").waitFor();
    expect(wrong).toEqual([]);
  });

  slowTest(
    "rules that are in a file of the user's: its games are replayed, and nobody can play it",
    async () => {
      const folder = temporaryFolder();
      cpSync(join(ROOT, "examples/twenty-one"), folder, { recursive: true });
      const config = {
        name: "own",
        game: "./twenty-one.ts",
        blocks: 1,
        entrants: ["random", "mcts:simulations=9"],
      };
      const dir = await playedRun(config, { baseDir: folder });
      const file = await writtenReport(dir);
      const { page, wrong } = await openPage(file, { place: "#/run/games" });
      const [link] = await page.locator(".games a").all();
      const id = new URLSearchParams((await link!.getAttribute("href"))!.split("?")[1]).get("game");
      await link!.click();
      const { actions } = storedGames(dir).find((game) => game.id === id)!;
      await page.keyboard.press("End");
      const turn = await page.locator(".turn").textContent();
      expect(turn).toContain(`After ${actions.length} of ${actions.length}`);
      for (const view of ["Standings", "Where it comes from"]) {
        await page.getByRole("link", { name: view }).click();
        await page.getByRole("heading", { level: 2 }).first().waitFor();
      }
      await page.getByRole("link", { name: "Play" }).click();
      await page.getByText("The rules of this game are in a file of yours").waitFor();
      expect(wrong).toEqual([]);
    },
  );

  slowTest("a run without a game, and a stored game that does not fit the rules", async () => {
    const dir = await playedRun({
      name: "odd",
      game: "chess",
      blocks: 1,
      entrants: ["random", "greedy:evaluator=material"],
    });
    const store = Store.open(dir);
    const record = store.records()[0]!;
    // The first move twice.
    store.add([{ ...record, id: "0dd", actions: [record.actions[0]!, ...record.actions] }]);
    const plan = store.loadPlan()!;
    store.close();
    const { page, wrong } = await openPage(await writtenReport(dir), {
      place: "#/run/games?game=0dd",
    });
    await page.getByText(/do not fit the rules/).waitFor();
    expect(wrong).toEqual([]);

    const empty = temporaryFolder();
    const other = Store.open(empty);
    other.savePlan(plan);
    other.close();
    const file = await writtenReport(empty);
    for (const view of ["standings", "origins", "games", "play"]) {
      const opened = await openPage(file, { place: `#/${empty.split("/").at(-1)}/${view}` });
      await opened.page.getByText("The run is not finished: 0 of 2 games are played.").waitFor();
      if (view === "play") await opened.page.locator("svg.board").waitFor();
      expect(opened.wrong).toEqual([]);
    }
  });
});
