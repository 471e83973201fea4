import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Largest, surveyWeights } from "../../../src/explain/weights/survey.ts";
import type { FeatureSet } from "../../../src/games/contract/game.ts";

const NAMES = ["red", "green", "blue", "dark red"];
const features: FeatureSet = {
  summary: "colours",
  version: 1,
  size: NAMES.length,
  maxActive: 1,
  extract: () => 0,
  describe: (feature) => NAMES[feature]!,
};

test("two stages, exactly", () => {
  const weights = Float32Array.of(1, -2, 0, 0.5, NaN, 4, -8, Infinity);
  expect(surveyWeights(weights, features, { stages: [1, 2], top: 2 })).toEqual({
    stages: [
      { stage: 1, weights: 4, nonZero: 3, notFinite: 0, rootMeanSquare: Math.sqrt((1 + 4 + 0.25) / 3) },
      { stage: 2, weights: 4, nonZero: 2, notFinite: 2, rootMeanSquare: Math.sqrt((16 + 64) / 2) },
    ],
    positive: [
      { name: "green", stage: 2, feature: 1, weight: 4 },
      { name: "red", stage: 1, feature: 0, weight: 1 },
    ],
    negative: [
      { name: "blue", stage: 2, feature: 2, weight: -8 },
      { name: "green", stage: 1, feature: 1, weight: -2 },
    ],
  });
  expect(surveyWeights(weights, features, { stages: [1], top: 9, match: "red" })).toMatchObject({
    stages: [{ stage: 1, nonZero: 3 }],
    positive: [
      { name: "red", weight: 1 },
      { name: "dark red", weight: 0.5 },
    ],
    negative: [],
  });
});

test("no weights but zeros", () => {
  expect(surveyWeights(new Float32Array(4), features, { stages: [1], top: 3 })).toEqual({
    stages: [{ stage: 1, weights: 4, nonZero: 0, notFinite: 0, rootMeanSquare: 0 }],
    positive: [],
    negative: [],
  });
});

test("the lists are what sorting all weights gives, and are listed whole however few are asked for", () => {
  const weight = fc.float({ noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(
      fc.array(weight, { minLength: 4, maxLength: 4 }),
      fc.array(weight, { minLength: 4, maxLength: 4 }),
      fc.integer({ min: 1, max: 10 }),
      (first, second, top) => {
        const weights = Float32Array.from([...first, ...second]);
        const { positive, negative } = surveyWeights(weights, features, { stages: [1, 2], top });
        const all = Array.from(weights, (value, at) => ({
          name: NAMES[at % 4]!,
          stage: at < 4 ? 1 : 2,
          feature: at % 4,
          weight: value,
        }));
        const sorted = all.toSorted((a, b) => b.weight - a.weight);
        expect(positive.map((one) => one.weight)).toEqual(
          sorted
            .map((one) => one.weight)
            .filter((value) => value > 0)
            .slice(0, top),
        );
        expect(negative.map((one) => one.weight)).toEqual(
          sorted
            .toReversed()
            .map((one) => one.weight)
            .filter((value) => value < 0)
            .slice(0, top),
        );
        for (const one of [...positive, ...negative]) expect(all).toContainEqual(one);
      },
    ),
    { seed: 1 },
  );
});

describe("the largest", () => {
  test("keeps what sorting everything would keep, the first of equal ones", () => {
    fc.assert(
      fc.property(
        // Few different scores, so that many are equal.
        fc.array(fc.integer({ min: -5, max: 5 }), { maxLength: 60 }),
        fc.integer({ min: 1, max: 20 }),
        fc.constantFrom(-Infinity, 0),
        (scores, capacity, floor) => {
          const largest = new Largest(capacity, floor);
          for (const [item, score] of scores.entries()) largest.offer(score, item);
          const sorted = scores
            .map((score, item) => ({ score, item }))
            .filter(({ score }) => score > floor)
            .toSorted((a, b) => b.score - a.score || a.item - b.item);
          expect(largest.sorted()).toEqual(sorted.slice(0, capacity));
          expect(largest.least).toBe(sorted.length < capacity ? floor : sorted[capacity - 1]!.score);
        },
      ),
      { seed: 1 },
    );
  });

  test("what is no number is left out", () => {
    const largest = new Largest(3, 0);
    for (const [item, score] of [NaN, 1, NaN, 2].entries()) largest.offer(score, item);
    expect(largest.sorted()).toEqual([
      { score: 2, item: 3 },
      { score: 1, item: 1 },
    ]);
  });
});
