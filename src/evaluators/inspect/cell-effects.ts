import type { TupleBoard } from "../../games/game.ts";
import { imagesOf, tables, type Table } from "../n-tuple.ts";

/**
 * What it is worth to an n-tuple network that a cell holds a digit, at digits * cell + digit: for each
 * image of a tuple that sees the cell, the mean of the table's learned entries (those that are not zero)
 * whose code has the digit there, less the mean of all learned entries of the table; summed over the
 * images. Where every entry was learned, this is the cell's main effect: from a table that adds up one
 * number for each of its cells, it gives those numbers back, less their mean. NaN where no image sees the
 * cell, or none learned the digit there.
 *
 * @param weights of one stage
 */
export function cellEffects(
  weights: Float32Array,
  board: TupleBoard,
  tuples: readonly (readonly number[])[],
): Float64Array {
  const { cells, digits } = board;
  const effects = new Float64Array(cells * digits);
  const seen = new Uint8Array(cells * digits);
  for (const table of tables(board, tuples)) {
    const means = digitMeans(weights, table, digits);
    for (const image of imagesOf(board, table.cells)) {
      for (const [place, cell] of image.entries()) {
        for (let digit = 0; digit < digits; digit++) {
          const effect = means[digits * place + digit];
          if (Number.isNaN(effect)) continue;
          effects[digits * cell + digit] += effect;
          seen[digits * cell + digit] = 1;
        }
      }
    }
  }
  return effects.map((effect, at) => (seen[at] === 1 ? effect : NaN));
}

/** At digits * place + digit: the mean of the learned entries with that digit, less that of all; NaN where there is none. */
function digitMeans(weights: Float32Array, { begins, cells }: Table, digits: number): Float64Array {
  const { length } = cells;
  const sums = new Float64Array(length * digits);
  const counts = new Float64Array(length * digits);
  let sum = 0;
  let count = 0;
  /** Goes through the entries that have the same digits before `place`, from `at` on. */
  const visit = (place: number, at: number) => {
    const apart = digits ** (length - 1 - place);
    for (let digit = 0; digit < digits; digit++) {
      const [sumBefore, countBefore] = [sum, count];
      const next = at + digit * apart;
      if (apart > 1) {
        visit(place + 1, next);
      } else if (weights[next] !== 0 && Number.isFinite(weights[next])) {
        sum += weights[next];
        count++;
      }
      sums[digits * place + digit] += sum - sumBefore;
      counts[digits * place + digit] += count - countBefore;
    }
  };
  visit(0, begins);
  return sums.map((total, at) => total / counts[at] - sum / count);
}
