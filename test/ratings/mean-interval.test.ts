import { describe, expect, test } from "vitest";
import { createRandom } from "../../src/base/random.ts";
import { meanInterval, studentQuantile } from "../../src/ratings/mean-return.ts";

describe("the 97.5% quantile of Student's t", () => {
  // Abramowitz and Stegun (1964), table 26.10; Student (1908) for the first.
  test.each([
    [1, 12.706],
    [2, 4.303],
    [3, 3.182],
    [4, 2.776],
    [5, 2.571],
    [9, 2.262],
    [10, 2.228],
    [29, 2.045],
    [30, 2.042],
    [120, 1.98],
  ])("with %i degrees of freedom is %f", (degrees, quantile) => {
    expect(studentQuantile(degrees)).toBeCloseTo(quantile, 3);
  });
});

describe("the interval of a mean", () => {
  test("of five values", () => {
    const { mean, margin } = meanInterval([1, 2, 3, 4, 5]);
    expect(mean).toBe(3);
    expect(margin).toBeCloseTo(2.776445 * Math.sqrt(2.5 / 5), 5);
  });

  test("is unknown below three values", () => {
    expect(meanInterval([4])).toEqual({ mean: 4, margin: undefined });
    expect(meanInterval([4, 6])).toEqual({ mean: 5, margin: undefined });
  });

  test("holds the true mean in 95% of samples of three normal values", () => {
    const random = createRandom("intervals");
    const normal = () => {
      // Box and Muller (1958).
      const radius = Math.sqrt(-2 * Math.log(1 - random.float()));
      return 7 + 3 * radius * Math.cos(2 * Math.PI * random.float());
    };
    let held = 0;
    for (let sample = 0; sample < 4000; sample++) {
      const { mean, margin } = meanInterval([normal(), normal(), normal()]);
      if (Math.abs(mean - 7) <= margin!) held++;
    }
    // Four standard deviations of the share of 4,000.
    expect(Math.abs(held / 4000 - 0.95)).toBeLessThan(0.014);
  });
});
