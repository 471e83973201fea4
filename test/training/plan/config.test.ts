import { expect, test } from "vitest";
import { annealedAt } from "../../../src/training/self-play/explorer.ts";

test("a number stays", () => {
  expect([0, 0.3, 1].map((share) => annealedAt(0.1, share))).toEqual([0.1, 0.1, 0.1]);
});

test("linear: equal differences from end to end", () => {
  const schedule = { from: 1, to: 0, shape: "linear" } as const;
  expect([0, 0.25, 0.5, 1].map((share) => annealedAt(schedule, share))).toEqual([1, 0.75, 0.5, 0]);
});

test("exponential: equal ratios from end to end", () => {
  const schedule = { from: 0.1, to: 0.001, shape: "exponential" } as const;
  const values = [0, 0.5, 1].map((share) => annealedAt(schedule, share));
  for (const [at, expected] of [0.1, 0.01, 0.001].entries()) expect(values[at]).toBeCloseTo(expected, 12);
});
