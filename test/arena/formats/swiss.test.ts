import { describe, expect, test } from "vitest";
import type { FormatPlan, Past } from "../../../src/arena/formats/format.ts";
import { formatOf } from "../../../src/arena/formats/index.ts";
import { swissTable } from "../../../src/arena/formats/swiss.ts";
import { createRandom } from "../../../src/base/random.ts";
import { planFor, playOut } from "./play-out.ts";

const swiss = (rounds: number, entrants: number, change: Partial<FormatPlan> = {}) =>
  planFor({ type: "swiss", rounds }, entrants, change);

/** Results in which a half of the matches are drawn, the others won by either. */
function randomResults(seed: number) {
  const random = createRandom("results", seed);
  return () => {
    const share = [0, 0.5, 1, 0.5][random.below(4)]!;
    return [share, 1 - share];
  };
}

/** The entrants that have no match, by round. */
function byesOf({ entrants }: FormatPlan, { matches }: Past): number[][] {
  return matches.map((round) => {
    const playing = new Set(round.flatMap((match) => match.entrants));
    return [...entrants.keys()].filter((entrant) => !playing.has(entrant));
  });
}

/** Points before a round, counted match by match: an obvious second way for two players. */
function pointsBefore(plan: FormatPlan, { matches, scores }: Past, rounds: number): number[] {
  const points = plan.entrants.map(() => 0);
  for (let round = 0; round < rounds; round++) {
    for (const bye of byesOf(plan, { matches, scores })[round]!) points[bye]!++;
    for (const [at, { entrants }] of matches[round]!.entries()) {
      const own = scores.filter((block) => block.round === round && block.match === at);
      const [one, other] = [0, 1].map((side) => own.reduce((sum, block) => sum + block.scores[side]!, 0));
      points[entrants[0]!]! += one! > other! ? 1 : one! === other! ? 0.5 : 0;
      points[entrants[1]!]! += other! > one! ? 1 : one! === other! ? 0.5 : 0;
    }
  }
  return points;
}

describe("a Swiss tournament in which the one listed first wins", () => {
  const pairs = (past: Past) => past.matches.map((round) => round.map(({ entrants }) => entrants.join("-")));

  test("of eight: winners meet winners, neighbours on the list first", () => {
    const past = playOut(swiss(3, 8), () => [1, 0]);
    expect(pairs(past)).toEqual([
      ["0-1", "2-3", "4-5", "6-7"],
      ["0-2", "4-6", "1-3", "5-7"],
      ["0-4", "1-2", "5-6", "3-7"],
    ]);
    const table = swissTable(swiss(3, 8), past);
    expect(table.map(({ entrant, points, buchholz }) => [entrant, points, buchholz])).toEqual([
      [0, 3, 2 + 1 + 2],
      [4, 2, 2 + 1 + 3],
      [1, 2, 3 + 1 + 1],
      [5, 2, 2 + 0 + 1],
      [2, 1, 1 + 3 + 2],
      [6, 1, 0 + 2 + 2],
      [3, 1, 1 + 2 + 0],
      [7, 0, 1 + 2 + 1],
    ]);
  });

  test("of four over three rounds: everybody meets everybody", () => {
    expect(
      pairs(playOut(swiss(3, 4), () => [1, 0]))
        .flat()
        .toSorted(),
    ).toEqual(["0-1", "0-2", "0-3", "1-2", "1-3", "2-3"]);
  });

  test("of five: the last one without a bye has it, and a point for it", () => {
    const plan = swiss(5, 5);
    const past = playOut(plan, () => [1, 0]);
    expect(byesOf(plan, past)).toEqual([[4], [3], [2], [1], [0]]);
    const table = swissTable(plan, past);
    expect(table.map(({ entrant, points }) => [entrant, points])).toEqual([
      [0, 5],
      [1, 4],
      [2, 3],
      [3, 2],
      [4, 1],
    ]);
    expect(table[4]!.results[0]).toEqual({ opponents: [], points: 1, blocks: 0, score: 0 });
    expect(table[4]!.score).toBe(0);
  });
});

describe.each([
  { entrants: 30, rounds: 15 },
  { entrants: 31, rounds: 15 },
  { entrants: 7, rounds: 4 },
  { entrants: 12, rounds: 6 },
])("a Swiss tournament of $entrants over $rounds rounds with random results", ({ entrants, rounds }) => {
  const tournaments = Array.from({ length: 10 }, (_, seed) => {
    const plan = swiss(rounds, entrants);
    return { plan, past: playOut(plan, randomResults(seed)) };
  });

  test("nobody meets twice", () => {
    for (const { past } of tournaments) {
      const met = past.matches.flat().map((match) => match.entrants.join());
      expect(new Set(met).size).toBe(met.length);
      expect(met).toHaveLength(rounds * Math.floor(entrants / 2));
    }
  });

  test("a bye goes to the last of those without one", () => {
    for (const { plan, past } of tournaments) {
      const byes = byesOf(plan, past).flat();
      expect(byes).toHaveLength((entrants % 2) * rounds);
      for (const [round, bye] of byes.entries()) {
        const points = pointsBefore(plan, past, round);
        const behind = (one: number) =>
          points[one]! < points[bye]! || (points[one] === points[bye] && one > bye);
        const without = [...plan.entrants.keys()].filter((one) => !byes.slice(0, round).includes(one));
        expect(without).toContain(bye);
        expect(without.filter(behind)).toEqual([]);
      }
    }
  });

  test("the first of the list meets the nearest one that it has not met", () => {
    for (const { plan, past } of tournaments) {
      const met = new Set<string>();
      for (const [round, matches] of past.matches.entries()) {
        const points = pointsBefore(plan, past, round);
        const playing = matches.flatMap((match) => match.entrants);
        const [first, ...others] = playing.toSorted((a, b) => points[b]! - points[a]! || a - b);
        const nearest = others.find((other) => !met.has([first!, other].toSorted((a, b) => a - b).join()));
        expect(matches[0]!.entrants).toEqual([first, nearest].toSorted((a, b) => a! - b!));
        for (const { entrants: both } of matches) met.add(both.join());
      }
    }
  });

  test("the table adds up", () => {
    for (const { plan, past } of tournaments) {
      const table = swissTable(plan, past);
      const points = pointsBefore(plan, past, rounds);
      for (const { entrant, points: own, buchholz, results } of table) {
        expect(own).toBe(points[entrant]);
        const opponents = past.matches.flat().flatMap((match) => {
          const [one, other] = match.entrants;
          return one === entrant ? [other!] : other === entrant ? [one!] : [];
        });
        expect(buchholz).toBe(opponents.reduce((sum, other) => sum + points[other]!, 0));
        expect(results).toHaveLength(rounds);
      }
      for (const [at, { points: own, buchholz }] of table.slice(1).entries()) {
        expect(own).toBeLessThanOrEqual(table[at]!.points);
        if (own === table[at]!.points) expect(buchholz).toBeLessThanOrEqual(table[at]!.buchholz);
      }
    }
  });
});

test("with as many rounds as there are opponents, somebody may meet again, and plays new blocks then", () => {
  const again = Array.from({ length: 40 }, (_, seed) => {
    const { matches } = playOut(swiss(5, 6), randomResults(seed));
    return matches.flat().filter(({ from }) => from > 0).length;
  });
  // After three rounds of six, those left to meet may be two circles of three: nobody can be paired inside of them alone.
  expect(again).toContain(0);
  expect(Math.max(...again)).toBeGreaterThan(0);
});

describe("a Swiss tournament of games of three", () => {
  test("nobody meets twice where that can be avoided; two that are left over have byes", () => {
    const plan = swiss(4, 14, { players: 3 });
    for (let seed = 0; seed < 10; seed++) {
      const random = createRandom("three", seed);
      const past = playOut(plan, () => {
        const places = Int32Array.of(0, 1, 2);
        random.shuffle(places, 0, 3);
        return Array.from(places, (place) => place / 2);
      });
      const met = past.matches
        .flat()
        .flatMap(({ entrants: [a, b, c] }) => [`${a},${b}`, `${a},${c}`, `${b},${c}`]);
      expect(new Set(met).size).toBe(met.length);
      const byes = byesOf(plan, past);
      expect(byes.map(({ length }) => length)).toEqual([2, 2, 2, 2]);
      expect(new Set(byes.flat()).size).toBe(8);
      expect(swissTable(plan, past).reduce((sum, { points }) => sum + points, 0)).toBe(4 * (4 * 1.5 + 2));
    }
  });

  test("an entrant gets the share of its opponents that it beat over all blocks", () => {
    const plan = swiss(1, 3, { players: 3, blocks: 2 });
    const past = playOut(plan, (_, block) => (block === 0 ? [1, 0.5, 0] : [0.25, 0.75, 0.5]));
    expect(swissTable(plan, past).map(({ entrant, points, score }) => [entrant, points, score])).toEqual([
      [0, 0.75, 0.625],
      [1, 0.75, 0.625],
      [2, 0, 0.25],
    ]);
  });
});

test("a match whose blocks are not all played has no result yet", () => {
  const plan = swiss(1, 4);
  const { matches, scores } = playOut(plan, () => [1, 0]);
  const table = swissTable(plan, { matches, scores: scores.slice(0, 3) });
  expect(table.map(({ entrant, points }) => [entrant, points])).toEqual([
    [0, 1],
    [1, 0],
    [2, 0],
    [3, 0],
  ]);
  expect(table[2]!.results).toEqual([undefined]);
});

test.each([
  [swiss(8, 8), "rounds: must be at most 7, got 8: in more rounds 8 entrants would have to meet again"],
  [swiss(6, 5), "rounds: must be at most 5, got 6: in more rounds 5 entrants would have to meet again"],
  [swiss(5, 9, { players: 3 }), "rounds: must be at most 4, got 5"],
  [swiss(1, 4, { players: 1 }), "everybody plays alone in a game of one player: take the format round-robin"],
])("refused: %j", (plan, message) => {
  expect(() => formatOf(plan).size(plan)).toThrow(message);
});
