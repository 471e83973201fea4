import { describe, expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { ConfidenceSequence } from "../../../src/ratings/sprt/sequential-test.ts";
import { slowTest } from "../../support/thorough.ts";

/**
 * Sample size: 500 sequences of 1,000 blocks. A sequence misses if its interval leaves out the mean at any look; with the
 * claimed 5% more than 7.5% of 500 miss in fewer than one sample of a hundred. The seeds are fixed.
 */
const SEQUENCES = 500;
const BLOCKS = 1000;
const MOST_MISSES = 0.075;

const KINDS: Readonly<Record<string, readonly number[]>> = {
  drawish: [0.02, 0.16, 0.6, 0.19, 0.03],
  decisive: [0.3, 0.02, 0.3, 0.03, 0.35],
  "nearly always won": [0, 0.01, 0.02, 0.07, 0.9],
};

const meanOf = (shares: readonly number[]) => shares.reduce((sum, share, at) => sum + (share * at) / 4, 0);

describe.each(Object.entries(KINDS))("pairs that are %s", (name, shares) => {
  slowTest("the interval holds the mean at every look at once, as often as it says", () => {
    const mean = meanOf(shares);
    let misses = 0;
    let width = 0;
    for (let sequence = 0; sequence < SEQUENCES; sequence++) {
      const random = createRandom("confidence sequence", name, sequence);
      const scores = new ConfidenceSequence();
      let isMissed = false;
      for (let block = 0; block < BLOCKS; block++) {
        scores.add(random.weighted(Float64Array.from(shares), 0, 5) / 4);
        const { low, high } = scores.interval;
        isMissed ||= mean < low || mean > high;
      }
      if (isMissed) misses++;
      width += (scores.interval.high - scores.interval.low) / SEQUENCES;
    }
    expect(misses / SEQUENCES).toBeLessThan(MOST_MISSES);
    // Holding always costs less than two and a half times the width of an interval for one look.
    const variance = shares.reduce((sum, share, at) => sum + share * (at / 4 - mean) ** 2, 0);
    expect(width).toBeLessThan(2.5 * 2 * 1.96 * Math.sqrt(variance / BLOCKS));
  });

  test("agrees with the formulas of the paper, summed anew for each look", () => {
    const random = createRandom("confidence sequence formula", name);
    const scores = Array.from({ length: 60 }, () => random.weighted(Float64Array.from(shares), 0, 5) / 4);
    const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
    const meanAfter = (time: number) => (0.5 + sum(scores.slice(0, time))) / (time + 1);
    const varianceAfter = (time: number) =>
      (0.25 + sum(scores.slice(0, time).map((score, at) => (score - meanAfter(at + 1)) ** 2))) / (time + 1);
    const bets = scores.map((_, at) =>
      Math.min(0.5, Math.sqrt((2 * Math.log(40)) / (varianceAfter(at) * (at + 1) * Math.log(at + 2)))),
    );
    const costs = scores.map(
      (score, at) => 4 * (score - meanAfter(at)) ** 2 * ((-Math.log(1 - bets[at]!) - bets[at]!) / 4),
    );
    const ends = scores.map((_, at) => {
      const total = sum(bets.slice(0, at + 1));
      const centre = sum(scores.slice(0, at + 1).map((score, one) => bets[one]! * score)) / total;
      const margin = (Math.log(40) + sum(costs.slice(0, at + 1))) / total;
      return [centre - margin, centre + margin] as const;
    });
    const sequence = new ConfidenceSequence();
    for (const score of scores) sequence.add(score);
    expect(sequence.interval.low).toBeCloseTo(Math.max(0, ...ends.map(([low]) => low)), 12);
    expect(sequence.interval.high).toBeCloseTo(Math.min(1, ...ends.map(([, high]) => high)), 12);
  });
});
