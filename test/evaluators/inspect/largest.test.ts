import fc from "fast-check";
import { expect, test } from "vitest";
import { Largest } from "../../../src/evaluators/inspect/largest.ts";

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
  );
});

test("what is no number is left out", () => {
  const largest = new Largest(3);
  for (const [item, score] of [NaN, 1, NaN, 2].entries()) largest.offer(score, item);
  expect(largest.sorted()).toEqual([
    { score: 2, item: 3 },
    { score: 1, item: 1 },
  ]);
});
