import { describe, expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { Comparisons } from "../../../src/ratings/counts/comparisons.ts";
import { tallyGames } from "../../../src/ratings/counts/tally.ts";
import { factorise, invert, solve, tiledSize } from "../../../src/ratings/elo/cholesky.ts";
import { solveByGradients } from "../../../src/ratings/elo/conjugate-gradient.ts";
import { denseSpread, largeSpread } from "../../../src/ratings/elo/covariance.ts";
import { fit } from "../../../src/ratings/elo/fit.ts";
import { addInformation, pairEntrants } from "../../../src/ratings/elo/pairings.ts";
import { rate } from "../../../src/ratings/elo/rate.ts";
import { createReport } from "../../../src/ratings/report.ts";
import { duels, pairs, randomGames } from "../records.ts";

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
  test("the factor is that of the textbook, to the last bit, for every size of tiles", () => {
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
      expect(matrix).toEqual(plain);
    }
  });

  test.each([4, 8, 20])("the inverse of size %i times the matrix is the identity", (size) => {
    const matrix = randomMatrix(size);
    const inverse = matrix.slice();
    factorise(inverse, size);
    invert(inverse, size);
    for (let row = 0; row < size; row++) {
      for (let column = 0; column < size; column++) {
        let sum = 0;
        for (let k = 0; k < size; k++) sum += inverse[row * size + k]! * matrix[k * size + column]!;
        expect(sum).toBeCloseTo(row === column ? 1 : 0, 9);
      }
    }
  });

  test("sizes of whole tiles", () => expect([1, 4, 5, 2000].map(tiledSize)).toEqual([4, 4, 8, 2000]));

  test("a matrix that is not positive definite is refused", () => {
    expect(() => factorise(Float64Array.of(1, 2, 2, 1), 2)).toThrow("not positive definite at row 1");
  });
});

const SETS = [
  { seats: 2, entrants: 23, games: 400 },
  { seats: 3, entrants: 9, games: 200 },
  { seats: 2, entrants: 50, games: 120 },
].map((sample) => ({
  ...sample,
  pairings: pairEntrants(
    tallyGames(randomGames(createRandom("large", sample.entrants), sample), sample.entrants),
  ),
}));

describe("what large sets of entrants are rated by agrees with the matrices of small ones", () => {
  test.each(SETS)("spread: $entrants entrants, $seats players", ({ pairings, entrants }) => {
    const values = fit(pairings);
    const [dense, large] = [denseSpread(pairings, values), largeSpread(pairings, values)];
    const group = [0, 3, entrants - 1];
    for (let at = 0; at < entrants; at++) {
      expect(large.variances[at]! / dense.variances[at]!).toBeCloseTo(1, 7);
      expect(large.withMean(group)[at]).toBeCloseTo(dense.withMean(group)[at]!, 7);
    }
  });

  test.each(SETS)("Newton's step: $entrants entrants, $seats players", ({ pairings, entrants }) => {
    const random = createRandom("right", entrants);
    const right = Float64Array.from({ length: entrants }, () => random.float() - 0.5);
    const matrix = new Float64Array(entrants * entrants);
    for (let at = 0; at < entrants; at++) matrix[at * entrants + at] = pairings.prior;
    for (let at = 0; at < pairings.count; at++) addInformation(pairings, at, pairings.pairs[at]!, matrix);
    const step = right.slice();
    factorise(matrix, entrants);
    solve(matrix, entrants, step);
    const other = solveByGradients(pairings, pairings.pairs, right);
    for (let at = 0; at < entrants; at++) expect(other[at]).toBeCloseTo(step[at]!, 7);
  });
});

test("1010 entrants in a ring: each has two opponents, and none is better than another", () => {
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
