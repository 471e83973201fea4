import type { BlockGroup } from "../counts/comparisons.ts";
import { factorise, sandwich } from "./cholesky.ts";
import { addInformation, expectedResult, logOdds, type Pairings } from "./pairings.ts";

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
export function covariance(pairings: Pairings, values: Float64Array): Float64Array {
  const { size, count, one, other, pairs, blocksOf, prior } = pairings;
  const information = new Float64Array(size * size);
  const meat = new Float64Array(size * size);
  for (let at = 0; at < size; at++) information[at * size + at] = meat[at * size + at] = prior;
  for (let pairing = 0; pairing < count; pairing++) {
    const expected = expectedResult(logOdds(pairings, pairing, values));
    const amount = pairs[pairing] * expected * (1 - expected);
    addInformation(pairings, pairing, amount, information);
    addInformation(
      pairings,
      pairing,
      amount / Math.min(blocksOf[one[pairing]], blocksOf[other[pairing]]),
      meat,
    );
  }
  for (const group of pairings.blockGroups) addScores(group, values, size, meat);
  factorise(information, size);
  sandwich(information, size, meat);
  return meat;
}

/**
 * Adds g g^T of every block of a group to `meat`. The score g of a number is half of what its lead exceeds the expected
 * lead e by, which is the same in all blocks of the group. So the sum over m blocks is that of the products of the
 * leads, less e times the sums of the leads, plus m times e e^T.
 */
function addScores(
  { numbers, pairs, blocks, leads, products }: BlockGroup,
  values: Float64Array,
  size: number,
  meat: Float64Array,
): void {
  const count = numbers.length;
  const expected = new Float64Array(count);
  for (const { one, other, times } of pairs) {
    const lead = times * (2 * expectedResult(values[numbers[one]] - values[numbers[other]]) - 1);
    expected[one] += lead;
    expected[other] -= lead;
  }
  for (let row = 0; row < count; row++) {
    for (let column = 0; column < count; column++) {
      const sum =
        products[row * count + column] -
        expected[row] * leads[column] -
        leads[row] * expected[column] +
        blocks * expected[row] * expected[column];
      meat[numbers[row] * size + numbers[column]] += sum / 4;
    }
  }
}
