import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { planTournament, type TournamentConfig } from "../../../src/arena/plan/config.ts";
import { runTournament } from "../../../src/arena/play/run.ts";
import { schedule } from "../../../src/arena/schedule/rounds.ts";
import { openRun } from "../../../src/arena/store/run-folder.ts";
import { Store } from "../../../src/arena/store/store.ts";
import { createGame } from "../../../src/games/index.ts";
import type { FormatResults, RunReport } from "../../../src/ratings/format-results.ts";
import type { GameRecord } from "../../../src/ratings/record.ts";
import { logLikelihoodRatio } from "../../../src/ratings/sprt/likelihood.ts";
import { agon, temporaryFolder, writeInto } from "../../support/agon.ts";
import { hasBrowser, openPage } from "../../support/page/browser.ts";
import { overflowOf, violationsIn } from "../../support/page/inspect-page.ts";
import { listedGames, marksOf, tableOf } from "../../support/page/read-page.ts";
import { playedRun, writtenReport } from "../../support/reports.ts";
import { storedGames } from "../../support/stored-games.ts";
import { slowTest } from "../../support/thorough.ts";

/*
 * The page draws the results of formats as `agon rate` prints them; games are counted here from the store.
 */

const ENTRANTS = [
  "random",
  "alpha-beta:depth=1",
  "mcts:simulations=10",
  "alpha-beta:depth=3",
  "mcts:simulations=40",
  "alpha-beta:depth=2",
];

function configOf(format: TournamentConfig["format"], change: Partial<TournamentConfig> = {}) {
  return {
    name: "rounds",
    game: "tic-tac-toe",
    blocks: 2,
    openings: { randomPlies: 1 },
    entrants: ENTRANTS,
    format,
    ...change,
  };
}

type Of<Type> = Extract<FormatResults, { type: Type }>;

async function reportOf(dir: string): Promise<RunReport> {
  const { stdout } = await agon(["rate", dir, "--format", "json"]);
  return JSON.parse(stdout) as RunReport;
}

async function resultsOf<Type extends FormatResults["type"]>(dir: string, _type: Type): Promise<Of<Type>> {
  return (await reportOf(dir)).format as Of<Type>;
}

/** The stored games of a run in the order of the schedule. */
async function scheduledGames(dir: string): Promise<GameRecord[]> {
  const store = Store.openExisting(dir);
  const plan = store.requirePlan(dir);
  const find = store.finder();
  const games = schedule(plan, createGame(plan.game), store.scorer());
  const records = Array.from(games, ({ id }) => find(id)!);
  store.close();
  return records;
}

/** Follows a link; the games listed then are those of some entrants, by their seats in any order. */
async function expectGames(
  page: Page,
  href: string,
  { dir, names }: { dir: string; names: readonly string[] },
): Promise<void> {
  const back = page.url();
  await page.evaluate(`location.hash = ${JSON.stringify(href)}`);
  await page.locator(".games tbody tr").first().waitFor();
  const ids = (await listedGames(page)).map(({ id }) => id);
  const own = storedGames(dir).filter(({ seats }) =>
    names.every((name) => seats.some((seat) => ENTRANTS[seat] === name)),
  );
  expect(own.length).toBeGreaterThan(0);
  expect(ids.toSorted()).toEqual(own.map(({ id }) => id).toSorted());
  await page.goto(back);
  await page.locator(".bracket, td.heat").first().waitFor();
}

/** The matches of the bracket, round by round: names, scores, the winner, and the link. */
async function bracketOf(page: Page) {
  return page.locator(".bracket section").evaluateAll((rounds) =>
    rounds.map((round) => ({
      name: round.querySelector("h3")!.textContent,
      matches: Array.from(round.querySelectorAll(".match"), (match: typeof round) => ({
        href: match.getAttribute("href"),
        cells: Array.from(match.querySelectorAll(".side"), (side: typeof round) =>
          Array.from(side.children, (cell: typeof round) => cell.textContent),
        ),
        winner: match.querySelector(".winner .name")?.textContent ?? null,
        isOnPath: match.closest("li")!.className === "path",
      })),
    })),
  );
}

describe.runIf(hasBrowser)("the page shows", () => {
  slowTest("the bracket of a knockout: byes, scores, the winner's path and the third place", async () => {
    const dir = await playedRun(configOf({ type: "knockout", thirdPlace: true }));
    const { rounds } = await resultsOf(dir, "knockout");
    const { page, wrong } = await openPage(await writtenReport(dir));
    const drawn = await bracketOf(page);
    expect(drawn.map(({ name }) => name)).toEqual(["quarter-finals", "semi-finals", "final", "third place"]);
    const champion = rounds.at(-1)!.matches[0]!.winner;
    for (const { name, matches } of rounds) {
      const shown = drawn.find((round) => round.name === name)!.matches;
      expect(shown.filter(({ href }) => href !== null)).toHaveLength(matches.length);
      for (const { place, entrants, seeds, scores, winner } of matches) {
        const match = shown[place]!;
        expect(match.cells).toEqual(
          entrants.map((entrant, side) => [String(seeds[side]), entrant, String(scores[side])]),
        );
        expect(match.winner).toBe(winner);
        expect(match.isOnPath).toBe(winner === champion);
        if (name !== "quarter-finals") await expectGames(page, match.href!, { dir, names: entrants });
      }
    }
    expect(drawn[0]!.matches[0]!.cells).toEqual([["1", "random", "bye"]]);
    expect(drawn[0]!.matches[2]!.cells).toEqual([["2", "alpha-beta:depth=1", "bye"]]);
    await page.getByText(`${champion} wins.`).waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await overflowOf(page)).toBe(0);
    expect(wrong).toEqual([]);
  });

  slowTest("a bracket whose later rounds are not known yet", async () => {
    const dir = join(temporaryFolder(), "run");
    const plan = await planTournament(configOf({ type: "knockout" }, { entrants: ENTRANTS.slice(0, 4) }));
    const opened = openRun(dir, plan, { resume: false });
    const stop = new AbortController();
    const onProgress = ({ done }: { done: number }) => done >= 5 && stop.abort();
    await runTournament({ ...opened, dir, workers: 0, signal: stop.signal, onProgress });
    opened.store.close();
    const { page, wrong } = await openPage(await writtenReport(dir));
    const drawn = await bracketOf(page);
    expect(drawn.map(({ name }) => name)).toEqual(["semi-finals", "final"]);
    const [first, second] = drawn[0]!.matches;
    expect([first!.winner !== null, second!.winner]).toEqual([true, null]);
    expect(drawn[1]!.matches[0]!.cells.map(([, name]) => name)).toEqual([first!.winner, "…"]);
    await page.getByText("The matches so far.").waitFor();
    expect(wrong).toEqual([]);
  });

  slowTest("the rounds of a Swiss tournament: opponents, results, points and Buchholz", async () => {
    const dir = await playedRun(configOf({ type: "swiss", rounds: 3 }, { entrants: ENTRANTS.slice(0, 5) }));
    const { standings } = await resultsOf(dir, "swiss");
    const { page, wrong } = await openPage(await writtenReport(dir));
    const rows = await tableOf(page, "Swiss: standings after 3 rounds");
    const rankOf = new Map(standings.map(({ rank, name }) => [name, rank]));
    for (const [at, { rank, name, points, buchholz, score: all, rounds }] of standings.entries()) {
      const score = (100 * all).toFixed(1);
      expect(rows[at]!.slice(0, 5)).toEqual([String(rank), name, String(points), String(buchholz), score]);
      const cells = page.locator("[aria-label^='Swiss'] tbody tr").nth(at).locator("td, th");
      for (const [round, result] of rounds.entries()) {
        const { opponents, points: own, score: share } = result!;
        const opponent = opponents[0];
        const sign = own === 1 ? "+" : own === 0 ? "-" : "=";
        expect(rows[at]![5 + round]).toBe(
          opponent === undefined
            ? "bye"
            : `${rankOf.get(opponent)}${sign} ${(100 * share).toFixed(1)}% ${opponent}`,
        );
        if (opponent === undefined || rank > 1) continue;
        const href = await cells
          .nth(5 + round)
          .locator("a")
          .getAttribute("href");
        await expectGames(page, href!, { dir, names: [name, opponent] });
      }
    }
    expect(await violationsIn(page)).toEqual([]);
    expect(wrong).toEqual([]);
  });

  slowTest("each challenger of a gauntlet against the field", async () => {
    const dir = await playedRun(configOf({ type: "gauntlet", challengers: ENTRANTS.slice(3, 5) }));
    const { challengers } = await resultsOf(dir, "gauntlet");
    const { page, wrong } = await openPage(await writtenReport(dir));
    for (const { name, opponents } of challengers) {
      const rows = await tableOf(page, `Gauntlet: ${name} against the field`);
      expect(rows.map((row) => row.slice(1, 5))).toEqual(
        opponents.map(({ name: opponent, elo, games, score }) => [
          opponent,
          String(Math.round(elo) + 0),
          String(games),
          (100 * score).toFixed(1),
        ]),
      );
    }
    expect(await violationsIn(page)).toEqual([]);
    expect(wrong).toEqual([]);
  });

  slowTest("the walk of a sequential test between its bounds, and the round that was too late", async () => {
    const round = 8;
    const dir = await playedRun(
      configOf(
        { type: "sprt", elo0: 0, elo1: 40 },
        { blocks: 400, round, entrants: ["mcts:simulations=4", "mcts:simulations=3"] },
      ),
    );
    const report = await reportOf(dir);
    const { llr, lower, upper, decision, looks, counts, after } = report.sprt!;
    expect(looks.length).toBeGreaterThan(3);
    const { page, wrong } = await openPage(await writtenReport(dir));
    const dots = await marksOf(page, "The LLR after each", ".looks circle");
    // The ratios from the stored games, block by block.
    const blocks = new Map<string, number[]>();
    for (const { block, seats, returns } of await scheduledGames(dir)) {
      const score = (Math.sign(returns[seats.indexOf(0)]! - returns[seats.indexOf(1)]!) + 1) / 2;
      blocks.set(block, [...(blocks.get(block) ?? []), score]);
    }
    const scores = Array.from(blocks.values(), ([one, other]) => (one! + other!) / 2);
    const walk = looks.map((_, at) => {
      const seen = scores.slice(0, round * (at + 1));
      const counted = [0, 0.25, 0.5, 0.75, 1].map((score) => {
        return { score, blocks: seen.filter((one) => one === score).length };
      });
      return logLikelihoodRatio(counted, 2, { elo0: 0, elo1: 40, model: "logistic" });
    });
    expect(walk.at(-1)).toBeCloseTo(llr, 4);
    expect(dots).toHaveLength(walk.length);
    const [bottom, top] = (await marksOf(page, "The LLR after each", ".bound line"))
      .map(({ y }) => y)
      .toSorted((a, b) => b - a);
    for (const [at, ratio] of walk.entries()) {
      const y = bottom! + ((ratio - lower) / (upper - lower)) * (top! - bottom!);
      expect(Math.abs(dots[at]!.y - y)).toBeLessThan(1);
    }
    const blocksOf = (list: typeof counts) => list.map((count) => count.blocks).join(" ");
    await page
      .getByText(/^SPRT: accepted H[01]: .* Elo \(95% interval, valid whenever a test ends: /)
      .waitFor();
    expect(await page.getByText("Ptnml").isVisible()).toBe(false);
    await page.getByText("What the test decided by").click();
    await page.getByText(`Ptnml: ${blocksOf(counts)}`).waitFor();
    const late = after.reduce((sum, count) => sum + count.blocks, 0);
    expect(late).toBeGreaterThan(0);
    await page.getByText(`too late to decide: ${late} blocks, ${blocksOf(after)}`).waitFor();
    await page.getByText(`accepted ${decision}: the Elo of`).waitFor();
    await page.getByText(`after ${round * looks.length} blocks`).waitFor();
    expect(await violationsIn(page)).toEqual([]);
    expect(wrong).toEqual([]);
  });

  slowTest("the neighbours of an adaptive tournament, and the verdicts of a comparison", async () => {
    const entrants = ["random", "mcts:simulations=4", "mcts:simulations=40"];
    const change = { entrants, blocks: 20, round: 8 };
    const adaptive = await playedRun(configOf({ type: "adaptive" }, change));
    const { neighbours } = await resultsOf(adaptive, "adaptive");
    const { page, wrong } = await openPage(await writtenReport(adaptive));
    const rows = await tableOf(page, /^Adaptive: neighbours/);
    expect(rows.map((row) => row.slice(1, 4))).toEqual(
      neighbours.map(({ names, games }) => [...names, String(games)]),
    );
    expect(await violationsIn(page)).toEqual([]);

    const compared = await playedRun(configOf({ type: "comparison", margin: 30 }, change), {
      name: "compared",
    });
    const { comparisons } = await resultsOf(compared, "comparison");
    const other = await openPage(await writtenReport(compared));
    const verdicts = await tableOf(other.page, /^Comparison/);
    expect(verdicts.map((row) => [row[1], row[2], row.at(-1)])).toEqual(
      comparisons.map(({ name, blocks, verdict }) => [name, String(blocks), verdict ?? "open"]),
    );
    expect([...wrong, ...other.wrong]).toEqual([]);
  });

  slowTest("the way of tuned values, round by round", async () => {
    const parent = temporaryFolder();
    const dir = join(parent, "tuned");
    const config = {
      name: "tuned",
      game: "tic-tac-toe",
      // The last value and the tuned one differ with it.
      seed: "b",
      agent: "mcts:simulations=9",
      parameters: { exploration: { start: 0.5, max: 2, step: 0.3 } },
      rounds: 5,
      pairs: 2,
      blocks: 1,
      openings: { randomPlies: 1 },
    };
    const file = writeInto(parent, "tuning.json", config);
    expect(await agon(["run", file, "--out", dir, "--workers", "1", "-q"])).toMatchObject({ code: 0 });
    const { parameters, path } = await resultsOf(dir, "tune");
    const { page, wrong } = await openPage(await writtenReport(dir));
    const [row] = await tableOf(page, /^Tuned values/);
    const { name, start, value } = parameters[0]!;
    expect(row!.slice(1, 4)).toEqual([
      name,
      ...[start, value].map((one) => String(Number(one.toPrecision(4)))),
    ]);
    const [end] = await marksOf(page, "exploration after each round", "circle");
    const [rule] = await marksOf(page, "exploration after each round", ".tuned line");
    // Pixels are counted from the top.
    expect(Math.sign(rule!.y - end!.y)).toBe(Math.sign(path.at(-1)![0]! - value));
    expect(await violationsIn(page)).toEqual([]);
    expect(wrong).toEqual([]);
  });
});
