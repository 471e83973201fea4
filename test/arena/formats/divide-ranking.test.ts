import { describe, expect, test } from "vitest";
import { divideRanking } from "../../../src/arena/formats/divide-ranking.ts";
import { largestMatching } from "../../../src/arena/formats/matching.ts";
import { createRandom } from "../../../src/base/random.ts";
import { slowTest } from "../../support/thorough.ts";

/** A random graph: whether two vertices are adjacent. */
function randomGraph(seed: number, count: number, density: number): (one: number, other: number) => boolean {
  const random = createRandom("graph", seed);
  const edges = new Set<string>();
  for (let one = 0; one < count; one++)
    for (let other = one + 1; other < count; other++)
      if (random.float() < density) edges.add(`${one},${other}`);
  return (one, other) => edges.has(one < other ? `${one},${other}` : `${other},${one}`);
}

/** Every division of the ranking into pairs, in lexicographic order. */
function* pairings(ranking: readonly number[]): Generator<number[][]> {
  if (ranking.length === 0) yield [];
  const [first, ...others] = ranking;
  for (const other of others)
    for (const rest of pairings(others.filter((one) => one !== other))) yield [[first!, other], ...rest];
}

/** The number of pairs of a group that are in the relation. */
function pairsIn(group: readonly number[], relation: (one: number, other: number) => boolean): number {
  return group.flatMap((one, at) => group.slice(at + 1).filter((other) => relation(one, other))).length;
}

describe("the largest matching", () => {
  slowTest("of 400 random graphs is as large as trying all finds", () => {
    for (let seed = 0; seed < 400; seed++) {
      const count = 2 * (1 + (seed % 5));
      const isEdge = randomGraph(seed, count, 0.1 + 0.1 * (seed % 7));
      const partner = largestMatching(count, isEdge);
      for (const [one, other] of partner.entries()) {
        if (other === -1) continue;
        expect(partner[other]).toBe(one);
        expect(isEdge(one, other)).toBe(true);
      }
      const vertices = Array.from({ length: count }, (_, at) => at);
      const sizes = Array.from(
        pairings(vertices),
        (pairs) => pairs.filter((pair) => isEdge(pair[0]!, pair[1]!)).length,
      );
      expect(partner.filter((other) => other !== -1)).toHaveLength(2 * Math.max(...sizes));
    }
  });

  test("of large odd circles that hang together leaves out as few as it must", () => {
    // Five circles of seven vertices, each with one vertex tied to a centre: one circle is matched with the centre.
    const isEdge = (one: number, other: number) => {
      const [low, high] = [Math.min(one, other), Math.max(one, other)];
      if (high === 35) return low % 7 === 0;
      const gap = high - low;
      return Math.floor(low / 7) === Math.floor(high / 7) && (gap === 1 || gap === 6);
    };
    expect(largestMatching(36, isEdge).filter((other) => other === -1)).toHaveLength(4);
  });
});

describe("a ranking in pairs", () => {
  slowTest("is the first division of all that let the fewest meet again, for 300 random pasts", () => {
    for (let seed = 0; seed < 300; seed++) {
      const count = 2 * (1 + (seed % 5));
      const haveMet = randomGraph(seed, count, 0.2 + 0.1 * (seed % 8));
      const ranking = Array.from({ length: count }, (_, at) => (at * 3 + seed) % count);
      const order = count % 3 === 0 ? ranking.map((_, at) => at) : ranking;
      const mostMet = Math.max(...order.map((one) => order.filter((other) => haveMet(one, other)).length));
      const cost = (pairs: readonly (readonly number[])[]) =>
        pairs.reduce((sum, pair) => sum + pairsIn(pair, haveMet), 0);
      const all = [...pairings(order)];
      const least = Math.min(...all.map(cost));
      expect(divideRanking(order, { size: 2, haveMet, mostMet })).toEqual(
        all.find((one) => cost(one) === least),
      );
    }
  });

  test("of a thousand is found at once", () => {
    const ranking = Array.from({ length: 1000 }, (_, at) => at);
    const haveMet = (one: number, other: number) => Math.abs(one - other) <= 10;
    const pairs = divideRanking(ranking, { size: 2, haveMet, mostMet: 20 });
    expect(pairs.flat().toSorted((a, b) => a - b)).toEqual(ranking);
    expect(pairs.filter((pair) => pairsIn(pair, haveMet) > 0)).toEqual([]);
    expect(pairs.slice(0, 3)).toEqual([
      [0, 11],
      [1, 12],
      [2, 13],
    ]);
  });
});

describe("a ranking in larger groups", () => {
  test("takes the nearest, and those who have met only where nobody else is left", () => {
    const ranking = [0, 1, 2, 3, 4, 5];
    const met = (...pairs: string[]) => ({
      size: 3,
      mostMet: 5,
      haveMet: (one: number, other: number) =>
        pairs.includes(`${Math.min(one, other)}${Math.max(one, other)}`),
    });
    expect(divideRanking(ranking, met())).toEqual([
      [0, 1, 2],
      [3, 4, 5],
    ]);
    expect(divideRanking(ranking, met("01"))).toEqual([
      [0, 2, 3],
      [1, 4, 5],
    ]);
    // 3, 4 and 5 have met, so two of them meet again in any division: the first one found has one such pair.
    expect(divideRanking(ranking, met("34", "35", "45"))).toEqual([
      [0, 1, 3],
      [2, 4, 5],
    ]);
  });
});
