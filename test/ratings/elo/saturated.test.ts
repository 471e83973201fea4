import fc from "fast-check";
import { expect, test } from "vitest";
import { saturatedScore } from "../../../src/ratings/elo/saturated.ts";

test("a score of all points, or of none, but for less than one has Wilson's interval", () => {
  // Wilson's upper end for 0 of 20 is z^2 / (20 + z^2).
  expect(saturatedScore(0, 20)).toEqual({ low: 0, high: expect.closeTo(3.8414588 / 23.8414588, 6) });
  expect(saturatedScore(20, 20)!.low).toBeCloseTo(20 / 23.8414588, 6);
  expect(saturatedScore(19.5, 20)!.low).toBeGreaterThan(0.75);
  expect([saturatedScore(19, 20), saturatedScore(1, 20), saturatedScore(10, 20)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect([saturatedScore(0, 0), saturatedScore(0.5, 1)]).toEqual([undefined, undefined]);
});

test("its interval has the score in it, and narrows with more games", () => {
  fc.assert(
    fc.property(fc.integer({ min: 11, max: 1000 }), fc.constantFrom(0, 0.5), (most, lost) => {
      const { low, high } = saturatedScore(most - lost, most)!;
      expect(low).toBeLessThan((most - lost) / most);
      expect(high).toBeGreaterThan((most - lost) / most - 1e-12);
      expect(saturatedScore(2 * most, 2 * most)!.low).toBeGreaterThan(saturatedScore(most, most)!.low);
    }),
  );
});
