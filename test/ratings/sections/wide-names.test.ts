import stringWidth from "string-width";
import { expect, test } from "vitest";
import { formatReport } from "../../../src/ratings/sections/format-report.ts";
import { createReport } from "../../../src/ratings/report.ts";
import { createRandom } from "../../../src/base/random.ts";
import { charactersOf } from "../../../src/base/text.ts";
import type { SweepReport } from "../../../src/training/sweep/sweep-report.ts";
import { formatCurveTable } from "../../../src/training/curve/formats.ts";
import { formatSweepTable } from "../../../src/training/sweep/format-sweep.ts";
import { randomGames } from "../records.ts";

/** Two columns a character, one emoji of several code points, a letter with its accent apart, and a long name. */
const NAMES = [
  "東京大学",
  "👩‍👩‍👧 ふたり",
  "cafe\u0301",
  "ソウル大学校人工知能研究室の第一チームと第二チームの合同",
];

/** The columns of a terminal that a line fills: a character stands in its first one. */
function columnsOf(line: string): string[] {
  return charactersOf(line).flatMap((one) => [
    one,
    ...Array<string>(Math.max(0, stringWidth(one) - 1)).fill(""),
  ]);
}

/** Expects that each gap of a table, which its rule shows, is blank in all its lines. The number of tables. */
function expectAligned(text: string, width: number): number {
  const rules = text.matchAll(/^.*\n-+(?: {2}-+)+\n(?:.+\n?)*/gm);
  let count = 0;
  for (const [table] of rules) {
    const [head, rule, ...rows] = table.trimEnd().split("\n");
    for (const line of [head!, ...rows]) {
      const columns = columnsOf(line);
      expect(columns.length).toBeLessThanOrEqual(width);
      for (const [at, dash] of rule!.split("").entries())
        if (dash === " ") expect({ line, at, sign: columns[at] ?? " " }).toEqual({ line, at, sign: " " });
    }
    expect(rows.length).toBeGreaterThan(1);
    count++;
  }
  return count;
}

test.each([70, 100, 200])("ratings and cross-tables are aligned in %i columns", (width) => {
  const records = randomGames(createRandom("wide"), { entrants: NAMES.length, seats: 2, games: 200 });
  const report = createReport({ game: "nim", entrants: NAMES, records });
  expect(expectAligned(formatReport(report, "table", { width }), width)).toBeGreaterThanOrEqual(3);
});

test("curves and sweeps are aligned", () => {
  const returns = { mean: 0.5, low: 0.4, high: 0.6 };
  const rating = { elo: 10, low: 0, high: 20, score: 0.5 };
  const points = [0, 500].map((games) => ({
    ...rating,
    games,
    meanReturn: returns,
    against: NAMES.map(() => returns),
  }));
  const pool = NAMES.map((name) => ({ name, ...rating }));
  expect(expectAligned(formatCurveTable({ points, pool, warnings: [] }, { width: 300 }), 300)).toBe(2);
  const settings = NAMES.map((name) => ({
    name: `features=${name}`,
    folder: "",
    values: {},
    trainings: [],
    curve: [],
    panel: [],
    reached: { mean: 100, margin: 7 },
    difference: undefined,
  }));
  const report: SweepReport = {
    name: "s",
    measure: "elo",
    settings,
    findings: [],
    problems: [],
    isBroken: false,
  };
  expect(expectAligned(formatSweepTable(report, { width: 120 }), 120)).toBe(1);
});
