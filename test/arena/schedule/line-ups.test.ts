import { describe, expect, test } from "vitest";
import { countLineUps, lineUps } from "../../../src/arena/schedule/line-ups.ts";

const planOf = (entrants: number, players: number, wanted?: number, seed = "seed") => ({
  entrants: { length: entrants },
  players,
  seed,
  lineUps: wanted,
});

describe("a sample of line-ups", () => {
  test.each([
    { entrants: 40, players: 6, wanted: 500 },
    { entrants: 40, players: 6, wanted: 7 },
    { entrants: 100, players: 2, wanted: 1000 },
    { entrants: 7, players: 3, wanted: 17 },
    // More than half of all 35 sets: those that are left out are drawn.
    { entrants: 7, players: 3, wanted: 30 },
    { entrants: 6, players: 2, wanted: 14 },
  ])("$wanted of $entrants entrants by $players are different, every entrant in equally many", (sample) => {
    const { entrants, players, wanted } = sample;
    for (const seed of ["a", "b", "c", "d", "e"]) {
      const plan = planOf(entrants, players, wanted, seed);
      const drawn = [...lineUps(plan)];
      expect(drawn).toHaveLength(wanted);
      expect(countLineUps(plan)).toBe(wanted);
      expect(new Set(drawn.map(String)).size).toBe(wanted);
      const uses = Array.from({ length: entrants }, () => 0);
      for (const set of drawn) {
        expect(set).toEqual([...new Set(set)].toSorted((a, b) => a - b));
        expect(set).toHaveLength(players);
        for (const entrant of set) uses[entrant]!++;
      }
      expect(Math.max(...uses) - Math.min(...uses)).toBeLessThanOrEqual(1);
    }
  });

  test("is the same for the same seed, and another for another", () => {
    const draw = (seed: string) => [...lineUps(planOf(40, 6, 50, seed))];
    expect(draw("a")).toEqual(draw("a"));
    expect(draw("a")).not.toEqual(draw("b"));
  });

  test("as large as all there are, it is all of them in their order", () => {
    expect([...lineUps(planOf(6, 3, 20))]).toEqual([...lineUps(planOf(6, 3))]);
    expect([...lineUps(planOf(6, 3, 99))]).toEqual([...lineUps(planOf(6, 3))]);
    expect(countLineUps(planOf(6, 3, 99))).toBe(20);
  });
});

test("line-ups are counted without being made", () => {
  expect(countLineUps(planOf(40, 6))).toBe(3_838_380);
  expect(countLineUps(planOf(1_000_000, 2))).toBe(499_999_500_000);
  for (const [entrants, players] of [
    [5, 1],
    [5, 2],
    [7, 4],
    [6, 6],
  ] as const) {
    expect(countLineUps(planOf(entrants, players))).toBe([...lineUps(planOf(entrants, players))].length);
    const pool = { ...planOf(entrants, players), pool: 2 };
    expect(countLineUps(pool)).toBe([...lineUps(pool)].length);
  }
});
