import { MOST_IN_MATRIX, type BlockGroup } from "../counts/comparisons.ts";
import { factorise, sandwich } from "./cholesky.ts";
import { addInformation, expectedResult, logOdds, type Pairings } from "./pairings.ts";

/** The variances and covariances of fitted numbers, in natural units squared. */
export interface Spread {
  /** By number. */
  readonly variances: Float64Array;
  /** The covariance of each number with the mean of a group. */
  withMean(group: readonly number[]): Float64Array;
  /** The covariances of all pairs, row-major; undefined for more than `MOST_IN_MATRIX` numbers. */
  readonly matrix: Float64Array | undefined;
}

/**
 * Covariance of the fitted parameters with the block as the sampling unit (cluster-robust "sandwich", Liang and Zeger
 * 1986): H^-1 (sum over blocks of g g^T + S + P) H^-1. g is the score (gradient) of a block, H the information, P the
 * prior's precision, which keeps the interval of an unbeaten entrant wide. Because the spread comes from the blocks
 * and not from the model, draws and dependent games need no model of their own.
 *
 * The fit makes each entrant's scores sum to zero, which hides 1/k of their variance when it played k blocks. S puts
 * that share back from the model: 1/k of the information of each pair, with the smaller k of its two players. So a
 * single block, which says nothing about its own spread, gets the spread that the model expects.
 */
export function spreadOf(pairings: Pairings, values: Float64Array): Spread {
  const { size, count, prior } = pairings;
  const information = new Float64Array(size * size);
  const meat = new Float64Array(size * size);
  for (let at = 0; at < size; at++) information[at * size + at] = meat[at * size + at] = prior;
  const weights = informationOf(pairings, values);
  for (let pairing = 0; pairing < count; pairing++)
    addInformation(pairings, pairing, weights[pairing], information);
  const scores = scoreProducts(pairings, values, weights);
  for (let at = 0; at < scores.count; at++) addInformation({ ...scores, size }, at, scores.weights[at], meat);
  factorise(information, size);
  sandwich(information, size, meat);
  return {
    variances: Float64Array.from({ length: size }, (_, at) => meat[at * size + at]),
    withMean: (group) =>
      Float64Array.from(
        { length: size },
        (_, one) => group.reduce((sum, at) => sum + meat[one * size + at], 0) / group.length,
      ),
    matrix: size > MOST_IN_MATRIX ? undefined : meat,
  };
}

/** The weights of a Laplacian: of each pair of numbers. */
interface Weights {
  readonly count: number;
  readonly one: Int32Array;
  readonly other: Int32Array;
  readonly weights: Float64Array;
}

/** The information of each pairing. */
function informationOf(pairings: Pairings, values: Float64Array): Float64Array {
  return pairings.pairs.map((pairs, pairing) => {
    const expected = expectedResult(logOdds(pairings, pairing, values));
    return pairs * expected * (1 - expected);
  });
}

/**
 * The sum over blocks of g g^T, and S, as weights of a Laplacian: the scores of a block sum to zero, so its g g^T is one,
 * with the weight -g_i g_j for i and j.
 */
function scoreProducts(pairings: Pairings, values: Float64Array, information: Float64Array): Weights {
  const { count, one, other, blocksOf, blockGroups } = pairings;
  const weights = information.map((amount, pairing) => {
    const blocks = Math.min(blocksOf[one[pairing]], blocksOf[other[pairing]]);
    return amount / blocks + duelScores(pairings, pairing, values);
  });
  if (blockGroups.length === 0) return { count, one, other, weights };
  const [ones, others, all] = [Array.from(one), Array.from(other), Array.from(weights)];
  for (const group of blockGroups) {
    const { numbers } = group;
    const products = groupScores(group, values);
    for (let row = 0; row < numbers.length; row++) {
      for (let column = row + 1; column < numbers.length; column++) {
        ones.push(numbers[row]);
        others.push(numbers[column]);
        all.push(0 - products[row * numbers.length + column]);
      }
    }
  }
  return {
    count: all.length,
    one: Int32Array.from(ones),
    other: Int32Array.from(others),
    weights: Float64Array.from(all),
  };
}

/**
 * The sum of g^2 over the blocks in which a pairing was alone. The score g of `one` is half of what its lead exceeds
 * times x e by, with e the expected lead of one comparison.
 */
export function duelScores(pairings: Pairings, pairing: number, values: Float64Array): number {
  const { duelSquares, duelProducts, duelTimes } = pairings;
  const lead = 2 * expectedResult(logOdds(pairings, pairing, values)) - 1;
  return (duelSquares[pairing] - 2 * lead * duelProducts[pairing] + lead * lead * duelTimes[pairing]) / 4;
}

/**
 * The sum of g g^T over the blocks of a group. The score g of a number is half of what its lead exceeds the expected lead e
 * by, which is the same in all blocks of the group. So the sum over m blocks is that of the products of the leads, less e
 * times the sums of the leads, plus m times e e^T.
 */
function groupScores(
  { numbers, pairs, blocks, leads, products }: BlockGroup,
  values: Float64Array,
): Float64Array {
  const count = numbers.length;
  const expected = new Float64Array(count);
  for (const { one, other, times } of pairs) {
    const lead = times * (2 * expectedResult(values[numbers[one]] - values[numbers[other]]) - 1);
    expected[one] += lead;
    expected[other] -= lead;
  }
  return Float64Array.from({ length: count * count }, (_, at) => {
    const [row, column] = [Math.floor(at / count), at % count];
    const sum =
      products[at] -
      expected[row] * leads[column] -
      leads[row] * expected[column] +
      blocks * expected[row] * expected[column];
    return sum / 4;
  });
}
