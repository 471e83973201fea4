import { describe, expect, test } from "vitest";
import { createRandom, type Random } from "../../../src/base/random.ts";
import { maximalLottery } from "../../../src/ratings/beyond/lottery.ts";

/** An antisymmetric matrix from its part below the diagonal. */
function game(count: number, payoff: (one: number, other: number) => number): Float64Array {
  const matrix = new Float64Array(count * count);
  for (let one = 0; one < count; one++) {
    for (let other = 0; other < one; other++) {
      matrix[one * count + other] = payoff(one, other);
      matrix[other * count + one] = 0 - matrix[one * count + other]!;
    }
  }
  return matrix;
}

function wonAgainst(payoff: Float64Array, shares: ArrayLike<number>): number[] {
  const count = shares.length;
  return Array.from({ length: count }, (_, one) => {
    let won = 0;
    for (let other = 0; other < count; other++) won += payoff[one * count + other]! * shares[other]!;
    return won;
  });
}

function expectShares(payoff: Float64Array, expected: readonly number[]): void {
  const shares = maximalLottery(payoff, expected.length);
  expected.forEach((share, at) => expect(shares[at]).toBeCloseTo(share, 6));
}

/** All optimal lotteries with a positive share for exactly some set of entrants: each set is tried. */
function byEnumeration(payoff: Float64Array, count: number): number[][] {
  const found: number[][] = [];
  for (let set = 1; set < 1 << count; set++) {
    const own = Array.from({ length: count }, (_, at) => at).filter((at) => (set >> at) & 1);
    // The payoffs of the set against each other are 0 on average: a null vector, found by setting its last part to 1.
    const rest = own.slice(0, -1);
    const last = own.at(-1)!;
    const solution = solve(
      rest.map((row) => rest.map((column) => payoff[row * count + column]!)),
      rest.map((row) => 0 - payoff[row * count + last]!),
    );
    if (solution === undefined) continue;
    const sum = solution.reduce((total, value) => total + value, 1);
    const shares = Array.from({ length: count }, () => 0);
    rest.forEach((at, place) => (shares[at] = solution[place]! / sum));
    shares[last] = 1 / sum;
    if (own.every((at) => shares[at]! > 1e-9) && Math.max(...wonAgainst(payoff, shares)) < 1e-9)
      found.push(shares);
  }
  return found;
}

/** Cramer's rule; undefined for a singular system. */
function solve(matrix: number[][], right: number[]): number[] | undefined {
  const determinant = (rows: number[][]): number =>
    rows.length === 0
      ? 1
      : rows[0]!.reduce(
          (sum, value, at) =>
            sum + (at % 2 ? -1 : 1) * value * determinant(rows.slice(1).map((row) => row.toSpliced(at, 1))),
          0,
        );
  const whole = determinant(matrix);
  if (Math.abs(whole) < 1e-12) return undefined;
  return right.map((_, at) => determinant(matrix.map((row, place) => row.with(at, right[place]!))) / whole);
}

describe("known answers", () => {
  test("of two, the one that wins has all", () => {
    expectShares(Float64Array.from([0, 0.1, -0.1, 0]), [1, 0]);
    expectShares(Float64Array.from([0, 0, 0, 0]), [0.5, 0.5]);
  });

  test("in an order the best has all, however small its leads", () => {
    expectShares(
      game(4, () => -0.001),
      [1, 0, 0, 0],
    );
  });

  test("rock, paper, scissors: a third each", () => {
    expectShares(Float64Array.from([0, -1, 1, 1, 0, -1, -1, 1, 0]), [1 / 3, 1 / 3, 1 / 3]);
  });

  test("a cycle of unequal wins: each share is as large as the win between the other two", () => {
    // 0 beats 1 by 0.1, 1 beats 2 by 0.2, 2 beats 0 by 0.3.
    expectShares(Float64Array.from([0, 0.1, -0.3, -0.1, 0, 0.2, 0.3, -0.2, 0]), [2 / 6, 3 / 6, 1 / 6]);
  });

  test("five in a circle, each beating the next two: a fifth each", () => {
    expectShares(
      game(5, (one, other) => ((other - one + 5) % 5 <= 2 ? 0.2 : -0.2)),
      [0.2, 0.2, 0.2, 0.2, 0.2],
    );
  });

  test("a dominated entrant has none", () => {
    // Rock, paper, scissors, and one that loses to all of them.
    const payoff = Float64Array.from([0, -1, 1, 0.1, 1, 0, -1, 0.1, -1, 1, 0, 0.1, -0.1, -0.1, -0.1, 0]);
    expectShares(payoff, [1 / 3, 1 / 3, 1 / 3, 0]);
  });

  test("copies of one share its part", () => {
    const original = Float64Array.from([0, 0.1, -0.3, -0.1, 0, 0.2, 0.3, -0.2, 0]);
    const of = [0, 1, 1, 2, 1];
    const copied = Float64Array.from(
      { length: 25 },
      (_, at) => original[of[Math.floor(at / 5)]! * 3 + of[at % 5]!]!,
    );
    expectShares(copied, [2 / 6, 1 / 6, 1 / 6, 1 / 6, 1 / 6]);
  });
});

describe("random games", () => {
  const random = createRandom("lottery");
  const anyPayoff = (source: Random) => source.float() - 0.5;

  test("of up to 5 entrants agree with an enumeration of all sets that may have shares", () => {
    let mixed = 0;
    for (let number = 0; number < 300; number++) {
      const count = 2 + random.below(4);
      const payoff = game(count, () => anyPayoff(random));
      const [expected, ...others] = byEnumeration(payoff, count);
      expect(others).toEqual([]);
      expectShares(payoff, expected!);
      if (Math.max(...expected!) < 1) mixed++;
    }
    expect(mixed).toBeGreaterThan(50);
  });

  test("of many entrants, with ties or without: nobody wins against the lottery", () => {
    for (let number = 0; number < 60; number++) {
      const count = 6 + random.below(40);
      const payoff = game(count, () => (number % 2 ? (random.below(5) - 2) / 4 : anyPayoff(random)));
      const shares = maximalLottery(payoff, count);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
      expect(Math.min(...shares)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...wonAgainst(payoff, shares))).toBeLessThan(1e-6);
    }
  });

  test("do not depend on the numbers of the entrants, with many ties as well", () => {
    for (let number = 0; number < 100; number++) {
      const count = 3 + random.below(8);
      const payoff = game(count, () => (random.below(3) - 1) / 4);
      const order = Int32Array.from({ length: count }, (_, at) => at);
      random.shuffle(order, 0, count);
      const moved = game(count, (one, other) => payoff[order[one]! * count + order[other]!]!);
      const [shares, others] = [maximalLottery(payoff, count), maximalLottery(moved, count)];
      order.forEach((from, at) => expect(others[at]).toBeCloseTo(shares[from]!, 5));
    }
  });
});
