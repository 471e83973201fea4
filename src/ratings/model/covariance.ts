import type { Tally } from "../counts/tally.ts";
import { factorise, sandwich } from "./cholesky.ts";
import { addInformation, expectedResult, logOdds, type Pairings } from "./pairings.ts";

/**
 * Covariance of the fitted parameters with the block as the sampling unit (cluster-robust "sandwich", Liang and Zeger
 * 1986): H^-1 (sum over blocks of g g^T + S + P) H^-1. g is the score (gradient) of a block, H the information, P the
 * prior's precision, which keeps the interval of an unbeaten entrant wide. Because the spread comes from the blocks
 * and not from the model, draws and games that hang together need no model of their own.
 *
 * The fit makes each entrant's scores sum to zero, which hides 1/k of their variance when it played k blocks. S puts
 * that share back from the model: 1/k of the information of each pair, with the smaller k of its two players. So a
 * single block, which says nothing about its own spread, gets the spread that the model expects.
 */
export function covariance(pairings: Pairings, { blocks }: Tally, values: Float64Array): Float64Array {
  const { size, count, one, other, pairs, blocksOf, prior } = pairings;
  const information = new Float64Array(size * size);
  const meat = new Float64Array(size * size);
  for (let at = 0; at < size; at++) information[at * size + at] = meat[at * size + at] = prior;
  const expected = new Float64Array(count);
  for (let pairing = 0; pairing < count; pairing++) {
    expected[pairing] = expectedResult(logOdds(pairings, pairing, values));
    const amount = pairs[pairing] * expected[pairing] * (1 - expected[pairing]);
    addInformation(pairings, pairing, amount, information);
    addInformation(
      pairings,
      pairing,
      amount / Math.min(blocksOf[one[pairing]], blocksOf[other[pairing]]),
      meat,
    );
  }
  addBlockScores(pairings, blocks, expected, meat);
  factorise(information, size);
  sandwich(information, size, meat);
  return meat;
}

/** Adds g g^T of every block to `meat`. */
function addBlockScores(
  { size, one, other, pairsOfGame, pairingOf, result }: Pairings,
  blocks: Tally["blocks"],
  expected: Float64Array,
  meat: Float64Array,
): void {
  const score = new Float64Array(size);
  // The numbers that the block at hand is about, each listed once.
  const touched = new Int32Array(size);
  const lastBlock = new Int32Array(size).fill(-1);
  let count = 0;
  const add = (number: number, block: number, amount: number): void => {
    score[number] += amount;
    if (lastBlock[number] === block) return;
    lastBlock[number] = block;
    touched[count++] = number;
  };
  for (let block = 0; block < blocks.count; block++) {
    count = 0;
    for (let game = blocks.starts[block]; game < blocks.starts[block + 1]; game++) {
      const from = blocks.outcomes[game] * pairsOfGame;
      for (let at = from; at < from + pairsOfGame; at++) {
        const pairing = pairingOf[at];
        if (pairing < 0) continue;
        const missing = result[at] - expected[pairing];
        add(one[pairing], block, missing);
        add(other[pairing], block, 0 - missing);
      }
    }
    for (let row = 0; row < count; row++) {
      for (let column = 0; column < count; column++) {
        meat[touched[row] * size + touched[column]] += score[touched[row]] * score[touched[column]];
      }
    }
    for (let at = 0; at < count; at++) score[touched[at]] = 0;
  }
}
