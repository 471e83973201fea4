import { countBits } from "../../base/bits.ts";
import { SquareSet, STRIDE } from "../square-set.ts";
import { BLACK, type BreakthroughState } from "./state.ts";

const COLUMN_A = 0x01010101;
const COLUMN_H = 0x80808080 | 0;
const ROW = 0xff;

/** What one player has. */
export interface Counts {
  /** Pieces by row, counted from their own side. */
  readonly rows: Int32Array;
  /** Pieces that the other's can take, and of these how many could not be taken back. */
  attacked: number;
  loose: number;
  /** Pieces that none of the other's can stop any more: the cone ahead of them is free. */
  runners: number;
  /** The rows that the foremost of these still has to go; the height of the board without one. */
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
