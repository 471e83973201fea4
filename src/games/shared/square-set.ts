import { countBits, mixHigh, mixLow } from "../../base/hashing.ts";
import type { TupleBoard, TupleGroups } from "../contract/facets.ts";
import type { State } from "../contract/game.ts";

/** The distance of two rows in a set, whatever the board's size. */
export const STRIDE = 8;

/** The leftmost and the rightmost column of a board with 8 columns, in either word of a set. */
export const COLUMN_A = 0x01010101;
export const COLUMN_H = 0x80808080 | 0;

/**
 * A set of squares in two int32. Square 8 * row + column, rows counted from the top, is bit 0 to 31 of
 * `low` in the upper four rows and of `high` in the lower four.
 */
export class SquareSet {
  low = 0;
  high = 0;

  has(square: number): boolean {
    return (((square < 32 ? this.low : this.high) >>> (square & 31)) & 1) === 1;
  }

  add(square: number): void {
    if (square < 32) this.low |= 1 << square;
    else this.high |= 1 << (square & 31);
  }

  remove(square: number): void {
    if (square < 32) this.low &= ~(1 << square);
    else this.high &= ~(1 << (square & 31));
  }

  clear(): void {
    this.low = 0;
    this.high = 0;
  }

  count(): number {
    return countBits(this.low) + countBits(this.high);
  }

  /** The squares of a row as bits, the leftmost lowest. */
  row(row: number): number {
    return ((row < 4 ? this.low : this.high) >>> (STRIDE * (row & 3))) & 0xff;
  }

  isEmpty(): boolean {
    return (this.low | this.high) === 0;
  }

  copyFrom(other: SquareSet): void {
    this.low = other.low;
    this.high = other.high;
  }
}

const TURN_KEY = 0x3c6ef372;

/** `hashLow` of a position that two sets and the turn, 0 or 1, describe. */
export function hashLowOf(first: SquareSet, second: SquareSet, turn: number): number {
  const hash = mixLow(first.low, first.high, second.low, second.high);
  return turn === 0 ? hash : hash ^ TURN_KEY;
}

/** `hashHigh` of such a position. */
export function hashHighOf(first: SquareSet, second: SquareSet, turn: number): number {
  const hash = mixHigh(first.low, first.high, second.low, second.high);
  return turn === 0 ? hash : hash ^ TURN_KEY;
}

/** All squares of a board with up to 8 columns and rows. */
export function squaresOf(width: number, height: number): SquareSet {
  const board = new SquareSet();
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) board.add(STRIDE * row + column);
  }
  return board;
}

/** The content of a cell that is not empty, as a player sees it: a digit of a tuple's code. */
const OWN = 1;
const OTHERS = 2;

/** Reads all cells of a board by its groups. */
export function readGroups<S extends State>(groups: TupleGroups<S>): TupleBoard<S>["read"] {
  const keys = new Int32Array(groups.cells.length);
  return (state, player, digits) => {
    groups.keys(state, player, keys);
    for (let group = 0; group < keys.length; group++) groups.read(group, keys[group], digits);
  };
}

/** The bits of the second player's pieces in a key that has a row's pieces of both players. */
const ROW_SHIFT = 16;

/** The key of a row: the cells of the viewer's pieces and of the other player's, a bit each. */
export function rowKey(own: number, others: number): number {
  return own | (others << ROW_SHIFT);
}

/** Writes the digits of a row of `width` cells from `first` on. */
export function readRow(key: number, first: number, width: number, digits: Uint8Array): void {
  const others = key >>> ROW_SHIFT;
  for (let column = 0; column < width; column++)
    digits[first + column] = ((key >>> column) & 1) * OWN + ((others >>> column) & 1) * OTHERS;
}
