import { describe, expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import {
  expectedScore,
  logLikelihoodRatio,
  normalisedLead,
  type Hypotheses,
  type ScoreCount,
} from "../../../src/ratings/sprt/likelihood.ts";
import { slowTest } from "../../support/thorough.ts";

/** Counts of scores that have the same distance, from 0 to 1. */
function counted(...blocks: readonly number[]): ScoreCount[] {
  return blocks.map((count, at) => ({ score: at / (blocks.length - 1), blocks: count }));
}

describe("published values", () => {
  // fishtest's code, and fastchess's `app/tests/sprt_test.cpp`. Five counts are of pairs, three of single games.
  test.each([
    { counts: [365, 16618, 36229, 16974, 390], model: "normalised", elo0: 0, elo1: 2, llr: 2.25037 },
    { counts: [127, 4883, 10712, 5150, 104], model: "normalised", elo0: -1.75, elo1: 0.25, llr: 3.01015 },
    { counts: [223, 9863, 21279, 10037, 246], model: "logistic", elo0: 0.5, elo1: 2.5, llr: -3.07413 },
    { counts: [871, 26175, 55983, 26678, 821], model: "logistic", elo0: 0, elo1: 2, llr: -4.97867 },
    { counts: [36027, 68692, 36433], model: "normalised", elo0: 0, elo1: 2, llr: 0.92329 },
    { counts: [10650, 20431, 10871], model: "normalised", elo0: -1.75, elo1: 0.25, llr: 2.2975 },
    { counts: [21184, 40708, 21404], model: "logistic", elo0: 0.5, elo1: 2.5, llr: -1.57189 },
    { counts: [57030, 106593, 57433], model: "logistic", elo0: 0, elo1: 2, llr: -2.59302 },
    { counts: [13, 37, 50, 25, 3], model: "normalised", elo0: 0, elo1: 4, llr: -0.54912 },
  ] as const)("$counts, $model $elo0 to $elo1: $llr", ({ counts, llr, ...hypotheses }) => {
    const games = counts.length === 3 ? 1 : 2;
    expect(logLikelihoodRatio(counted(...counts), games, hypotheses)).toBeCloseTo(llr, 4);
  });
});

/** The relative width of a range in which a search ends. */
const WIDTH = 1e-13;

/** The place of the greatest value of a function with one maximum. */
function maximum(low: number, high: number, value: (at: number) => number): number {
  const ratio = (Math.sqrt(5) - 1) / 2;
  let [left, right] = [low, high];
  while (right - left > WIDTH) {
    const [one, other] = [right - ratio * (right - left), left + ratio * (right - left)];
    if (value(one) < value(other)) left = one;
    else right = other;
  }
  return (left + right) / 2;
}

/**
 * The greatest likelihood under a constraint, N sum p_i ln p_i, by trying: the share of each score but the first and the last
 * is moved to where the likelihood is greatest, one after the other and again. The first and the last share follow from the
 * sum and from the constraint, by bisection.
 * @param tooGood true if a distribution has more than the constraint allows
 */
function greatestLikelihood(
  counts: readonly ScoreCount[],
  tooGood: (shares: readonly number[]) => boolean,
): number {
  const weights = counts.map(({ blocks }) => Math.max(blocks, 0.001));
  const inner = weights.slice(1, -1).map(() => 1 / weights.length);
  const likelihood = () => {
    const rest = 1 - inner.reduce((sum, share) => sum + share, 0);
    if (!tooGood([0, ...inner, rest]) || tooGood([rest, ...inner, 0])) return -Infinity;
    let [low, high] = [0, rest];
    while (high - low > WIDTH * rest) {
      const first = (low + high) / 2;
      if (tooGood([first, ...inner, rest - first])) low = first;
      else high = first;
    }
    return [low, ...inner, rest - low].reduce((sum, share, at) => sum + weights[at]! * Math.log(share), 0);
  };
  let best = likelihood();
  for (;;) {
    for (const at of inner.keys()) {
      const most = 1 - inner.reduce((sum, share, other) => (other === at ? sum : sum + share), 0);
      inner[at] = maximum(0, most, (share) => {
        inner[at] = share;
        return likelihood();
      });
    }
    const next = likelihood();
    if (next - best < 1e-9) return next;
    best = next;
  }
}

function slowRatio(counts: readonly ScoreCount[], games: number, hypotheses: Hypotheses): number {
  const under = (elo: number) =>
    greatestLikelihood(counts, (shares) => {
      const mean = shares.reduce((sum, share, at) => sum + share * counts[at]!.score, 0);
      if (hypotheses.model === "logistic") return mean > expectedScore(elo);
      const variance = shares.reduce((sum, share, at) => sum + share * (counts[at]!.score - mean) ** 2, 0);
      return mean - 0.5 > normalisedLead(elo, games) * Math.sqrt(variance);
    });
  return under(hypotheses.elo1) - under(hypotheses.elo0);
}

describe.each(["logistic", "normalised"] as const)("the %s model agrees with trying", (model) => {
  slowTest("on random counts of pairs and of single games", () => {
    const random = createRandom("likelihood", model);
    for (let trial = 0; trial < 8; trial++) {
      const sizes = Array.from({ length: trial % 2 === 0 ? 5 : 3 }, () => 1 + random.below(60));
      const elo0 = random.below(60) - 30;
      const hypotheses = { elo0, elo1: elo0 + 1 + random.below(30), model };
      const games = sizes.length === 5 ? 2 : 1;
      const fast = logLikelihoodRatio(counted(...sizes), games, hypotheses);
      expect(fast).toBeCloseTo(slowRatio(counted(...sizes), games, hypotheses), 4);
    }
  });

  // With three scores one share is tried, so that trying finds the top of the steepest ridge.
  test.each([[[0, 64, 0]], [[0, 0, 64]], [[64, 0, 0]], [[0, 40, 24]], [[1, 62, 1]], [[20, 0, 44]]])(
    "where few different scores were seen: %j",
    (sizes) => {
      for (const [elo0, elo1] of [
        [0, 5],
        [-10, 40],
      ] as const) {
        const hypotheses = { elo0, elo1, model };
        const fast = logLikelihoodRatio(counted(...sizes), 1, hypotheses);
        expect(fast).toBeCloseTo(slowRatio(counted(...sizes), 1, hypotheses), 4);
      }
    },
  );
});

test("the view of the other entrant turns the sign", () => {
  for (const model of ["logistic", "normalised"] as const) {
    const own = logLikelihoodRatio(counted(3, 20, 41, 30, 6), 2, { elo0: -3, elo1: 9, model });
    const other = logLikelihoodRatio(counted(6, 30, 41, 20, 3), 2, { elo0: -9, elo1: 3, model });
    expect(own).toBeCloseTo(-other, 9);
  }
});

test("a ratio is a number for all counts and the widest bounds, and grows with the results", () => {
  const sizes = [
    [0, 0, 0, 0, 0],
    [64, 0, 0, 0, 0],
    [0, 64, 0, 0, 0],
    [0, 0, 64, 0, 0],
    [0, 0, 0, 64, 0],
    [0, 0, 0, 1, 63],
    [0, 0, 0, 0, 64],
  ];
  for (const [model, most] of [
    ["logistic", 1000],
    ["normalised", 200],
  ] as const) {
    const ratios = sizes
      .slice(1)
      .map((size) => logLikelihoodRatio(counted(...size), 2, { elo0: -most, elo1: most, model }));
    expect(ratios).toEqual(ratios.toSorted((a, b) => a - b));
    for (const games of [1, 2, 6])
      for (const [elo0, elo1] of [
        [-most, -most + 0.5],
        [0, 0.5],
        [most - 0.5, most],
      ] as const)
        for (const size of sizes)
          expect(logLikelihoodRatio(counted(...size), games, { elo0, elo1, model })).toSatisfy(
            Number.isFinite,
          );
  }
});
