import { countBits } from "../../base/bits.ts";
import type { Heuristic } from "../../game/facets.ts";
import { SquareSet, STRIDE } from "../../game/square-set.ts";
import { BLACK, type BreakthroughState } from "./state.ts";

const COLUMN_A = 0x01010101;
const COLUMN_H = 0x80808080 | 0;
const ROW = 0xff;

/** What one player has. */
export interface Counts {
  /** Pieces by row, counted from their own side. */
  readonly rows: Int32Array;
  /** Pieces that the other player can take. `loose`: those of them that could not be taken back. */
  attacked: number;
  loose: number;
  /** Pieces that no piece of the other player can stop any more: the cone ahead of them is free. */
  runners: number;
  /**
   * The number of rows that the foremost runner still has to go; without a runner, the height of the
   * board.
   */
  shortest: number;
}

export function newCounts(): Counts {
  return { rows: new Int32Array(STRIDE), attacked: 0, loose: 0, runners: 0, shortest: 0 };
}

const ahead = new SquareSet();
const cone = new SquareSet();

/** Counts for one player, whoever is to move. */
export function readCounts(state: BreakthroughState, player: number, into: Counts): void {
  const { height } = state.shape;
  const own = player === BLACK ? state.black : state.white;
  const other = player === BLACK ? state.white : state.black;
  for (let row = 0; row < height; row++) {
    const at = player === BLACK ? row : height - 1 - row;
    into.rows[row] = countBits(rowOf(own, at));
  }
  reach(other, 1 - player, ahead);
  const attackedLow = own.low & ahead.low;
  const attackedHigh = own.high & ahead.high;
  into.attacked = countBits(attackedLow) + countBits(attackedHigh);
  reach(own, player, ahead);
  into.loose = countBits(attackedLow & ~ahead.low) + countBits(attackedHigh & ~ahead.high);

  cone.clear();
  ahead.copyFrom(other);
  for (let row = 1; row < height; row++) {
    widen(ahead);
    forward(ahead, 1 - player);
    cone.low |= ahead.low;
    cone.high |= ahead.high;
  }
  ahead.low = own.low & ~cone.low;
  ahead.high = own.high & ~cone.high;
  into.runners = ahead.count();
  into.shortest = height;
  for (let row = 0; row < height; row++) {
    const left = player === BLACK ? height - 1 - row : row;
    if (rowOf(ahead, row) !== 0 && left < into.shortest) into.shortest = left;
  }
}

function rowOf(set: SquareSet, row: number): number {
  return ((row < 4 ? set.low : set.high) >>> (STRIDE * (row & 3))) & ROW;
}

/** The squares that the pieces of `player` could capture on. */
function reach(set: SquareSet, player: number, into: SquareSet): void {
  into.low = beside(set.low);
  into.high = beside(set.high);
  forward(into, player);
}

/** The neighbours in the same row. */
function beside(word: number): number {
  return ((word << 1) & ~COLUMN_A) | ((word >>> 1) & ~COLUMN_H);
}

function widen(set: SquareSet): void {
  set.low |= beside(set.low);
  set.high |= beside(set.high);
}

/** Moves the whole set one row ahead, as `player` sees it. */
function forward(set: SquareSet, player: number): void {
  const { low, high } = set;
  if (player === BLACK) {
    set.low = low << STRIDE;
    set.high = (high << STRIDE) | (low >>> 24);
  } else {
    set.low = (low >>> STRIDE) | (high << 24);
    set.high = high >>> STRIDE;
  }
}

const PIECE_WORTH = 20;
/** Extra for a piece that stayed at home, where it guards the goal. */
const HOME_WORTH = 5;
/** Extra for a piece that has this many rows to go. */
const ADVANCED_WORTH = [0, 12, 6, 3, 1, 0, 0, 0] as const;
/** For a loose piece: if the other player is to move, and if its owner is to move. */
const HANGING_WORTH = -14;
const LOOSE_WORTH = -2;
const RUNNER_WORTH = 40;
/** For each row that the first runner is nearer to the goal than the other's. */
const RACE_WORTH = 10;
/** The worth at which the evaluation reaches half a win. */
const HALF_WIN = 60;

const own = newCounts();
const other = newCounts();

/**
 * Counts pieces, more for those at home and far ahead, less for those that can be taken for nothing, and
 * runners, which nobody can stop.
 */
export const advancement: Heuristic<BreakthroughState> = {
  summary: "pieces, at home and far ahead, loose ones, and runners that nobody can stop",
  evaluate(state, player) {
    const { height } = state.shape;
    readCounts(state, player, own);
    readCounts(state, 1 - player, other);
    const onMove = state.turn === player;
    const sum =
      worth(own, height, onMove) -
      worth(other, height, !onMove) +
      RACE_WORTH * (other.shortest - own.shortest);
    return sum / (HALF_WIN + Math.abs(sum));
  },
};

function worth({ rows, loose, runners }: Counts, height: number, onMove: boolean): number {
  let sum = rows[0] * HOME_WORTH + loose * (onMove ? LOOSE_WORTH : HANGING_WORTH);
  if (runners > 0) sum += RUNNER_WORTH;
  for (let row = 0; row < height; row++) sum += rows[row] * (PIECE_WORTH + ADVANCED_WORTH[height - 1 - row]!);
  return sum;
}
