import { join } from "node:path";
import { describe, expect } from "vitest";
import { formatPercent } from "../../../src/base/text.ts";
import { agon } from "../../support/agon.ts";
import { hasBrowser, openPage } from "../../support/page/browser.ts";
import { violationsIn } from "../../support/page/inspect-page.ts";
import { tableOf, titlesOf } from "../../support/page/read-page.ts";
import { playedRun, trainedRun, writtenReport } from "../../support/reports.ts";
import { createGame } from "../../../src/games/index.ts";
import { storedGames } from "../../support/stored-games.ts";
import { slowTest } from "../../support/thorough.ts";

describe.runIf(hasBrowser)("opinions about a position of a replay", () => {
  slowTest("two agents say what agon analyze says, each with its search tree", async () => {
    const agents = ["alpha-beta:depth=3,evaluator=threats", "descent:simulations=50,evaluator=threats"];
    const dir = await playedRun({ name: "two", game: "connect-four", blocks: 1, entrants: agents });
    const [{ id, actions, seats } = expect.fail()] = storedGames(dir);
    const { page, wrong } = await openPage(await writtenReport(dir), {
      place: `#/run/games?game=${id}&at=6`,
    });
    expect(await page.getByRole("slider").inputValue()).toBe("6");
    await page.getByRole("button", { name: "ask two agents" }).click();
    const rules = createGame("connect-four");
    const state = rules.start();
    for (const action of actions.slice(0, 6)) state.apply(action);
    const position = rules.formatState(state);
    for (const [at, seat] of seats.entries()) {
      const opinion = page.locator(".opinions > div").nth(at);
      const asked = ["analyze", "connect-four", "--state", position, "--agent", agents[seat]!, "--json"];
      const { action, nodes, line } = JSON.parse((await agon(asked)).stdout) as {
        action: string;
        nodes: number;
        line: readonly string[];
      };
      expect(await opinion.locator("b").textContent()).toBe(action);
      const text = await opinion.textContent();
      expect(text).toContain(`${nodes.toLocaleString("en")} nodes`);
      expect(text).toContain(`expected ${line.join(" ")}`);
    }
    expect(await violationsIn(page)).toEqual([]);
    await page.getByRole("link", { name: "Its search tree" }).nth(1).click();
    const note = await page.getByText(`${position}: it plays`).textContent();
    const tree = await agon([
      "tree",
      "connect-four",
      "--state",
      position,
      "--agent",
      agents[seats[1]!]!,
      "--json",
    ]);
    const { decision } = JSON.parse(tree.stdout) as { decision: { action: string } };
    expect(note).toBe(`connect-four, ${position}: it plays ${decision.action}.`);
    expect(await page.locator("svg .node").count()).toBeGreaterThan(1);
    await page.getByRole("link", { name: "Back to the game" }).click();
    expect(await page.getByRole("slider").inputValue()).toBe("6");
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => page.evaluate("location.hash")).toBe(`#/run/games?game=${id}&at=7`);
    expect(wrong).toEqual([]);
  });

  slowTest("a search with a policy has its mind beside its visits, also on the board", async () => {
    const training = await trainedRun({
      name: "policy",
      game: "tic-tac-toe",
      games: 40,
      round: 20,
      evaluator: { kind: "network", features: "lines", hidden: [4], policy: true },
      learner: { rule: "expert", stepSize: 0.01, search: "mcts:simulations=4,priors=policy" },
      exploration: { epsilon: 0 },
      checkpoints: 1,
      rating: { pool: ["random"], player: "greedy", blocks: 1 },
    });
    const evaluator = join(training, "weights.json");
    const agent = `mcts:simulations=40,priors=policy,root=gumbel,evaluator=${evaluator}`;
    const dir = await playedRun({ name: "run", game: "tic-tac-toe", blocks: 1, entrants: [agent, "random"] });
    const [{ id } = expect.fail()] = storedGames(dir);
    const { page, wrong } = await openPage(await writtenReport(dir), {
      place: `#/run/games?game=${id}&at=0`,
    });
    await page.getByRole("button", { name: "ask two agents" }).click();
    const opinion = page.locator(".opinions > div").filter({ hasText: "improved%" });
    await opinion.waitFor();
    const asked = ["analyze", "tic-tac-toe", "--agent", agent, "--multipv", "9", "--json"];
    const { best } = JSON.parse((await agon(asked)).stdout) as {
      best: readonly { visits: number; share: number; prior: number; improved: number; line: string[] }[];
    };
    expect(await titlesOf(page, "Its actions")).toEqual([
      "#",
      "value",
      "prior%",
      "visits",
      "share%",
      "improved%",
      "line",
    ]);
    const table = await tableOf(page, "Its actions");
    expect(table.map((row) => [row[2], row[3], row[5]])).toEqual(
      best.map(({ prior, visits, improved }) => [
        formatPercent(prior),
        String(visits),
        formatPercent(improved),
      ]),
    );
    expect(await page.locator(".mark").count()).toBe(0);
    for (const [figure, of] of [
      ["prior", "prior"],
      ["visits", "share"],
      ["improved policy", "improved"],
    ] as const) {
      await opinion.getByLabel("on the board").selectOption(figure);
      const names = best
        .filter((one) => one[of] > 0)
        .map((one) => `${one.line[0]}: ${formatPercent(one[of])}%`);
      await expect
        .poll(() =>
          page.locator(".mark").evaluateAll((all) => all.map((one) => one.getAttribute("data-mark"))),
        )
        .toEqual(names);
    }
    await page.keyboard.press("ArrowRight");
    await opinion.getByLabel("on the board").selectOption("nothing");
    await expect.poll(() => page.locator(".mark").count()).toBe(0);
    expect(await violationsIn(page)).toEqual([]);
    expect(wrong).toEqual([]);
  });

  slowTest(
    "an agent without a tree of its own has an opinion alone, also where something is hidden",
    async () => {
      const agent = "determinized:worlds=5";
      const dir = await playedRun({ name: "hidden", game: "leduc", blocks: 1, entrants: ["random", agent] });
      const [{ id } = expect.fail()] = storedGames(dir);
      const { page, wrong } = await openPage(await writtenReport(dir), {
        place: `#/run/games?game=${id}&at=2`,
      });
      await page.getByRole("button", { name: "ask two agents" }).click();
      await page.locator(".opinions b").nth(1).waitFor();
      expect(await page.getByRole("link", { name: "Its search tree" }).count()).toBe(0);
      expect(wrong).toEqual([]);
    },
  );
});
