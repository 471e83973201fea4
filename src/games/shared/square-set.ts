import { countBits } from "../../base/hashing.ts";
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

/** All squares of a board with up to 8 columns and rows. */
export function squaresOf(width: number, height: number): SquareSet {
  const board = new SquareSet();
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) board.add(STRIDE * row + column);
  }
  return board;
}

/** Reads all cells of a board by its groups. */
export function readGroups<S extends State>(groups: TupleGroups<S>): TupleBoard<S>["read"] {
  const keys = new Int32Array(groups.cells.length);
  return (state, player, digits) => {
    groups.keys(state, player, keys);
    for (let group = 0; group < keys.length; group++) groups.read(group, keys[group], digits);
  };
}
