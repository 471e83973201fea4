import { describe, expect, test } from "vitest";
import { type BattleKind, LEFT_SHIFT, outcomesOf } from "../../../src/games/conquest/battle.ts";
import { MAPS } from "../../../src/games/conquest/maps.ts";
import { battle, THROWS } from "./throws.ts";

/** The ends of a battle in words, with their odds. */
function outcomes(kind: BattleKind, attackers: number, defenders: number): Map<string, number> {
  const { lefts, probabilities } = outcomesOf(kind)[(attackers << LEFT_SHIFT) | defenders]!;
  return new Map(Array.from(lefts, (left, at) => [`${left >> LEFT_SHIFT}:${left & 63}`, probabilities[at]!]));
}

/** The chance that so many attackers, one of whom stays behind, take a region. */
function wins(attackers: number, defenders: number): number {
  const ends = [...outcomes("decided", attackers, defenders)];
  return ends.filter(([end]) => end.endsWith(":0")).reduce((sum, [, odds]) => sum + odds, 0);
}

describe("battles", () => {
  test("a throw has the published odds", () => {
    const percent = (attackers: number, defenders: number) =>
      [...outcomes("dice", attackers, defenders).values()].map((odds) => Math.round(10_000 * odds) / 100);
    expect(percent(4, 2)).toEqual([29.26, 33.58, 37.17]);
    expect(percent(9, 7)).toEqual([29.26, 33.58, 37.17]);
    expect(percent(4, 1)).toEqual([34.03, 65.97]);
    expect(percent(3, 2)).toEqual([44.83, 32.41, 22.76]);
    expect(percent(3, 1)).toEqual([42.13, 57.87]);
    expect(percent(2, 2)).toEqual([74.54, 25.46]);
    expect(percent(2, 1)).toEqual([58.33, 41.67]);
    for (const odds of Object.values(THROWS))
      expect(odds.reduce((sum, [share]) => sum + share, 0)).toBeCloseTo(1, 14);
  });

  test("decided battles are won as often as Osborne (2003) says", () => {
    // Attackers without the one who stays behind.
    expect(wins(1 + 1, 1)).toBeCloseTo(0.417, 3);
    expect(wins(2 + 1, 1)).toBeCloseTo(0.754, 3);
    expect(wins(3 + 1, 1)).toBeCloseTo(0.916, 3);
    expect(wins(3 + 1, 2)).toBeCloseTo(0.656, 3);
    expect(wins(5 + 1, 5)).toBeCloseTo(0.506, 3);
    expect(wins(10 + 1, 10)).toBeCloseTo(0.568, 3);
  });

  test("decided battles have the ends of throw after throw", () => {
    for (const [attackers, defenders] of [
      [2, 1],
      [3, 4],
      [7, 5],
      [9, 8],
    ] as const) {
      const [ends, expected] = [
        outcomes("decided", attackers, defenders),
        battle(attackers, defenders, true),
      ];
      expect([...ends.keys()].toSorted()).toEqual([...expected.keys()].toSorted());
      for (const [end, odds] of ends) expect(odds).toBeCloseTo(expected.get(end)!, 13);
    }
  });
});

test("an exchange loses armies one for one, and the last defender stands", () => {
  const ends = (attackers: number, defenders: number) => [...outcomes("exchange", attackers, defenders)];
  expect(ends(5, 2)).toEqual([["3:0", 1]]);
  expect(ends(4, 2)).toEqual([["2:0", 1]]);
  expect(ends(3, 2)).toEqual([["1:1", 1]]);
  expect(ends(2, 2)).toEqual([["1:1", 1]]);
  expect(ends(2, 9)).toEqual([["1:8", 1]]);
});

test.each(Object.entries(MAPS))("the map %s is connected, and neighbours are mutual", (_, map) => {
  expect(new Set(map.names).size).toBe(map.names.length);
  expect(map.continents.flatMap(({ regions }) => regions)).toEqual(map.names.map((_name, at) => at));
  map.neighbours.forEach((borders, region) => {
    for (const border of borders) expect(map.neighbours[border]).toContain(region);
    expect(borders).not.toContain(region);
  });
  const reached = new Set([0]);
  for (const region of reached) for (const border of map.neighbours[region]!) reached.add(border);
  expect(reached.size).toBe(map.names.length);
});
