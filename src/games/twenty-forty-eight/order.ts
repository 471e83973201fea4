import type { Heuristic } from "../contract/facets.ts";
import { COLUMNS, ROWS, type BoardSize } from "./board.ts";
import { lineValues } from "./line-values.ts";
import { CELL_BITS, exponentAt, highestScore } from "./line.ts";
import type { TwentyFortyEightState } from "./state.ts";

/** The points still to come from a board whose lines are worth nothing. */
const PROSPECT = 22_000;
/** Points for each empty cell of a line, and for each pair of like tiles side by side. */
const EMPTY_WORTH = 140;
const PAIR_WORTH = 60;
/** Points for each step against the line's order, between exponents raised to the power. */
const DISORDER_COST = 3;
const DISORDER_POWER = 3.6;
/** The cost of each tile: its exponent raised to the power. So two tiles cost more than one of their sum. */
const TILE_COST = 0.15;
const TILE_POWER = 3.8;
/** Below about this many points the prospect is bent upward, so that it stays above 0. */
const BEND = 2000;

/**
 * The score so far and the points that the board promises. Every row and column adds to the promise by its empty cells,
 * equal neighbours, order and tiles. The terms are those of the first strong program (Xiao 2014). Hill-climbing on the mean
 * score of expectimax at depth 2 gave the weights.
 */
export function order(shape: BoardSize): Heuristic<TwentyFortyEightState> {
  const { rows, columns } = shape;
  const most = highestScore(rows * columns);
  const { ofRow, ofColumn } = lineValues(shape, worthOf);
  const counts = new Int32Array(EXPONENTS);
  return {
    summary: "empty cells, like neighbours, order of lines and few tiles (Xiao 2014), in points to come",
    evaluate(state) {
      const { lines } = state.board;
      let promise = PROSPECT;
      for (let row = 0; row < rows; row++) promise += ofRow.at(lines[ROWS + row]);
      for (let column = 0; column < columns; column++) promise += ofColumn.at(lines[COLUMNS + column]);
      const toCome = bend(promise);
      const score = state.returns();
      const room = most - score;
      return score + (toCome * room) / (toCome + room);
    },
    /**
     * At best, every tile that may meet an equal one merges, the others stay apart, and all lines are in order. `made` is
     * the most tiles that merges can make of the exponent before.
     */
    atMost(state, _, plies) {
      const { lines } = state.board;
      counts.fill(0);
      for (let row = 0; row < rows; row++)
        for (let column = 0; column < columns; column++) counts[exponentAt(lines[ROWS + row], column)]++;
      let most = state.returns();
      let promise = PROSPECT;
      let alone = 0;
      let made = 0;
      for (let exponent = 1; exponent < EXPONENTS - 1; exponent++) {
        const tiles = counts[exponent] + made + (exponent <= 2 ? plies : 0);
        made = tiles >> 1;
        most += made * 2 ** (exponent + 1);
        if (made > 0) continue;
        alone += counts[exponent];
        promise -= 2 * TILE_COST * TILE_POWERS[exponent] * counts[exponent];
      }
      // All other cells are worth most when empty: more than as a half of four pairs.
      return most + bend(promise + 2 * EMPTY_WORTH * (rows * columns - alone));
    },
  };
}

/** The promise, bent upward where it is low: always above 0. */
function bend(promise: number): number {
  return (promise + Math.sqrt(promise * promise + BEND * BEND)) / 2;
}

const EXPONENTS = 1 << CELL_BITS;
const DISORDER_POWERS = powers(DISORDER_POWER);
const TILE_POWERS = powers(TILE_POWER);

function powers(power: number): Float64Array {
  return Float64Array.from({ length: EXPONENTS }, (_, exponent) => exponent ** power);
}

/** The points that a line promises. */
function worthOf(line: number, length: number): number {
  let worth = 0;
  let rising = 0;
  let falling = 0;
  let before = -1;
  for (let cell = 0; cell < length; cell++) {
    const exponent = exponentAt(line, cell);
    worth += exponent === 0 ? EMPTY_WORTH : 0 - TILE_COST * TILE_POWERS[exponent];
    if (before >= 0) {
      const step = DISORDER_POWERS[exponent] - DISORDER_POWERS[before];
      if (step > 0) rising += step;
      else falling -= step;
      if (exponent !== 0 && exponent === before) worth += PAIR_WORTH;
    }
    before = exponent;
  }
  return worth - DISORDER_COST * Math.min(rising, falling);
}
