import { expect, test } from "vitest";
import { formatReport } from "../../src/ratings/sections/format-report.ts";
import { createRandom } from "../../src/base/random.ts";
import type { LuckSource } from "../../src/ratings/luck.ts";
import type { GameRecord, SourceGame } from "../../src/ratings/record.ts";
import { createReport, type RankedBy } from "../../src/ratings/report.ts";
import { gameRecord, randomGames, shuffled } from "./records.ts";
import { slowTest } from "../support/thorough.ts";

/** The luck of games by their ids. */
function luckById(luck: ReadonlyMap<string, readonly number[]>): LuckSource {
  return { evaluator: "exact", of: ({ id }: SourceGame) => luck.get(id)! };
}

/** Three blocks of two games between a and b, with returns and luck of a. */
const FIGURES = [
  [3, 2],
  [-1, -2],
  [2, 2],
  [1, -1],
  [-2, -1],
  [1, 1],
] as const;
const RECORDS = FIGURES.map(([value], at) =>
  gameRecord({
    id: `g${at}`,
    seats: at % 2 === 0 ? [0, 1] : [1, 0],
    returns: at % 2 === 0 ? [value, -value] : [-value, value],
    block: `b${at >> 1}`,
  }),
);
const LUCK = luckById(
  new Map(FIGURES.map(([, luck], at) => [`g${at}`, at % 2 === 0 ? [luck, -luck] : [-luck, luck]])),
);

function report(rankBy: RankedBy = "elo", luck: LuckSource | undefined = LUCK) {
  return createReport({ game: "backgammon", entrants: ["a", "b"], records: RECORDS, rankBy, luck });
}

test("the adjusted return is the mean of return less luck, with its interval over blocks", () => {
  const { entrants, luck } = report();
  const a = entrants.find(({ name }) => name === "a")!;
  // Return less luck is 1, 1; 0, 2; -1, 0: the blocks' means are 1, 1, -0.5, their variance is 0.75.
  expect(a.meanReturn).toBeCloseTo(4 / 6, 12);
  expect(a.luck).toBeCloseTo(1 / 6, 12);
  expect(a.adjustedReturn).toBeCloseTo(0.5, 12);
  expect(a.adjustedHigh! - 0.5).toBeCloseTo(1.959964 * Math.sqrt(0.75 / 3), 5);
  expect(0.5 - a.adjustedLow!).toBeCloseTo(1.959964 * Math.sqrt(0.75 / 3), 5);
  // Games with a at the first seat: 3, 2, -2, and without luck 1, 0, -1; at the second: -1, 1, 1, and 1, 2, 0.
  expect(luck!.deviation).toBeCloseTo(Math.sqrt((14 + 8 / 3) / 4), 12);
  expect(luck!.adjustedDeviation).toBeCloseTo(Math.sqrt((2 + 2) / 4), 12);
});

test("the table has luck on request alone", () => {
  const table = formatReport(report(), "table", { width: 120 });
  expect(table).toMatch(/Return +\+\/- +Luck +Adjusted +\+\/-/);
  // The blocks of plain returns are 1, 1.5, -0.5: their variance is 13/12.
  expect(table).toContain("0.667  1.18   0.167     0.500  0.980");
  expect(table).toContain("Standard deviation of a game: 1.00 of 2.04, 49% (luck by exact)");
  expect(formatReport(report(), "markdown")).toContain("Standard deviation of a game: 1.00 of 2.04");
  expect(formatReport(report(), "csv").split("\n")[0]).toMatch(
    /,luck,adjustedReturn,adjustedLow,adjustedHigh$/,
  );
  expect(JSON.parse(formatReport(report(), "json"))).toMatchObject({
    luck: { evaluator: "exact", deviation: 2.0412, adjustedDeviation: 1 },
    entrants: [{ luck: 0.1667, adjustedReturn: 0.5, adjustedLow: -0.48, adjustedHigh: 1.48 }, {}],
  });
  const plain = createReport({ game: "backgammon", entrants: ["a", "b"], records: RECORDS });
  expect(formatReport(plain, "table")).not.toMatch(/Luck|Standard deviation/);
  expect(formatReport(plain, "csv")).not.toContain("adjusted");
});

test("an evaluator that adds spread is warned of", () => {
  expect(report().warnings.join()).not.toContain("luck");
  const wrong = luckById(new Map(FIGURES.map(([value], at) => [`g${at}`, [-value, value]])));
  expect(report("elo", wrong).warnings.at(-1)).toBe(
    "luck by exact adds spread instead of taking it out: use the plain returns, or an evaluator made for such games",
  );
});

test("the adjusted return ranks on request, and needs luck", () => {
  const records = [1, 2].flatMap((block) => [
    gameRecord({ id: `lucky ${block}`, seats: [0], returns: [10], block: `${block}` }),
    gameRecord({ id: `able ${block}`, seats: [1], returns: [8], block: `${block}` }),
  ]);
  const luck = luckById(new Map(records.map(({ id }) => [id, id.startsWith("lucky") ? [5] : [0]])));
  const names = (rankBy: RankedBy, source?: LuckSource) => {
    const { entrants, rankedBy } = createReport({
      game: "2048",
      entrants: ["lucky", "able"],
      records,
      rankBy,
      luck: source,
    });
    return [rankedBy, ...entrants.map(({ name }) => name)];
  };
  expect(names("return", luck)).toEqual(["return", "lucky", "able"]);
  expect(names("adjusted-return", luck)).toEqual(["adjusted-return", "able", "lucky"]);
  expect(names("adjusted-return")).toEqual(["return", "lucky", "able"]);
});

test("the order of the records changes no bit", () => {
  const random = createRandom("luck", "order");
  const records = randomGames(random, { entrants: 4, seats: 3, games: 60 });
  const luck = luckById(new Map(records.map(({ id, seats }) => [id, seats.map(() => random.float())])));
  const text = (games: readonly GameRecord[]) =>
    formatReport(createReport({ game: "pig", entrants: ["a", "b", "c", "d"], records: games, luck }), "json");
  expect(text(shuffled(records, random))).toBe(text(records));
});

/**
 * 400 samples of 30 blocks of two games: the standard error of the coverage is 1.1%. A return is luck of spread 1, which the
 * evaluator sees with an error of half its size, a skill of 0.2 and decisions of spread 0.3.
 */
slowTest("the interval covers the truth in about 95% of cases, and is shorter than the plain one", () => {
  const random = createRandom("luck", "coverage");
  const spread = (size: number) => size * Math.sqrt(12) * (random.float() - 0.5);
  let covered = 0;
  let margins = 0;
  let plainMargins = 0;
  for (let sample = 0; sample < 400; sample++) {
    const lucks = new Map<string, readonly number[]>();
    const records = Array.from({ length: 30 }, (_, block) =>
      [0, 1].map((seat) => {
        const luck = spread(1);
        const value = 0.2 + luck + spread(0.3);
        const seen = luck + spread(0.5);
        const sides = (own: number) => (seat === 0 ? [own, -own] : [-own, own]);
        const game = gameRecord({ seats: [seat, 1 - seat], returns: sides(value), block: `${block}` });
        lucks.set(game.id, sides(seen));
        return game;
      }),
    ).flat();
    const { entrants } = createReport({ game: "g", entrants: ["a", "b"], records, luck: luckById(lucks) });
    const a = entrants.find(({ name }) => name === "a")!;
    if (a.adjustedLow! <= 0.2 && 0.2 <= a.adjustedHigh!) covered++;
    margins += a.adjustedHigh! - a.adjustedReturn!;
    plainMargins += a.returnHigh - a.meanReturn;
  }
  expect(covered / 400).toBeGreaterThan(0.91);
  expect(covered / 400).toBeLessThan(0.98);
  // The spreads are those of 0.3 and 0.5 together, and of 1 and 0.3 together.
  expect(margins / plainMargins).toBeCloseTo(Math.sqrt((0.09 + 0.25) / (1 + 0.09)), 1);
});
