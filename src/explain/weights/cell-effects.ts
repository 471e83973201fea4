import type { Game, State, TupleBoard } from "../../games/contract/game.ts";
import { visitRandomPositions } from "./survey.ts";
import { imagesOf, tupleTables, type TupleTable } from "../../evaluators/n-tuple.ts";

/**
 * The worth of each digit in each cell to an n-tuple network: a number at digits * cell + digit. It is a sum over the
 * images of tuples that contain the cell. Each image adds the mean of its table's learned entries whose code has the
 * digit there, minus the mean of all learned entries of the table. An entry is learned if it is not zero.
 *
 * If all entries were learned, this is the main effect of the cell in statistics: for a table of sums of one number per
 * cell, the result is those numbers minus their mean. The number is NaN if no image contains the cell, or if no entry
 * with the digit was learned.
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
  for (const table of tupleTables(board, tuples)) {
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

/**
 * By digits * place + digit: the mean of the learned entries with that digit, minus the mean of all; NaN without any.
 */
function digitMeans(weights: Float32Array, { begins, cells }: TupleTable, digits: number): Float64Array {
  const { length } = cells;
  const sums = new Float64Array(length * digits);
  const counts = new Float64Array(length * digits);
  let sum = 0;
  let count = 0;
  /** Adds up the entries from `at` on whose digits before `place` are those of `at`. */
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

/** The number of positions, from random games, that `observedEffects` looks at. */
const POSITIONS = 50_000;
/** A mean of fewer positions than this is not shown. */
const FEWEST = 100;

/**
 * The worth of each digit in each cell to any evaluator: a number at digits * cell + digit. It is the mean value of the
 * positions of random games where the cell holds the digit, minus the mean value of all. The number is NaN if too few
 * positions have the digit there.
 * @param worth returns the value of a position for `player`, by whose view the board is read; undefined to leave the
 * position out
 */
export function observedEffects(
  game: Game,
  board: TupleBoard,
  worth: (state: State, player: number) => number | undefined,
): Float64Array {
  const { cells, digits } = board;
  const held = new Uint8Array(cells + 1);
  const sums = new Float64Array(cells * digits);
  const counts = new Float64Array(cells * digits);
  let sum = 0;
  let seen = 0;
  visitRandomPositions(game, POSITIONS, (state) => {
    const player = board.viewer?.(state) ?? 0;
    const value = worth(state, player);
    if (value === undefined) return;
    sum += value;
    seen++;
    board.read(state, player, held);
    for (let cell = 0; cell < cells; cell++) {
      sums[digits * cell + held[cell]] += value;
      counts[digits * cell + held[cell]]++;
    }
  });
  return sums.map((total, at) => (counts[at] < FEWEST ? NaN : total / counts[at] - sum / seen));
}
