import type { Tally } from "../counts/tally.ts";
import { factorise, sandwich } from "./cholesky.ts";
import {
  addGradient,
  addInformation,
  expectedResult,
  logOdds,
  priorPrecisions,
  type Pairings,
} from "./pairings.ts";

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
export function covariance(pairings: Pairings, tally: Tally, values: Float64Array): Float64Array {
  const { parameterCount: size, count, parameters, games } = pairings;
  const information = new Float64Array(size * size);
  const meat = new Float64Array(size * size);
  priorPrecisions(pairings).forEach((precision, at) => {
    information[at * size + at] = precision;
    meat[at * size + at] = precision;
  });
  const expected = new Float64Array(count);
  for (let pairing = 0; pairing < count; pairing++) {
    expected[pairing] = expectedResult(logOdds(pairings, pairing, values));
    const amount = games[pairing] * expected[pairing] * (1 - expected[pairing]);
    const fewest = Math.min(
      tally.blocksOf[parameters[4 * pairing]],
      tally.blocksOf[parameters[4 * pairing + 2]],
    );
    addInformation(pairings, pairing, amount, information);
    addInformation(pairings, pairing, amount / fewest, meat);
  }
  addBlockScores(pairings, tally, expected, meat);
  factorise(information, size);
  sandwich(information, size, meat);
  return meat;
}

/** Adds g g^T of every block to `meat`. */
function addBlockScores(
  pairings: Pairings,
  { blocks }: Tally,
  expected: Float64Array,
  meat: Float64Array,
): void {
  const { parameterCount, parameters, pairsOfGame, pairingOf, result } = pairings;
  const score = new Float64Array(parameterCount);
  // The parameters that the block at hand touches, each listed once.
  const touched = new Int32Array(parameterCount);
  const lastBlock = new Int32Array(parameterCount).fill(-1);
  for (let block = 0; block < blocks.count; block++) {
    let count = 0;
    for (let game = blocks.starts[block]; game < blocks.starts[block + 1]; game++) {
      const from = blocks.outcomes[game] * pairsOfGame;
      for (let at = from; at < from + pairsOfGame; at++) {
        const pairing = pairingOf[at];
        addGradient(pairings, pairing, result[at] - expected[pairing], score);
        for (let place = 4 * pairing; place < 4 * pairing + 4; place++) {
          const parameter = parameters[place];
          if (lastBlock[parameter] === block) continue;
          lastBlock[parameter] = block;
          touched[count++] = parameter;
        }
      }
    }
    for (let row = 0; row < count; row++) {
      for (let column = 0; column < count; column++) {
        meat[touched[row] * parameterCount + touched[column]] += score[touched[row]] * score[touched[column]];
      }
    }
    for (let at = 0; at < count; at++) score[touched[at]] = 0;
  }
}
