import { expect, test } from "vitest";
import { normalBelow, Z95 } from "../../../src/ratings/elo/scale.ts";

test("the normal distribution has its tabulated values", () => {
  // Abramowitz and Stegun 1964, table 26.1.
  expect(normalBelow(0)).toBe(0.5);
  expect(normalBelow(1)).toBeCloseTo(0.841344746068543, 14);
  expect(normalBelow(2)).toBeCloseTo(0.977249868051821, 14);
  expect(normalBelow(-3)).toBeCloseTo(0.00134989803163, 14);
  expect(normalBelow(Z95)).toBeCloseTo(0.975, 14);
  expect([normalBelow(-Infinity), normalBelow(9), normalBelow(Infinity)]).toEqual([0, 1, 1]);
});

test("it rises, and mirrors around 0", () => {
  for (let z = -9; z < 9; z += 0.05) {
    expect(normalBelow(z + 0.05)).toBeGreaterThanOrEqual(normalBelow(z));
    expect(normalBelow(z) + normalBelow(-z)).toBeCloseTo(1, 14);
  }
});
