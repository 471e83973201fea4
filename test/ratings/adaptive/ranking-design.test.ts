import { expect, test } from "vitest";
import { POOLS, simulateTournaments, type Outcome } from "../../../bench/adaptive-tournaments.ts";
import { createRandom } from "../../../src/base/random.ts";
import { pairsOf, RankingDesign } from "../../../src/ratings/adaptive/ranking-design.ts";
import { ELO_SCALE } from "../../../src/ratings/elo/scale.ts";
import { inverted } from "../plain-matrix.ts";
import { slowTest } from "../../support/thorough.ts";

/** Results of four entrants: of each pair its blocks, and the scores of the first one. */
const RESULTS: readonly [number, number, readonly number[]][] = [
  [0, 1, [1, 0.5, 0.5, 1, 0]],
  [0, 2, [1, 1, 0.5]],
  [1, 2, [0.5, 0.5, 1, 0]],
  [2, 3, [1, 1, 1, 0.5]],
];

function designOf(results = RESULTS): RankingDesign {
  const design = new RankingDesign(4);
  for (const [one, other, scores] of results) {
    design.giveOut(one, other, scores.length);
    for (const score of scores) design.add(one, other, score);
  }
  return design;
}

test("the order is that of the scores, and does not depend on the order of the results or on earlier questions", () => {
  const design = designOf();
  expect(design.order()).toEqual([0, 1, 2, 3]);
  const other = designOf(RESULTS.slice(0, 2));
  other.next(8, 2);
  for (const [one, two, scores] of RESULTS.slice(2)) {
    other.giveOut(one, two, scores.length);
    for (const score of scores) other.add(one, two, score);
  }
  expect(other.next(16, 2)).toEqual(design.next(16, 2));
  expect(other.confidence()).toBe(design.confidence());
});

test("without results, and with blocks that are out, every pair is as useful as those like it", () => {
  const design = new RankingDesign(2);
  expect(design.next(5, 2)).toEqual([{ entrants: [0, 1], blocks: 5 }]);
  expect(design.confidence()).toBe(0.5);
});

test("confidence grows with results that say the same, and neighbours that are near get the blocks", () => {
  const results = (blocks: number): typeof RESULTS => [
    [0, 1, Array.from({ length: blocks }, (_, at) => (at % 20 === 0 ? 0.5 : 1))],
    [1, 2, Array.from({ length: blocks }, (_, at) => (at % 2 === 0 ? 0.5 : 0.75))],
    [2, 3, Array.from({ length: blocks }, (_, at) => (at % 20 === 0 ? 0.5 : 1))],
  ];
  const [few, many] = [designOf(results(20)), designOf(results(200))];
  expect(few.confidence()).toBeGreaterThan(0.5);
  expect(many.confidence()).toBeGreaterThan(few.confidence());
  const [first] = many.next(8, 2);
  expect(first).toMatchObject({ entrants: [1, 2] });
});

test("two copies of an agent, whose blocks are all drawn, do not take all blocks", () => {
  const drawn = Array.from({ length: 200 }, () => 0.5);
  const near = Array.from({ length: 20 }, (_, at) => [0, 0.5, 1, 1][at % 4]!);
  const design = designOf([
    [0, 1, drawn],
    [1, 2, near],
    [2, 3, near],
  ]);
  for (const { entrants } of design.next(16, 2)) expect(entrants).not.toEqual([0, 1]);
});

test("more seats go to those nearest to the pair that tells most; blocks that are out count for each two", () => {
  const near = Array.from({ length: 40 }, (_, at) => [0, 0.5, 1, 1][at % 4]!);
  const clear = Array.from({ length: 40 }, (_, at) => (at % 20 === 0 ? 0.5 : 1));
  const results: typeof RESULTS = [
    [0, 1, clear],
    [1, 2, near],
    [2, 3, near],
  ];
  const [first] = designOf(results).next(1, 1, 3);
  expect(first).toEqual({ entrants: [1, 2, 3], blocks: 1 });
  expect(designOf(results).next(5, 2, 4)).toEqual([{ entrants: [0, 1, 2, 3], blocks: 5 }]);
  const design = designOf(results);
  for (const [one, other] of pairsOf(first!.entrants)) design.giveOut(one, other, 1000);
  expect(design.next(1, 1, 3)[0]!.entrants).toContain(0);
});

test("blocks that are out make a pair less useful", () => {
  const design = designOf();
  const [first] = design.next(1, 1);
  design.giveOut(first!.entrants[0]!, first!.entrants[1]!, 1000);
  expect(design.next(1, 1)[0]).not.toEqual(first);
});

slowTest(
  "the first choice is the best of all pairs, by strengths and covariances that are found another way",
  () => {
    const random = createRandom("designs");
    for (let trial = 0; trial < 20; trial++) {
      const results: [number, number, number[]][] = [];
      for (let one = 0; one < 4; one++)
        for (let other = one + 1; other < 4; other++)
          results.push([one, other, Array.from({ length: 2 + random.below(6) }, () => random.below(5) / 4)]);
      const [one, other] = designOf(results).next(1, 1)[0]!.entrants as [number, number];
      const worth = plainWorth(results);
      const best = Math.max(...results.map(([first, second]) => worth(first, second)));
      expect(worth(one, other)).toBeCloseTo(best, 8);
    }
  },
);

/** The worth of a block of a pair, by plain gradient ascent and elimination. */
function plainWorth(results: readonly [number, number, readonly number[]][]) {
  const prior = (ELO_SCALE / 500) ** 2;
  const strengths = [0, 0, 0, 0];
  const expected = (one: number, other: number) => 1 / (1 + Math.exp(strengths[other]! - strengths[one]!));
  const climb = (dispersions: readonly number[]) => {
    for (let step = 0; step < 20_000; step++) {
      const slope = strengths.map((strength) => -prior * strength);
      for (const [at, [one, other, scores]] of results.entries()) {
        for (const score of scores) {
          slope[one]! += (score - expected(one, other)) / dispersions[at]!;
          slope[other]! -= (score - expected(one, other)) / dispersions[at]!;
        }
      }
      slope.forEach((value, at) => (strengths[at]! += 0.005 * value));
    }
  };
  climb(results.map(() => 0.5));
  const squares = results.map(([one, other, scores]) => {
    const mean = expected(one, other);
    return scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / Math.max(0.05, mean * (1 - mean));
  });
  // No pair has more than twenty blocks here.
  const blocks = results.map(([, , scores]) => scores.length);
  const total = (list: readonly number[]) => list.reduce((sum, one) => sum + one, 0);
  const common = (20 * 0.5 + total(squares)) / (20 + total(blocks));
  const dispersions = squares.map((sum, at) => Math.max(0.02, (20 * common + sum) / (20 + blocks[at]!)));
  climb(dispersions);
  const information = (one: number, other: number) => {
    const at = results.findIndex(([first, second]) => first === one && second === other);
    return (expected(one, other) * (1 - expected(one, other))) / dispersions[at]!;
  };
  const inverseWith = (extra: readonly [number, number, number][]) => {
    const matrix = strengths.map((_, row) => strengths.map((__, column) => (row === column ? prior : 0)));
    for (const [one, other, count] of [
      ...results.map(([first, second, scores]) => [first, second, scores.length] as const),
      ...extra,
    ]) {
      const weight = count * information(one, other);
      matrix[one]![one]! += weight;
      matrix[other]![other]! += weight;
      matrix[one]![other]! -= weight;
      matrix[other]![one]! -= weight;
    }
    return inverted(matrix);
  };
  const order = [0, 1, 2, 3].toSorted((a, b) => strengths[b]! - strengths[a]!);
  const variances = (inverse: number[][]) =>
    order.slice(1).map((b, at) => {
      const a = order[at]!;
      return inverse[a]![a]! + inverse[b]![b]! - 2 * inverse[a]![b]!;
    });
  const before = variances(inverseWith([]));
  return (one: number, other: number) =>
    variances(inverseWith([[one, other, 1]])).reduce((worth, variance, at) => {
      const z =
        (strengths[order[at]!]! - strengths[order[at + 1]!]! + 20 / ELO_SCALE) / Math.sqrt(before[at]!);
      return worth + ((z * Math.exp((-z * z) / 2)) / before[at]!) * (before[at]! - variance);
    }, 0);
}

slowTest(
  "with 60% of the games the order is better than a round robin's in a wide pool, and no worse than its part in a narrow one",
  () => {
    const means = (name: string) => {
      const outcomes = Array.from({ length: 1000 }, (_, at) =>
        simulateTournaments(POOLS[name]!, { blocks: 40, share: 0.6, round: 16, seed: `${name} ${at}` }),
      );
      const mean = (kind: keyof Outcome) =>
        outcomes.reduce((sum, one) => sum + one[kind], 0) / outcomes.length;
      return { roundRobin: mean("roundRobin"), short: mean("shortRoundRobin"), adaptive: mean("adaptive") };
    };
    // The standard errors are 0.006 in the first pool and 0.011 in the second, or less.
    const wide = means("quick");
    expect(wide.adaptive).toBeGreaterThan(wide.roundRobin);
    const narrow = means("dice");
    expect(narrow.adaptive).toBeGreaterThan(narrow.short - 0.02);
  },
);
