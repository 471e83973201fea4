import { describe, expect, test } from "vitest";
import type { FormatPlan } from "../../../src/arena/formats/format.ts";
import { formatOf, hasOneRound } from "../../../src/arena/formats/index.ts";
import { InputError } from "../../../src/base/errors.ts";
import { everyFew, slowTest } from "../../support/thorough.ts";

const named = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `e${at}` }));

const planOf = (entrants: number, players: number, wanted?: number, seed = "seed"): FormatPlan => ({
  format: wanted === undefined ? { type: "round-robin" } : { type: "sample", pairings: wanted },
  entrants: named(entrants),
  players,
  blocks: 3,
  seed,
});

/** The pairings of the only round. */
function pairings(plan: FormatPlan): (readonly number[])[] {
  const format = formatOf(plan);
  const matches = format.round(plan, 0, { matches: [], scores: [] })!;
  expect(format.round(plan, 1, { matches: [matches], scores: [] })).toBeUndefined();
  for (const { from, blocks } of matches) expect({ from, blocks }).toEqual({ from: 0, blocks: plan.blocks });
  return matches.map(({ entrants }) => entrants);
}

/** The number of pairings, from the number of games. */
function count(plan: FormatPlan): number {
  const { least, most } = formatOf(plan).size(plan);
  expect(least).toBe(most);
  return most / plan.players / plan.blocks;
}

describe("a sample of pairings", () => {
  test.each(
    everyFew(
      [
        { entrants: 40, players: 6, wanted: 500 },
        { entrants: 40, players: 6, wanted: 7 },
        { entrants: 100, players: 2, wanted: 1000 },
        { entrants: 7, players: 3, wanted: 17 },
        // More than half of all 35 sets: those that are left out are drawn.
        { entrants: 7, players: 3, wanted: 30 },
        { entrants: 6, players: 2, wanted: 14 },
      ],
      3,
    ),
  )("$wanted of $entrants entrants by $players are different, every entrant in equally many", (sample) => {
    const { entrants, players, wanted } = sample;
    for (const seed of ["a", "b", "c", "d", "e"]) {
      const plan = planOf(entrants, players, wanted, seed);
      const drawn = pairings(plan);
      expect(drawn).toHaveLength(wanted);
      expect(count(plan)).toBe(wanted);
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
    const draw = (seed: string) => pairings(planOf(40, 6, 50, seed));
    expect(draw("a")).toEqual(draw("a"));
    expect(draw("a")).not.toEqual(draw("b"));
  });

  test("as large as all there are, it is all of them in their order", () => {
    expect(pairings(planOf(6, 3, 20))).toEqual(pairings(planOf(6, 3)));
    expect(pairings(planOf(6, 3, 99))).toEqual(pairings(planOf(6, 3)));
    expect(count(planOf(6, 3, 99))).toBe(20);
  });
});

describe("a gauntlet", () => {
  const gauntletOf = (entrants: number, players: number, ...challengers: string[]) => ({
    ...planOf(entrants, players),
    format: { type: "gauntlet", challengers },
  });

  test.each([
    { entrants: 7, players: 2, challengers: [3] },
    { entrants: 7, players: 2, challengers: [6, 0, 2] },
    { entrants: 7, players: 3, challengers: [1, 5] },
    { entrants: 6, players: 6, challengers: [4] },
    { entrants: 2, players: 2, challengers: [1] },
  ])("$challengers of $entrants by $players: each with every set of the field, once", (sample) => {
    const { entrants, players, challengers } = sample;
    const plan = gauntletOf(entrants, players, ...challengers.map((at) => `e${at}`));
    const met = pairings(plan);
    expect(count(plan)).toBe(met.length);
    const all = pairings(planOf(entrants, players));
    const isChallenger = (entrant: number) => challengers.includes(entrant);
    const expected = all.filter((set) => set.filter(isChallenger).length === 1);
    expect(met.map(String).toSorted()).toEqual(expected.map(String).toSorted());
  });

  test.each([
    [gauntletOf(4, 2, "x"), 'challengers[0]: unknown entrant "x"; allowed: e0, e1, e2, e3'],
    [gauntletOf(4, 2, "e1", "e1"), 'challengers[1]: "e1" is named twice'],
    [gauntletOf(4, 3, "e0", "e1", "e2"), "challengers: leaves 1 for the field; games of 3 need at least 2"],
    [gauntletOf(4, 1, "e0"), "everybody plays alone in a game of one player: take the format round-robin"],
  ])("refused: %j", (plan, message) => {
    expect(() => count(plan)).toThrow(message);
  });
});

slowTest("pairings are counted without being made", () => {
  expect(count(planOf(40, 6))).toBe(3_838_380);
  expect(count(planOf(1_000_000, 2))).toBe(499_999_500_000);
  for (const [entrants, players] of [
    [5, 1],
    [5, 2],
    [7, 4],
    [6, 6],
  ] as const) {
    expect(count(planOf(entrants, players))).toBe(pairings(planOf(entrants, players)).length);
    const pool = { ...planOf(entrants, players), format: { type: "pool", size: 2 } };
    expect(count(pool)).toBe(pairings(pool).length);
  }
});

test("a plan that does not fit its format, or has an unknown one, is refused", () => {
  expect(() => count(planOf(9, 2, 4))).toThrow(
    new InputError("must be at least 5, so that all 9 entrants play"),
  );
  expect(() => count(planOf(9, 1, 9))).toThrow(/everybody plays alone/);
  expect(() => formatOf({ format: { type: "round-robbin" } })).toThrow(
    'unknown format "round-robbin" (did you mean "round-robin"?); allowed: round-robin, sample, gauntlet, swiss, knockout, pool, sprt',
  );
});

test("all games of these formats are of one round", () => {
  for (const plan of [planOf(5, 2), planOf(5, 2, 4), planOf(3, 1)]) expect(hasOneRound(plan)).toBe(true);
});
