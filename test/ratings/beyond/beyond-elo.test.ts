import { describe, expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import type { BeyondElo } from "../../../src/ratings/beyond/beyond-elo.ts";
import type { GameRecord } from "../../../src/ratings/record.ts";
import { createReport } from "../../../src/ratings/report.ts";
import { duels, shuffled } from "../records.ts";
import { circle, coinBlocks } from "./circle.ts";

const NAMES = ["ann", "bob", "cid", "dan"];

function beyond(records: readonly GameRecord[], count: number): BeyondElo | null {
  return createReport({ game: "g", entrants: NAMES.slice(0, count), records }).beyondElo;
}

describe("a circle", () => {
  test("of scores of 60% in 200 blocks is found, with its share, its cycle and a third each", () => {
    const found = beyond(circle(createRandom("circle"), 200), 3)!;
    expect(found.isExplained).toBe(false);
    expect(found.pValue).toBeLessThan(0.001);
    expect(found.low).toBeGreaterThan(0);
    expect(found.cycle!.isSure).toBe(true);
    for (const score of found.cycle!.scores) expect(Math.abs(score - 0.6)).toBeLessThan(0.07);
    for (const { share, low, high } of found.lottery!) {
      expect(Math.abs(share - 1 / 3)).toBeLessThan(0.15);
      expect(low).toBeLessThan(1 / 3);
      expect(high).toBeGreaterThan(1 / 3);
    }
  });
});

describe("where there is nothing to say", () => {
  const many = { won: 20, lost: 10 };

  test("two entrants, or a pairing without cycles", () => {
    expect(beyond(duels([0, 1], many), 2)).toBe(null);
    expect(beyond([...duels([0, 1], many), ...duels([0, 2], many)], 3)).toBe(null);
  });

  test("one block of each pair: the noise is not known", () => {
    const one = { count: 1, chance: 0.5, random: createRandom("one block") };
    expect(beyond([...coinBlocks(0, 1, one), ...coinBlocks(1, 2, one), ...coinBlocks(0, 2, one)], 3)).toBe(
      null,
    );
  });

  test("pairs that did not meet: no lottery", () => {
    const ring = [
      ...duels([0, 1], many),
      ...duels([1, 2], many),
      ...duels([2, 3], many),
      ...duels([3, 0], many),
    ];
    const found = beyond(ring, 4)!;
    expect(found.pValue).toBeLessThan(0.05);
    expect(found.lottery).toBe(null);
  });
});

test("an order: the best has the whole lottery, and all that is left may be noise", () => {
  const strong = { won: 30, lost: 10 };
  const found = beyond(
    [...duels([0, 1], strong), ...duels([1, 2], strong), ...duels([0, 2], { won: 36, lost: 4 })],
    3,
  )!;
  expect(found).toMatchObject({ isExplained: true, cycle: null });
  expect(found.lottery!.map(({ share }) => Math.round(share * 1000) / 1000)).toEqual([1, 0, 0]);
});

test("the order of the games changes no bit", () => {
  const random = createRandom("order");
  const games = circle(random, 20);
  expect(beyond(shuffled(games, random), 3)).toEqual(beyond(games, 3));
});
