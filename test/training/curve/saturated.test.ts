import { describe, expect, test } from "vitest";
import type { TournamentPlan } from "../../../src/arena/plan/plan.ts";
import { createRandom } from "../../../src/base/random.ts";
import type { GameRecord } from "../../../src/ratings/record.ts";
import { formatStrength } from "../../../src/ratings/sections/curve.ts";
import { curveOf } from "../../../src/training/curve/curve.ts";
import { formatCurveCsv, formatCurveTable } from "../../../src/training/curve/formats.ts";
import { formatSweepCsv, formatSweepTable } from "../../../src/training/sweep/format-sweep.ts";
import { reportSweep } from "../../../src/training/sweep/sweep-report.ts";
import { gameRecord } from "../../ratings/records.ts";

/** A pool of one agent, and checkpoints that win a share of 100 games against it. */
function curveWith(...shares: number[]) {
  const random = createRandom("saturated");
  const checkpoint = (games: number) => ({
    name: `${games} games`,
    spec: { agent: "greedy", evaluator: `checkpoints/${games}.json` },
  });
  const plan = {
    players: 2,
    entrants: [{ name: "random", spec: { agent: "random" } }, ...shares.map((_, at) => checkpoint(10 * at))],
    anchor: { entrant: "random", elo: 0 },
  } as unknown as TournamentPlan;
  const records = shares.flatMap((share, at) =>
    Array.from({ length: 100 }, (_, game): GameRecord => {
      const seats = game % 2 === 0 ? [0, at + 1] : [at + 1, 0];
      const ofFirst = seats[0]! > 0 === random.float() < share ? 1 : -1;
      const returns = [ofFirst, -ofFirst];
      return gameRecord({ seats, returns, block: `${at}-${game >> 1}` });
    }),
  );
  return curveOf(plan, records);
}

describe("a checkpoint that won all its games", () => {
  const curve = curveWith(0.5, 1);
  const [first, last] = curve.points;

  test("has a score with Wilson's interval in place of an Elo, in words, tables and CSV", () => {
    expect(first!.saturated).toBeUndefined();
    // Wilson's lower end for 100 of 100 is 100 / (100 + z^2).
    expect(last!.saturated!.low).toBeCloseTo(100 / 103.8414588, 6);
    expect(formatStrength(last!)).toBe("100.0% of the points");
    expect(formatStrength(first!)).toMatch(/^-?\d+ Elo$/);
    const [, , before, after] = formatCurveTable(curve).split("\n");
    expect(before).toMatch(/^\| 0 \| -?\d+ \| -?\d+ to -?\d+ \|/);
    expect(after).toMatch(/^\| 10 \| 100\.0% \| 96\.3 to 100\.0% \| 100\.0 \|/);
    const [head, ...rows] = formatCurveCsv(curve).trim().split("\n");
    expect(head).toMatch(/,scoreLow,scoreHigh$/);
    expect(rows[0]).toMatch(/^0,-?[\d.]+,-?[\d.]+,-?[\d.]+,0\.\d+,.*,,$/);
    expect(rows[1]).toMatch(/^10,,,,1\.0000,.*,0\.9630,1\.0000$/);
  });

  test("has a sweep compare trainings by their scores", () => {
    const trained = ["a", "b", "c"].map((seed) => ({ seed, points: curve.points, weightsGames: 10 }));
    const other = ["a", "b", "c"].map((seed, at) => ({
      seed,
      points: curveWith(0.5, 0.6 + at / 10).points,
      weightsGames: 10,
    }));
    const settings = ["x=1", "x=2"].map((name) => ({ name, folder: name, values: {} }));
    const sweep = { name: "s", seeds: ["a", "b", "c"], settings, players: 2 } as unknown as Parameters<
      typeof reportSweep
    >[0];
    const report = reportSweep(sweep, [trained, other]);
    expect(report.measure).toBe("score");
    const [, , one, two] = formatSweepTable(report).split("\n");
    // Scores that are all 100% say nothing of the spread.
    expect(one).toMatch(/^\| x=1 \| 3 \| 100\.0 \| {2}\| {2}\| {2}\|$/);
    expect(two).toMatch(/^\| x=2 \| 3 \| [67]\d\.\d \| \+\/- \d+\.\d \| -[23]\d\.\d \| \+\/- /);
    expect(formatSweepTable(report)).toMatch(/^\| Setting \| Seeds \| Score % \|/);
    expect(formatSweepCsv(report)).toMatch(/^x=1,a,10,,,,.*,1,0\.963\d+,1$/m);
    expect(reportSweep(sweep, [other, other]).measure).toBe("elo");
  });
});
