import { describe, expect, test } from "vitest";
import { createRandom } from "../../src/base/random.ts";
import { ExactSum } from "../../src/ratings/exact-sum.ts";
import { shuffled } from "./records.ts";

function sumOf(values: readonly number[]): number {
  const sum = new ExactSum();
  for (const value of values) sum.add(value);
  return sum.value();
}

/** The 53 bits and the sign of a number as a whole number of 2^-200. */
function scaled(value: number): bigint {
  let rest = value;
  let shift = 200n;
  while (!Number.isInteger(rest)) {
    rest *= 2;
    shift--;
  }
  return BigInt(rest) << shift;
}

describe("a sum without rounding", () => {
  test("keeps what floating point loses", () => {
    expect(sumOf([])).toBe(0);
    expect(sumOf([1e16, 1, -1e16])).toBe(1);
    expect(sumOf(Array.from({ length: 10 }, () => 0.1))).toBe(1);
    expect(sumOf([1e100, 1, -1e100, 1e-100, -1])).toBe(1e-100);
  });

  test("halfway between two numbers what is smaller decides", () => {
    expect(sumOf([2 ** 53, 1, 2 ** -60])).toBe(2 ** 53 + 2);
    expect(sumOf([2 ** 53, 1, 0 - 2 ** -60])).toBe(2 ** 53);
  });

  test("the order changes no bit", () => {
    const random = createRandom("exact sum");
    const values = Array.from({ length: 200 }, () => (random.float() - 0.5) * 10 ** random.below(30));
    const sum = sumOf(values);
    for (let order = 0; order < 20; order++) expect(sumOf(shuffled(values, random))).toBe(sum);
  });

  test("products are exact too: compared with whole numbers of any size", () => {
    const random = createRandom("exact products");
    for (let sample = 0; sample < 50; sample++) {
      const factors = Array.from({ length: 9 }, () => [random.float() - 0.5, random.float() / 3] as const);
      const sum = new ExactSum();
      for (const [one, other] of factors) sum.addProduct(one, other);
      const exact = factors.reduce((total, [one, other]) => total + scaled(one) * scaled(other), 0n);
      // Less the rounded sum, which is exact as well, less than half a unit in the last place is left.
      const error = exact - (scaled(sum.value()) << 200n);
      expect(Math.abs(Number(error >> 200n) / 2 ** 200)).toBeLessThan(2 ** -53 * Math.abs(sum.value()));
    }
  });
});
