import { describe, expect, test } from "vitest";
import { formatStyle } from "../../../src/arena/results/styles.ts";
import { createReport, type Report } from "../../../src/ratings/report.ts";
import type { GameRecord } from "../../../src/ratings/record.ts";
import { reportSprt } from "../../../src/ratings/sprt/sequential-test.ts";
import { duels, gameRecord, pairs } from "../../ratings/records.ts";

const match = (records: readonly GameRecord[], entrants = ["B", "A"]) =>
  createReport({ game: "chess", entrants: entrants.toReversed(), records });

/** A match of pairs of games: lost both, lost and drew, won and lost, drew both, won and drew, won both. */
function pairsOf(...counts: readonly number[]): GameRecord[] {
  const kinds = [
    [-1, -1],
    [0, -1],
    [1, -1],
    [0, 0],
    [1, 0],
    [1, 1],
  ] as const;
  return counts.flatMap((count, kind) =>
    pairs(
      0,
      1,
      Array.from({ length: count }, () => kinds[kind]!),
    ),
  );
}

describe("fastchess", () => {
  test("the counts of its own test (elo_test.cpp), and the ratios by hand", () => {
    // 63 of 290 pairs are even, 139 are won against 88 lost, and 31 of the even ones have two decisive games.
    expect(formatStyle(match(pairsOf(34, 54, 31, 32, 64, 75)), "fastchess")).toBe(
      [
        "--------------------------------------------------",
        "Results of A vs B:",
        "Elo: 55.58 +/- 27.65, nElo: 57.94 +/- 28.28",
        "LOS: 100.00 %, DrawRatio: 21.72 %, PairsRatio: 1.58",
        "Games: 580, Wins: 245, Losses: 153, Draws: 182, Points: 336.0 (57.93 %)",
        "Ptnml(0-2): [34, 54, 63, 64, 75], WL/DD Ratio: 0.97",
        "--------------------------------------------------",
      ].join("\n"),
    );
  });

  test("matches that it printed", () => {
    const printed = (...counts: number[]) => formatStyle(match(pairsOf(...counts)), "fastchess").split("\n");
    expect(printed(19, 23, 269, 0, 81, 108).slice(2, -1)).toEqual([
      "Elo: 83.57 +/- 16.15, nElo: 115.89 +/- 21.53",
      "LOS: 100.00 %, DrawRatio: 53.80 %, PairsRatio: 4.50",
      "Games: 1000, Wins: 566, Losses: 330, Draws: 104, Points: 618.0 (61.80 %)",
      "Ptnml(0-2): [19, 23, 269, 81, 108], WL/DD Ratio: inf",
    ]);
    expect(printed(0, 0, 2, 0, 0, 37).slice(2, -1)).toEqual([
      "Elo: 631.91 +/- nan, nElo: 1056.68 +/- 77.10",
      "LOS: 100.00 %, DrawRatio: 5.13 %, PairsRatio: inf",
      "Games: 78, Wins: 76, Losses: 2, Draws: 0, Points: 76.0 (97.44 %)",
      "Ptnml(0-2): [0, 0, 2, 0, 37], WL/DD Ratio: inf",
    ]);
  });

  test("games that are no pairs are the sample themselves", () => {
    // Variance (10 x 0.361^2 + 3 x 0.139^2 + 5 x 0.639^2) / 18 = 0.1890; 0.1389 / 0.4347 is 0.3195 spreads.
    expect(
      formatStyle(match(duels([0, 1], { won: 10, drawn: 3, lost: 5 })), "fastchess")
        .split("\n")
        .slice(2, -1),
    ).toEqual([
      "Elo: 99.11 +/- 165.51, nElo: 110.98 +/- 160.50",
      "LOS: 91.23 %, DrawRatio: 16.67 %",
      "Games: 18, Wins: 10, Losses: 5, Draws: 3, Points: 11.5 (63.89 %)",
    ]);
  });
});

describe("cutechess", () => {
  test("by the colours", () => {
    const records = [
      ...duels([0, 1], { won: 6, drawn: 1, lost: 2 }),
      ...duels([1, 0], { won: 3, drawn: 2, lost: 4 }),
    ];
    expect(formatStyle(match(records), "cutechess")).toBe(
      [
        "Score of A vs B: 10 - 5 - 3  [0.639] 18",
        "...      A playing White: 6 - 2 - 1  [0.722] 9",
        "...      A playing Black: 4 - 3 - 2  [0.556] 9",
        "...      White vs Black: 9 - 6 - 3  [0.583] 18",
        "Elo difference: 99.1 +/- 165.5, LOS: 90.2 %, DrawRatio: 16.7 %",
      ].join("\n"),
    );
  });

  test("a match that it printed: 457 - 244 - 299 [0.607] 1000, 75.15 +/- 18.26", () => {
    // Its quantile of the normal distribution is an approximation, and 0.1% too small.
    const lines = formatStyle(match(duels([0, 1], { won: 457, drawn: 299, lost: 244 })), "cutechess").split(
      "\n",
    );
    expect(lines[0]).toBe("Score of A vs B: 457 - 244 - 299  [0.607] 1000");
    expect(lines.at(-1)).toBe("Elo difference: 75.2 +/- 18.3, LOS: 100.0 %, DrawRatio: 29.9 %");
  });
});

test("Ordo: columns as wide as its own, ---- for the anchor", () => {
  const records = [
    ...duels([0, 1], { won: 9, drawn: 8, lost: 8 }),
    ...duels([1, 0], { won: 4, drawn: 3, lost: 8 }),
  ];
  const report: Report = createReport({
    game: "chess",
    entrants: ["Blink-value", "SF1500"],
    records,
    anchor: { entrant: 1, elo: 1500 },
  });
  const [one, other] = report.entrants;
  const error = ((one!.high - one!.low) / 2).toFixed(1);
  // 22.5 of 40 points are 56.25%: 43.7 Elo.
  expect(formatStyle(report, "ordo")).toBe(
    [
      "   # PLAYER         :  RATING  ERROR  POINTS  PLAYED   (%)",
      `   1 Blink-value    :  1543.7  ${error.padStart(5)}    22.5      40    56`,
      "   2 SF1500         :  1500.0   ----    17.5      40    44",
    ].join("\n"),
  );
  expect(other!.low).toBe(1500);
});

test("other games and other numbers of entrants are refused", () => {
  const three = match(duels([0, 1], { won: 1 }), ["C", "B", "A"]);
  expect(() => formatStyle(three, "fastchess")).toThrow(
    "--style fastchess shows two entrants; there are 3; --style ordo shows any number",
  );
  expect(formatStyle(three, "ordo").split("\n")).toHaveLength(4);
  const round = match([gameRecord({ seats: [0, 1, 2], returns: [1, 0, 0], block: "b" })], ["C", "B", "A"]);
  expect(() => formatStyle(round, "ordo")).toThrow("--style ordo shows games of two players; these have 3");
});

test("a sequential test has the line that the programs print for theirs", () => {
  const rule = { elo0: 0, elo1: 20, alpha: 0.05, beta: 0.05, model: "logistic" } as const;
  const after = [0, 0.25, 0.5, 0.75, 1].map((score) => ({ score, blocks: 0 }));
  const testOf = (...blocks: readonly number[]) => {
    const counts = after.map(({ score }, at) => ({ score, blocks: blocks[at]! }));
    const sprt = reportSprt(
      rule,
      { looks: [], counts, after, interval: { low: 0, high: 1 } },
      { entrants: ["A", "B"], players: 2 },
    );
    return { ...match(pairsOf(1, 1, 1, 1, 1, 1)), sprt };
  };
  // The formats of fastchess's `printSprt` and cutechess's `Tournament::results`; the ratio is that of the report.
  const won = testOf(12, 5, 65, 18, 28);
  expect(formatStyle(won, "fastchess")).toContain("\nLLR: 3.01 (102.1%) (-2.94, 2.94) [0.00, 20.00]\n---");
  expect(formatStyle(won, "cutechess")).toMatch(
    /\nSPRT: llr 3\.01 \(102\.1%\), lbound -2\.94, ubound 2\.94 - H1 was accepted$/,
  );
  const open = testOf(12, 18, 65, 15, 10);
  expect(formatStyle(open, "fastchess")).toMatch(/\nLLR: -\d\.\d\d \(-\d\d\.\d%\) /);
  expect(formatStyle(open, "cutechess")).toMatch(/ubound 2\.94$/);
});
