import fc from "fast-check";
import { expect, test } from "vitest";
import { roundTicks } from "../../../src/training/curve/chart.ts";

test.each([
  [0, 1_000_000, 6, ["0", "0.2M", "0.4M", "0.6M", "0.8M", "1.0M"]],
  [0, 60_000, 6, ["0", "10k", "20k", "30k", "40k", "50k", "60k"]],
  [0, 9_000, 5, ["0", "2k", "4k", "6k", "8k", "10k"]],
  [-3, 1203, 5, ["-500", "0", "500", "1000", "1500"]],
  [-0.65, 0.1, 3, ["-1.0", "-0.5", "0", "0.5"]],
  [0.012, 0.019, 5, ["0.012", "0.014", "0.016", "0.018", "0.020"]],
  [7, 7, 4, ["2", "4", "6", "8", "10", "12"]],
  [0, 0, 2, ["-1", "0", "1"]],
])("%d to %d in about %d", (low, high, count, labels) => {
  expect(roundTicks(low, high, count).labels).toEqual(labels);
});

test("ticks are round, evenly spaced, go from end to end, are as many as asked for, and labels tell them apart", () => {
  const ends = fc.tuple(
    fc.double({ min: -1e9, max: 1e9, noNaN: true }),
    fc.double({ min: 1e-3, max: 1e9, noNaN: true }),
  );
  fc.assert(
    fc.property(ends, fc.integer({ min: 2, max: 10 }), ([low, range], count) => {
      const high = low + range;
      const { values, labels } = roundTicks(low, high, count);
      const step = (values.at(-1)! - values[0]!) / (values.length - 1);
      expect(step / 10 ** Math.floor(Math.log10(step) + 1e-6)).toSatisfy((lead: number) =>
        [1, 2, 5].some((round) => Math.abs(lead - round) < 1e-3),
      );
      for (const [at, value] of values.entries())
        expect(Math.abs(value - values[0]! - at * step)).toBeLessThan(1e-6 * step + 1e-9 * Math.abs(low));
      expect(values[0]!).toBeLessThanOrEqual(low + 1e-6 * step);
      expect(values.at(-1)!).toBeGreaterThanOrEqual(high - 1e-6 * step);
      expect(values.length - 1).toBeGreaterThanOrEqual(count / 2.5 - 1);
      expect(values.length - 1).toBeLessThanOrEqual(count + 2);
      expect(new Set(labels).size).toBe(values.length);
    }),
    { seed: 1 },
  );
});
