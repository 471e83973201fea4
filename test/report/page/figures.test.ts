import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import type { TournamentConfig } from "../../../src/arena/plan/config.ts";
import { createGame } from "../../../src/games/index.ts";
import type { Report } from "../../../src/ratings/report.ts";
import type { GameRecord } from "../../../src/ratings/record.ts";
import { agon } from "../../support/agon.ts";
import { hasBrowser, openPage } from "../../support/page/browser.ts";
import { listedGames, marksOf, tableOf, titlesOf } from "../../support/page/read-page.ts";
import { playedRun, writtenReport } from "../../support/reports.ts";
import { storedGames } from "../../support/stored-games.ts";
import { slowTest } from "../../support/thorough.ts";

/*
 * The page's figures are compared with the stored games, which are counted here in a slow and obvious way. Estimates are
 * compared with `agon rate`.
 */

const RUNS: readonly (readonly [players: string, config: TournamentConfig])[] = [
  [
    "two",
    {
      name: "two",
      game: "tic-tac-toe",
      blocks: 4,
      openings: { randomPlies: 2 },
      entrants: [
        { name: "chance", agent: "random" },
        { name: "deep", agent: "alpha-beta", depth: 3, evaluator: "open-lines" },
        { name: "flat", agent: "alpha-beta", depth: 1, evaluator: "open-lines" },
      ],
    },
  ],
  [
    "three",
    {
      name: "three",
      game: { id: "nim", players: 3, piles: [3, 4, 2] },
      blocks: 4,
      openings: { randomPlies: 1 },
      entrants: [
        { name: "chance", agent: "random" },
        { name: "deep", agent: "max-n", depth: 6, evaluator: "exact" },
        { name: "trees", agent: "mcts", simulations: 30 },
      ],
    },
  ],
  [
    "one",
    {
      name: "one",
      game: { id: "2048", height: 3, width: 2 },
      blocks: 4,
      entrants: [
        { name: "chance", agent: "random" },
        { name: "ordered", agent: "greedy", evaluator: "order" },
        { name: "deep", agent: "expectimax", depth: 2, evaluator: "order" },
      ],
    },
  ],
];

/** A run, its report, and what is known of it without the page. */
interface Shown {
  readonly config: TournamentConfig;
  readonly file: string;
  readonly names: readonly string[];
  readonly games: readonly GameRecord[];
  readonly report: Report;
}

describe.runIf(hasBrowser)("the page has the figures of the stored games", () => {
  slowTest.each(RUNS)("of %s", async (_, config) => {
    const dir = await playedRun(config);
    const shown: Shown = {
      config,
      file: await writtenReport(dir),
      names: config.entrants.map((entrant) => (entrant as { name: string }).name),
      games: storedGames(dir),
      report: await ratedBy(dir),
    };
    const { page, wrong } = await openPage(shown.file);
    for (const [view, checks] of Object.entries(VIEWS)) {
      await page.evaluate(`location.hash = "#/run/${view}"`);
      await page.locator(`.views [aria-current][href$=${view}]`).waitFor();
      for (const check of checks) await check(shown, page);
    }
    expect(wrong).toEqual([]);
  });
});

const VIEWS = {
  standings: [checkRatings, checkMatrices],
  origins: [checkOrigins, checkOpenings],
  games: [checkList, checkValues],
};

/** The table and the picture of the ratings. */
async function checkRatings({ config, names, games, report }: Shown, page: Page): Promise<void> {
  const contests = contestsOf(games);
  expect(new Set(report.entrants.map(({ name }) => name))).toEqual(new Set(names));
  const titles = await titlesOf(page, "Table of ratings");
  const rows = await tableOf(page, "Table of ratings");
  expect(rows).toHaveLength(names.length);
  for (const [place, row] of rows.entries()) {
    const cells = Object.fromEntries(titles.map((title, at) => [title, row[at]!]));
    const { name, elo, low, high, score } = report.entrants[place]!;
    const entrant = names.indexOf(name);
    expect(cells).toMatchObject({ "#": String(place + 1), Entrant: name });
    expect(Number(cells["Elo"])).toBe(Math.round(elo));
    if (score > 0 && score < 1)
      expect(cells["95%"]!.split(" to ").map(Number)).toEqual([Math.round(low), Math.round(high)]);
    const own = games.flatMap((game) =>
      game.seats.flatMap((who, at) => (who === entrant ? [{ game, at }] : [])),
    );
    const sum = (of: (one: (typeof own)[number]) => number) => own.reduce((all, one) => all + of(one), 0);
    expect(Number(cells["Games"])).toBe(own.length);
    const points = contests.flatMap((contest) => pointsOf(contest, entrant));
    expect(cells["Score%"]).toBe((100 * mean(points)).toFixed(1));
    expect([cells["Won"], cells["Drawn"], cells["Lost"]].map(Number)).toEqual(placesOf(contests, entrant));
    const nodes = sum(({ game, at }) => game.nodes[at]!) / sum(({ game, at }) => game.decisions[at]!);
    expect(cells["Nodes"]).toBe(shown(nodes));
    const meanReturn = sum(({ game, at }) => game.returns[at]!) / own.length;
    if (config.name === "one") expect(cells["Return"]).toBe(shown(meanReturn));
  }
  const seat = report.players > 1 ? await page.getByText("Having the first seat").textContent() : "";
  const { firstSeatElo, firstSeatLow, firstSeatHigh } = report;
  const firstSeat = [firstSeatElo, firstSeatLow, firstSeatHigh].map((elo) => Math.round(elo) + 0);
  expect((seat!.match(/[-+]?\d+/g) ?? []).map(Number)).toEqual(report.players > 1 ? firstSeat : []);
  const rankedBy = config.name === "one" ? "meanReturn" : "elo";
  const dots = await marksOf(page, "Ratings with their intervals", "circle");
  expectOneScale(
    dots.map(({ x }) => x),
    report.entrants.map((entrant) => entrant[rankedBy]),
  );
}

/** Three digits below 100, whole numbers from there on. */
function shown(value: number): string {
  if (value === 0) return "0";
  if (value >= 100) return String(Math.round(value));
  return value.toFixed(value < 1 ? 3 : value < 10 ? 2 : 1);
}

/** Who beat whom, and the likelihood of superiority. */
async function checkMatrices({ names, games, report }: Shown, page: Page): Promise<void> {
  const contests = contestsOf(games);
  const [points, chances] = [
    await tableOf(page, /^Score % of row against column/),
    await tableOf(page, "Likelihood in % that row is stronger than column"),
  ];
  const ranked = report.entrants.map(({ name }) => names.indexOf(name));
  for (const [row, one] of ranked.entries()) {
    for (const table of [points, chances])
      expect(table[row]!.slice(0, 2)).toEqual([String(row + 1), names[one]]);
    for (const [column, other] of ranked.entries()) {
      const [score, chance] = [points[row]![column + 2]!, chances[row]![column + 2]!];
      if (row === column) {
        expect([score, chance]).toEqual(["-", "-"]);
        continue;
      }
      expect(score).toBe((100 * mean(pointsAgainst(contests, one, other))).toFixed(1));
      const likely = 100 * report.superiority[row]![column]!;
      if (likely > 99.96 || likely < 0.04) expect(chance).toBe(likely > 50 ? ">99.9" : "<0.1");
      else expect(Math.abs(parseFloat(chance.replace(/[<>]/, "")) - likely)).toBeLessThan(0.07);
    }
  }
}

/** The scores by seat and the results by length. */
async function checkOrigins({ config, names, games }: Shown, page: Page): Promise<void> {
  const seats = config.name === "one" ? [] : await tableOf(page, "By seat");
  expect(seats).toHaveLength(config.name === "one" ? 0 : names.length);
  for (const [name, ...cells] of seats) {
    for (const [seat, cell] of cells.entries()) {
      const there = games.filter((game) => game.seats[seat] === names.indexOf(name!));
      const share = mean(there.map(({ returns }) => shareOf(returns, seat)));
      expect(cell).toBe(`${(100 * share).toFixed(1)}% of ${there.length}`);
    }
  }
  const bars = await marksOf(page, "Games by length", "rect");
  const counts = ["#0072b2", "#7f7f7f", "#d55e00"].map((colour) =>
    // Half a pixel is left free at each end of a bar.
    bars.reduce((all, { fill, height }) => all + (fill === colour && height > 0 ? height + 1 : 0), 0),
  );
  const total = counts.reduce((all, count) => all + count, 0);
  for (const [at, result] of RESULTS.entries())
    expect(Math.abs(counts[at]! / total - withResult(games, result).length / games.length)).toBeLessThan(
      0.01,
    );
}

/** The scores of each seat by opening. */
async function checkOpenings({ config, games }: Shown, page: Page): Promise<void> {
  if (config.name === "one") return;
  const rules = createGame(typeof config.game === "string" ? config.game : (config.game as { id: string }));
  const lines = new Map<string, GameRecord[]>();
  for (const game of games) {
    const state = rules.start();
    const texts = game.actions.slice(0, game.openingLength).map((action) => {
      const text = rules.formatAction(action, state);
      state.apply(action);
      return text;
    });
    lines.set(texts.join(" "), [...(lines.get(texts.join(" ")) ?? []), game]);
  }
  expect(lines.size).toBeGreaterThan(1);
  await page.getByText("Show the openings").click();
  const rows = await tableOf(page, "Scores by opening");
  expect(rows).toHaveLength(lines.size);
  for (const [opening, count, ...scores] of rows) {
    const there = lines.get(opening!)!;
    expect(Number(count)).toBe(there.length);
    const shares = scores.map((_, seat) => mean(there.map(({ returns }) => shareOf(returns, seat))));
    expect(scores).toEqual(shares.map((share) => (100 * share).toFixed(1)));
  }
}

/** The list of games, and its choice by result. */
async function checkList({ names, games }: Shown, page: Page): Promise<void> {
  const expected = games.map(({ id, seats, returns, actions }) => [
    id,
    seats.map((entrant) => names[entrant]!).join(" - "),
    resultText(returns),
    actions.length,
  ]);
  expect((await listed(page)).toSorted(byId)).toEqual(expected.toSorted(byId));
  const idsOf = (some: Awaited<ReturnType<typeof listed>>) => some.map(([id]) => id).toSorted();
  for (const result of RESULTS) {
    await page.getByLabel("result").selectOption(result);
    const passing = withResult(games, result).map(({ id }) => id);
    await expect.poll(async () => idsOf(await listed(page))).toEqual(passing.toSorted());
  }
}

/** The curves of what the agents expected. */
async function checkValues({ config, games }: Shown, page: Page): Promise<void> {
  const rules = createGame(typeof config.game === "string" ? config.game : (config.game as { id: string }));
  let checked = 0;
  for (const game of games.slice(0, 6)) {
    const values = expectedIn(rules, game);
    if (values.length < 2) continue;
    await page.evaluate(`location.hash = "#/run/games?game=${game.id}"`);
    await page.getByText(game.id).waitFor();
    const dots = await marksOf(page, "What each agent expected", 'path[fill^="var(--paint-"]');
    // Pixels are counted from the top.
    const heights = dots.toSorted((one, other) => one.x - other.x).map(({ y }) => 0 - y);
    expectOneScale(heights, values);
    checked++;
  }
  expect(checked).toBeGreaterThan(2);
}

async function ratedBy(dir: string): Promise<Report> {
  const { stdout } = await agon(["rate", dir, "--format", "json"]);
  return JSON.parse(stdout) as Report;
}

/** The games; in games of one player, two of a block are one contest between their players. */
function contestsOf(games: readonly GameRecord[]): Pick<GameRecord, "seats" | "returns">[] {
  if (games[0]!.seats.length > 1) return [...games];
  return games.flatMap((one, at) =>
    games
      .slice(at + 1)
      .filter(({ block }) => block === one.block)
      .map(({ seats, returns }) => ({
        seats: [one.seats[0]!, seats[0]!],
        returns: [one.returns[0]!, returns[0]!],
      })),
  );
}

/** The share of the others that a seat beat, a tie counting a half. */
function shareOf(returns: readonly number[], seat: number): number {
  const others = returns.filter((_, at) => at !== seat);
  return mean(others.map((other) => (Math.sign(returns[seat]! - other) + 1) / 2));
}

function pointsOf({ seats, returns }: Pick<GameRecord, "seats" | "returns">, entrant: number): number[] {
  return seats.flatMap((who, seat) => (who === entrant ? [shareOf(returns, seat)] : []));
}

/** The points of one entrant at each meeting with another. */
function pointsAgainst(
  contests: readonly Pick<GameRecord, "seats" | "returns">[],
  one: number,
  other: number,
): number[] {
  return contests.flatMap(({ seats, returns }) =>
    seats.flatMap((who, seat) =>
      seats.flatMap((whom, at) =>
        who === one && whom === other ? [(Math.sign(returns[seat]! - returns[at]!) + 1) / 2] : [],
      ),
    ),
  );
}

/** First places alone, first places shared, and other places. */
function placesOf(contests: readonly Pick<GameRecord, "seats" | "returns">[], entrant: number): number[] {
  const places = contests.flatMap(({ seats, returns }) =>
    seats.flatMap((who, seat) => {
      if (who !== entrant) return [];
      const best = Math.max(...returns);
      if (returns[seat]! < best) return [2];
      return [returns.filter((value) => value === best).length === 1 ? 0 : 1];
    }),
  );
  return [0, 1, 2].map((place) => places.filter((one) => one === place).length);
}

/** The results of the first seat. */
const RESULTS = ["won", "drawn", "lost"] as const;

function withResult(games: readonly GameRecord[], result: (typeof RESULTS)[number]): GameRecord[] {
  return games.filter(({ returns }) => resultOfFirst(returns) === result);
}

/** A player alone has won. */
function resultOfFirst([first, ...others]: readonly number[]): (typeof RESULTS)[number] {
  if (others.every((other) => first! > other)) return "won";
  return others.some((other) => first! < other) ? "lost" : "drawn";
}

function resultText(returns: readonly number[]): string {
  if (returns.length !== 2) return returns.map((value) => String(Number(value.toPrecision(4)))).join(", ");
  return { won: "1-0", drawn: "½-½", lost: "0-1" }[resultOfFirst(returns)];
}

/** The values that the agents of a game reported, in the order of the moves; those of a duel as player 1 sees them. */
function expectedIn(rules: ReturnType<typeof createGame>, game: GameRecord): number[] {
  const state = rules.start();
  const thoughts = [...game.thoughts];
  return game.actions.flatMap((action, at) => {
    const player = state.toMove;
    state.apply(action);
    const value = at < game.openingLength || player < 0 ? undefined : thoughts.shift()?.value;
    if (value === undefined) return [];
    return [rules.players === 2 && player === 1 ? -value : value];
  });
}

/** The games of the list: id, seats, result, number of actions. */
async function listed(page: Page): Promise<[id: string, seats: string, result: string, actions: number][]> {
  return (await listedGames(page)).map(({ id, seats, result, actions }) => [
    id,
    seats.join(" - "),
    result,
    actions,
  ]);
}

function byId([one]: readonly unknown[], [other]: readonly unknown[]): number {
  return String(one) < String(other) ? -1 : 1;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The places of marks are on one scale with the values, and grow with them. */
function expectOneScale(places: readonly number[], values: readonly number[]): void {
  expect(places).toHaveLength(values.length);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const [first, last] = [places[values.indexOf(least)]!, places[values.indexOf(most)]!];
  if (most > least) expect(last).toBeGreaterThan(first);
  for (const [at, value] of values.entries()) {
    const share = most === least ? 0 : (value - least) / (most - least);
    expect(Math.abs(places[at]! - (first + share * (last - first)))).toBeLessThan(1);
  }
}
