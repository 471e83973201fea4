import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatReport, type ReportFormat } from "../../../src/ratings/sections/format-report.ts";
import { formatMargin } from "../../../src/ratings/sections/ratings.ts";
import { formatMean, formatSigned } from "../../../src/ratings/sections/section.ts";
import { formatLikelihood } from "../../../src/base/text.ts";
import { createReport, type Report } from "../../../src/ratings/report.ts";
import { createRandom } from "../../../src/base/random.ts";
import { duels, gameRecord, pairs, randomGames, shuffled } from "../records.ts";
import { slowTest } from "../../support/thorough.ts";

const REPORT_FORMATS: readonly ReportFormat[] = ["table", "markdown", "csv", "json"];

/** Three entrants, 8 blocks of each pairing; `long` has a name that does not fit, `odd` one full of markup. */
const NAMES = [
  "odd|name, *quoted*",
  "alpha-beta:depth=6,evaluator=../../weights/connect-four/linear.json",
  "uct",
];
const RECORDS = [
  ...pairs(0, 1, [
    [-1, -1],
    [1, -1],
    [-1, 0],
    [-1, -1],
    [0, 0],
    [-1, -1],
    [1, -1],
    [-1, 1],
  ]),
  ...pairs(0, 2, [
    [-1, -1],
    [1, -1],
    [1, 0],
    [1, 1],
    [0, 0],
    [-1, -1],
    [1, -1],
    [-1, -1],
  ]),
  ...pairs(2, 1, [
    [-1, 1],
    [1, -1],
    [1, 0],
    [1, -1],
    [0, 0],
    [-1, -1],
  ]),
].map((game, index) => ({
  ...game,
  id: `g${index}`,
  block: `b${index >> 1}`,
  decisions: [20, 19],
  nodes: [40_000, 190],
  timeMs: [123.4, 0.76],
  ...(index === 5 ? { forfeitSeat: 0, ending: "time-out" as const, detail: "over 5000 ms" } : {}),
}));
const REPORT = createReport({ game: "connect-four", entrants: NAMES, records: RECORDS });

function entrant(report: Report, name: string) {
  return report.entrants.find((candidate) => candidate.name === name)!;
}

describe("figures", () => {
  test("two players: wins, draws, losses, score, means and forfeits add up", () => {
    const games = [
      gameRecord({
        seats: [0, 1],
        returns: [1, -1],
        block: "a",
        decisions: [3, 2],
        nodes: [30, 5],
        timeMs: [6, 1],
      }),
      gameRecord({
        seats: [1, 0],
        returns: [0, 0],
        block: "a",
        decisions: [4, 5],
        nodes: [7, 10],
        timeMs: [2, 2],
      }),
      gameRecord({
        seats: [0, 1],
        returns: [-1, 1],
        block: "b",
        decisions: [2, 2],
        nodes: [0, 0],
        timeMs: [2, 0],
        forfeitSeat: 0,
        ending: "exception",
      }),
      gameRecord({
        seats: [1, 0],
        returns: [-1, 1],
        block: "b",
        decisions: [0, 0],
        nodes: [0, 0],
        timeMs: [0, 0],
      }),
    ];
    const report = createReport({ game: "g", entrants: ["a", "b"], records: games });
    expect(report.games).toBe(4);
    expect(entrant(report, "a")).toMatchObject({
      games: 4,
      wins: 2,
      draws: 1,
      losses: 1,
      score: 2.5 / 4,
      drawRate: 1 / 4,
      nodesPerMove: 40 / 10,
      msPerMove: 1,
      forfeits: 1,
    });
    expect(entrant(report, "b")).toMatchObject({
      wins: 1,
      draws: 1,
      losses: 2,
      score: 1.5 / 4,
      msPerMove: 3 / 8,
      forfeits: 0,
    });
    expect(report.crossTable).toEqual([
      [null, { score: 2.5 / 4, games: 4 }],
      [{ score: 1.5 / 4, games: 4 }, null],
    ]);
  });

  test("three players: a win is first place alone, a draw first place shared, the score counts opponents beaten", () => {
    const game = (returns: readonly number[]) => gameRecord({ seats: [0, 1, 2], returns, block: "b" });
    const records = [game([2, 1, 0]), game([1, 1, 0]), game([0, 1, 1]), game([5, 5, 5]), game([0, 2, 0])];
    const report = createReport({ game: "g", entrants: ["a", "b", "c"], records });
    expect(entrant(report, "a")).toMatchObject({
      wins: 1,
      draws: 2,
      losses: 2,
      score: (2 + 1.5 + 0 + 1 + 0.5) / 10,
    });
    expect(entrant(report, "b")).toMatchObject({
      wins: 1,
      draws: 3,
      losses: 1,
      score: (1 + 1.5 + 1.5 + 1 + 2) / 10,
    });
    expect(entrant(report, "c")).toMatchObject({
      wins: 0,
      draws: 2,
      losses: 3,
      score: (0 + 0 + 1.5 + 1 + 0.5) / 10,
    });
  });

  test("ranks go by Elo; entrants that are level stand in the order of their names", () => {
    const level = pairs(0, 1, [
      [1, -1],
      [1, -1],
      [-1, 1],
      [-1, 1],
    ]);
    const report = createReport({ game: "g", entrants: ["zoe", "amy"], records: level });
    expect(report.entrants.map(({ rank, name }) => [rank, name])).toEqual([
      [1, "amy"],
      [2, "zoe"],
    ]);
    const elos = REPORT.entrants.map(({ elo }) => elo);
    expect(elos).toEqual(elos.toSorted((a, b) => b - a));
  });

  test("an anchor is passed on", () => {
    const report = createReport({
      game: "g",
      entrants: NAMES,
      records: RECORDS,
      anchor: { entrant: 2, elo: 800 },
    });
    expect(entrant(report, "uct").elo).toBe(800);
  });
});

describe("properties", () => {
  const sample = fc.record({
    seed: fc.nat(),
    entrants: fc.integer({ min: 2, max: 5 }),
    seats: fc.integer({ min: 2, max: 3 }),
    games: fc.integer({ min: 1, max: 30 }),
  });
  const names = ["a", "b", "c", "d", "e"];

  slowTest("every format is the same, byte for byte, in whatever order the records come", () => {
    fc.assert(
      fc.property(sample, (given) => {
        const records = randomGames(createRandom("report", given.seed), given);
        const entrants = names.slice(0, given.entrants);
        const one = createReport({ game: "g", entrants, records });
        const other = createReport({
          game: "g",
          entrants,
          records: shuffled(records, createRandom("mix", given.seed)),
        });
        expect(JSON.stringify(other)).toBe(JSON.stringify(one));
        for (const format of REPORT_FORMATS)
          expect(formatReport(other, format)).toBe(formatReport(one, format));
      }),
      { numRuns: 40, seed: 3 },
    );
  });

  slowTest("the order in which entrants are listed does not show", () => {
    fc.assert(
      fc.property(sample, (given) => {
        const records = randomGames(createRandom("listed", given.seed), given);
        const entrants = names.slice(0, given.entrants);
        const numbers = shuffled([...entrants.keys()], createRandom("numbers", given.seed));
        const renumbered = records.map((game) => ({
          ...game,
          seats: game.seats.map((at) => numbers.indexOf(at)),
        }));
        const listed = numbers.map((at) => entrants[at]!);
        const one = createReport({ game: "g", entrants, records });
        const other = createReport({ game: "g", entrants: listed, records: renumbered });
        expect(formatReport(other, "csv")).toBe(formatReport(one, "csv"));
      }),
      { numRuns: 40, seed: 4 },
    );
  });

  test("games, wins, scores and cross-table agree with each other", () => {
    fc.assert(
      fc.property(sample, (given) => {
        const records = randomGames(createRandom("sums", given.seed), given);
        const report = createReport({ game: "g", entrants: names.slice(0, given.entrants), records });
        for (const { games, wins, draws, losses } of report.entrants)
          expect(wins + draws + losses).toBe(games);
        const seats = report.entrants.reduce((sum, { games }) => sum + games, 0);
        expect(seats).toBe(records.length * given.seats);
        report.crossTable.forEach((row, one) =>
          row.forEach((cell, other) => {
            const back = report.crossTable[other]![one]!;
            if (cell === null) expect(back).toBeNull();
            else expect([cell.games, cell.score + back.score]).toEqual([back.games, expect.closeTo(1, 12)]);
          }),
        );
      }),
      { numRuns: 40, seed: 5 },
    );
  });
});

describe("formats", () => {
  test("the JSON form has the promised keys and reads back", () => {
    const read = JSON.parse(formatReport(REPORT, "json")) as Record<string, unknown>;
    expect(Object.keys(read)).toEqual(
      expect.arrayContaining(["game", "games", "firstSeatElo", "entrants", "superiority", "warnings"]),
    );
    for (const line of read["entrants"] as object[]) {
      expect(Object.keys(line)).toEqual(
        expect.arrayContaining([
          "rank",
          "name",
          "elo",
          "low",
          "high",
          "games",
          "wins",
          "draws",
          "losses",
          "score",
        ]),
      );
    }
    expect(read["games"]).toBe(RECORDS.length);
  });

  test.each([2, 5, 20])("a terminal table of %i entrants is aligned, and fits 200 columns", (count) => {
    const names = Array.from(
      { length: count },
      (_, at) => `entrant ${at} ${"with a long name ".repeat(at % 4)}`,
    );
    const records = names.flatMap((_, one) =>
      names.slice(one + 1).flatMap((__, at) =>
        pairs(one, one + 1 + at, [
          [1, -1],
          [1, 0],
        ]),
      ),
    );
    const text = formatReport(createReport({ game: "g", entrants: names, records }), "table");
    const [ratings, , crossTable, superiority] = text
      .split(/\n\n(?=\S)/)
      .filter((part) => !part.startsWith("Rank"));
    for (const part of [ratings, crossTable, superiority]) expect(part).toBeDefined();
    const lines = text.split("\n");
    lines.forEach((line, at) => {
      if (!/^-+ /.test(line)) return;
      const rows = [lines[at - 1]!, ...lines.slice(at + 1, at + 1 + count)];
      expect(new Set(rows.map((row) => row.length))).toEqual(new Set([line.length]));
      expect(line.length).toBeLessThanOrEqual(200);
    });
  });

  test("numbers", () => {
    expect(formatMargin({ elo: 100, low: 65.3, high: 134.8 })).toBe("35");
    expect(formatMargin({ elo: -2532, low: -3320, high: -1044 })).toBe("+1488 -788");
    expect([0.4, -0.4, 12.6, -12.6].map(formatSigned)).toEqual(["0", "0", "+13", "-13"]);
    expect([1, 0.99949, 0.5, 0.0006, 0].map(formatLikelihood)).toEqual([
      ">99.9",
      "99.9",
      "50.0",
      "0.1",
      "<0.1",
    ]);
    expect([0, 0.01234, 1.234, 12.34, 123.4, 12345].map(formatMean)).toEqual([
      "0",
      "0.012",
      "1.23",
      "12.3",
      "123",
      "12345",
    ]);
  });

  test("one entrant and no games make a table too", () => {
    const report = createReport({ game: "g", entrants: ["alone"], records: [] });
    for (const format of REPORT_FORMATS) expect(formatReport(report, format)).toContain("alone");
  });

  test("pairs that played unequally often show their number of games", () => {
    const records = [...duels([0, 1], { won: 2, lost: 1 }), ...duels([1, 2], { won: 1, lost: 1 })];
    const text = formatReport(createReport({ game: "g", entrants: ["a", "b", "c"], records }), "table");
    expect(text).toContain("Score % of row against column (games)");
    expect(text).toContain("66.7 (3)");
  });
});

/** Made by this code, to show any change: no proof that the numbers are right (the other tests are). */
describe("regression goldens", () => {
  test("table", () => {
    expect(`\n${formatReport(REPORT, "table")}\n`).toMatchInlineSnapshot(`
      "
      connect-four: 44 games

      #  Entrant                Elo  +/-  Games  Score%  Won  Drawn  Lost  Nodes    ms
      -  ---------------------  ---  ---  -----  ------  ---  -----  ----  -----  ----
      1  alpha-beta:depth=6...   65   66     28    64.3   15      6     7   1031  3.18
      2  uct                     10   80     28    53.6   12      6    10   1031  3.18
      3  odd|name, *quoted*     -75   79     32    34.4    8      6    18   1031  3.18

      First seat: +71 Elo (95% interval -21 to +164)

      Ratings explain the results: 0.0% of their variance is left (p = 0.65).

      Score % of row against column (games)

      #  Entrant                        1          2          3
      -  ---------------------  ---------  ---------  ---------
      1  alpha-beta:depth=6...          -  54.2 (12)  71.9 (16)
      2  uct                    45.8 (12)          -  59.4 (16)
      3  odd|name, *quoted*     28.1 (16)  40.6 (16)          -

      Likelihood in % that row is stronger than column

      #  Entrant                   1     2     3
      -  ---------------------  ----  ----  ----
      1  alpha-beta:depth=6...     -  80.7  99.1
      2  uct                    19.3     -  88.2
      3  odd|name, *quoted*      0.9  11.8     -

      Warnings
        ! alpha-beta:depth=6,evaluator=../../weights/connect-four/linear.json: 1
          time-out ("over 5000 ms")
      "
    `);
  });
  test("markdown", () => {
    expect(`\n${formatReport(REPORT, "markdown")}\n`).toMatchInlineSnapshot(`
      "
      ## connect-four: 44 games

      | # | Entrant | Elo | +/- | Games | Score% | Won | Drawn | Lost | Nodes | ms |
      | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
      | 1 | alpha-beta:depth=6,evaluator=../../weights/connect-four/linear.json | 65 | 66 | 28 | 64.3 | 15 | 6 | 7 | 1031 | 3.18 |
      | 2 | uct | 10 | 80 | 28 | 53.6 | 12 | 6 | 10 | 1031 | 3.18 |
      | 3 | odd\\|name, \\*quoted\\* | -75 | 79 | 32 | 34.4 | 8 | 6 | 18 | 1031 | 3.18 |

      First seat: +71 Elo (95% interval -21 to +164)

      Ratings explain the results: 0.0% of their variance is left (p = 0.65).

      ## Score % of row against column (games)

      | # | Entrant | 1 | 2 | 3 |
      | ---: | --- | ---: | ---: | ---: |
      | 1 | alpha-beta:depth=6,evaluator=../../weights/connect-four/linear.json | - | 54.2 (12) | 71.9 (16) |
      | 2 | uct | 45.8 (12) | - | 59.4 (16) |
      | 3 | odd\\|name, \\*quoted\\* | 28.1 (16) | 40.6 (16) | - |

      ## Likelihood in % that row is stronger than column

      | # | Entrant | 1 | 2 | 3 |
      | ---: | --- | ---: | ---: | ---: |
      | 1 | alpha-beta:depth=6,evaluator=../../weights/connect-four/linear.json | - | 80.7 | 99.1 |
      | 2 | uct | 19.3 | - | 88.2 |
      | 3 | odd\\|name, \\*quoted\\* | 0.9 | 11.8 | - |

      ## Warnings

      - alpha-beta:depth=6,evaluator=../../weights/connect-four/linear.json: 1 time-out ("over 5000 ms")
      "
    `);
  });
  test("names do nothing but stand there", () => {
    const names = ["=1+1", "+1", "-1", "@x", "\u001b[2Jtwo\nlines"];
    const entrants = names.map((name, at) => ({ ...REPORT.entrants[at % REPORT.entrants.length]!, name }));
    const report = { ...REPORT, entrants, warnings: ["\u0007bell"] };
    const cells = formatReport(report, "csv")
      .split("\n")
      .slice(1)
      .map((line) => line.split(",")[1]);
    expect(cells).toEqual(["'=1+1", "'+1", "'-1", "'@x", "\\u001b[2Jtwo\\nlines"]);
    for (const format of ["table", "markdown"] as const) {
      const text = formatReport(
        {
          ...REPORT,
          entrants: [...entrants.slice(4), ...REPORT.entrants.slice(1)],
          warnings: ["\u0007bell"],
        },
        format,
      );
      // oxlint-disable-next-line no-control-regex
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
      expect(text).toMatch(/two\\+nlines/);
    }
  });

  test("csv", () => {
    expect(`\n${formatReport(REPORT, "csv")}\n`).toMatchInlineSnapshot(`
      "
      rank,name,elo,low,high,games,wins,draws,losses,score,drawRate,meanReturn,returnLow,returnHigh,nodesPerMove,msPerMove,forfeits
      1,"alpha-beta:depth=6,evaluator=../../weights/connect-four/linear.json",64.9276,-1.4051,131.2602,28,15,6,7,0.6429,0.2143,0.2857,0.0195,0.5519,1030.5128,3.1836,1
      2,uct,10.3827,-69.5609,90.3263,28,12,6,10,0.5357,0.2143,0.0714,-0.2671,0.4099,1030.5128,3.1836,0
      3,"odd|name, *quoted*",-75.3103,-153.8865,3.2659,32,8,6,18,0.3438,0.1875,-0.3125,-0.6208,-0.0042,1030.5128,3.1836,0
      "
    `);
  });
  test("json", () => {
    const small = createReport({
      game: "g",
      entrants: ["a", "b"],
      records: pairs(0, 1, [
        [1, -1],
        [1, 0],
      ]),
    });
    expect(`\n${formatReport(small, "json")}\n`).toMatchInlineSnapshot(`
      "
      {
        "game": "g",
        "games": 4,
        "adjudicated": 0,
        "players": 2,
        "firstSeatElo": 283.5939,
        "firstSeatLow": -93.5497,
        "firstSeatHigh": 660.7374,
        "entrants": [
          {
            "rank": 1,
            "name": "a",
            "elo": 44.2906,
            "low": -95.5617,
            "high": 184.1428,
            "games": 4,
            "wins": 2,
            "draws": 1,
            "losses": 1,
            "score": 0.625,
            "drawRate": 0.25,
            "meanReturn": 0.25,
            "returnLow": -0.24,
            "returnHigh": 0.74,
            "nodesPerMove": 0,
            "msPerMove": 0,
            "forfeits": 0
          },
          {
            "rank": 2,
            "name": "b",
            "elo": -44.2906,
            "low": -184.1428,
            "high": 95.5617,
            "games": 4,
            "wins": 1,
            "draws": 1,
            "losses": 2,
            "score": 0.375,
            "drawRate": 0.25,
            "meanReturn": -0.25,
            "returnLow": -0.74,
            "returnHigh": 0.24,
            "nodesPerMove": 0,
            "msPerMove": 0,
            "forfeits": 0
          }
        ],
        "crossTable": [
          [
            null,
            {
              "score": 0.625,
              "games": 4
            }
          ],
          [
            {
              "score": 0.375,
              "games": 4
            },
            null
          ]
        ],
        "superiority": [
          [
            0.5,
            0.7359
          ],
          [
            0.2641,
            0.5
          ]
        ],
        "beyondElo": null,
        "rankedBy": "elo",
        "duel": {
          "names": [
            "a",
            "b"
          ],
          "bySeat": [
            [
              2,
              0,
              0
            ],
            [
              0,
              1,
              1
            ]
          ],
          "pairs": [
            0,
            0,
            1,
            0,
            1,
            0
          ]
        },
        "warnings": [
          "fewer than 10 blocks, so intervals are rough: a (2); b (2)"
        ]
      }
      "
    `);
  });
});

test("ratings explain the results of an entrant that won all its games", () => {
  const records = [
    ...duels([0, 1], { won: 40 }),
    ...duels([0, 2], { won: 40 }),
    ...duels([1, 2], { won: 20, lost: 20 }),
  ];
  const text = formatReport(createReport({ game: "g", entrants: ["best", "b", "c"], records }), "table");
  expect(text).toMatch(/^Ratings explain the results: 0\.0% of their variance is left( \(p = [\d.]+\))?\.$/m);
  expect(text).not.toContain("Maximal lottery");
});
