import { describe, expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { Comparisons } from "../../../src/ratings/counts/comparisons.ts";
import { factorise, solve } from "../../../src/ratings/elo/cholesky.ts";
import { rate } from "../../../src/ratings/elo/rate.ts";
import { createReport } from "../../../src/ratings/report.ts";
import { duels, pairs } from "../records.ts";
import { slowTest } from "../../support/thorough.ts";

/** A symmetric positive-definite matrix. */
function randomMatrix(size: number): Float64Array {
  const random = createRandom("matrix", size);
  const root = Float64Array.from({ length: size * size }, () => random.float() - 0.5);
  return Float64Array.from({ length: size * size }, (_, at) => {
    const [row, column] = [Math.floor(at / size), at % size];
    let sum = row === column ? 0.1 : 0;
    for (let k = 0; k < size; k++) sum += root[row * size + k]! * root[column * size + k]!;
    return sum;
  });
}

describe("matrices", () => {
  test("the factor is that of the textbook", () => {
    for (let size = 1; size <= 14; size++) {
      const matrix = randomMatrix(size);
      const plain = matrix.slice();
      for (let row = 0; row < size; row++) {
        for (let column = 0; column <= row; column++) {
          let sum = plain[row * size + column]!;
          for (let k = 0; k < column; k++) sum -= plain[row * size + k]! * plain[column * size + k]!;
          plain[row * size + column] = row === column ? Math.sqrt(sum) : sum / plain[column * size + column]!;
        }
      }
      factorise(matrix, size);
      for (let row = 0; row < size; row++)
        for (let column = 0; column <= row; column++)
          expect(matrix[column * size + row]).toBeCloseTo(plain[row * size + column]!, 12);
    }
  });

  test.each([1, 4, 7, 20])("the solution for the columns of the matrix is the identity: size %i", (size) => {
    const matrix = randomMatrix(size);
    const [factor, identity] = [matrix.slice(), matrix.slice()];
    factorise(factor, size);
    solve(factor, size, identity, size);
    for (let at = 0; at < size * size; at++)
      expect(identity[at]).toBeCloseTo(at % (size + 1) === 0 ? 1 : 0, 9);
  });

  test("a matrix that is not positive definite is refused", () => {
    expect(() => factorise(Float64Array.of(1, 2, 2, 1), 2)).toThrow("not positive definite at row 1");
  });
});

slowTest("1010 entrants in a ring: each has two opponents, and none is better than another", () => {
  const count = 1010;
  const records = Array.from({ length: count }, (_, at) =>
    pairs(at, (at + 1) % count, [
      [1, -1],
      [0, 0],
    ]),
  ).flat();
  const { entrants, superiority } = rate(records, count);
  for (const { elo, low, high } of entrants) {
    expect(elo).toBeCloseTo(0, 6);
    expect(high - low).toBeCloseTo(entrants[0]!.high - entrants[0]!.low, 6);
  }
  expect(superiority).toEqual([]);
  const names = Array.from({ length: count }, (_, at) => `p${at}`);
  const report = createReport({ game: "ring", entrants: names, records });
  expect(report).toMatchObject({ crossTable: [], superiority: [] });
});

test("pairs can be added after their sums were read", () => {
  const records = [
    ...duels([0, 1], { won: 3, drawn: 2 }),
    ...pairs(1, 2, [[1, 0]]),
    ...duels([2, 0], { lost: 1 }),
  ];
  const whole = new Comparisons(3);
  const paused = new Comparisons(3);
  for (const { seats, returns } of records) {
    for (const comparisons of [whole, paused]) {
      comparisons.add(seats[0]!, seats[1]!, Math.sign(returns[0]! - returns[1]!));
      comparisons.endBlock();
    }
    paused.pairs();
  }
  expect(paused.pairs()).toEqual(whole.pairs());
});
