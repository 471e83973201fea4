import {
  CELL_BITS,
  EMPTIES_SHIFT,
  exponentAt,
  MAX_SIDE,
  mergesIn,
  MOVES_TO_END,
  MOVES_TO_START,
  slideToEnd,
  slideToStart,
  traitsOf,
} from "./line.ts";

/** The actions of the player. */
export const UP = 0;
export const RIGHT = 1;
export const DOWN = 2;
export const LEFT = 3;

/** The first index of the rows and of the columns in `TileBoard.lines`. */
export const ROWS = 0;
export const COLUMNS = MAX_SIDE;

export interface BoardSize {
  readonly rows: number;
  readonly columns: number;
}

/** A board that is kept twice, by rows and by columns, so that a move changes each line by one step. */
export interface TileBoard {
  /** The rows from index ROWS on and the columns from COLUMNS on, see line.ts; lines beyond the board are 0. */
  readonly lines: Int32Array;
  /** Moves all tiles in a direction; returns the score of the merges. */
  slide(direction: number): number;
  /** Brings the columns up to date after a change of the rows. */
  writeColumns(): void;
  /** The directions that change the board, as bits. */
  moves(): number;
  /** The empty cells as bits MAX_SIDE * row + column. */
  empties(): number;
  /** The score of all merges that made the tiles, if all new tiles were twos. */
  merges(): number;
}

/** The index of the first line that moves in this direction. */
export function firstLine(direction: number): number {
  return COLUMNS * (1 - (direction & 1));
}

/** The directions, as bits, by the traits of all rows and of all columns. */
export function directions(rowTraits: number, columnTraits: number): number {
  return (
    ((columnTraits & MOVES_TO_START) << UP) |
    (((rowTraits & MOVES_TO_END) >> 1) << RIGHT) |
    (((columnTraits & MOVES_TO_END) >> 1) << DOWN) |
    ((rowTraits & MOVES_TO_START) << LEFT)
  );
}

/** A board of any size: it looks at each cell. */
export class LargeBoard implements TileBoard {
  readonly lines = new Int32Array(2 * MAX_SIDE);
  private readonly shape: BoardSize;

  constructor(shape: BoardSize) {
    this.shape = shape;
  }

  slide(direction: number): number {
    const { lines } = this;
    const before = this.merges();
    const { rows, columns } = this.shape;
    const from = firstLine(direction);
    const length = from === ROWS ? columns : rows;
    const toEnd = direction === RIGHT || direction === DOWN;
    for (let at = from; at < from + MAX_SIDE; at++)
      lines[at] = toEnd ? slideToEnd(lines[at], length) : slideToStart(lines[at]);
    this.writeCrossing(from);
    return this.merges() - before;
  }

  writeColumns(): void {
    this.writeCrossing(ROWS);
  }

  moves(): number {
    const { lines, shape } = this;
    let across = 0;
    let down = 0;
    for (let row = 0; row < shape.rows; row++) across |= traitsOf(lines[ROWS + row], shape.columns);
    for (let column = 0; column < shape.columns; column++)
      down |= traitsOf(lines[COLUMNS + column], shape.rows);
    return directions(across, down);
  }

  empties(): number {
    const { lines, shape } = this;
    let cells = 0;
    for (let row = 0; row < shape.rows; row++)
      cells |= (traitsOf(lines[ROWS + row], shape.columns) >>> EMPTIES_SHIFT) << (MAX_SIDE * row);
    return cells;
  }

  merges(): number {
    const { lines } = this;
    let sum = 0;
    for (let row = 0; row < MAX_SIDE; row++) sum += mergesIn(lines[ROWS + row]);
    return sum;
  }

  /** Writes the lines that cross those from `from` on. */
  private writeCrossing(from: number): void {
    const { lines } = this;
    const to = COLUMNS - from;
    for (let line = 0; line < MAX_SIDE; line++) {
      let crossing = 0;
      for (let cell = 0; cell < MAX_SIDE; cell++)
        crossing |= exponentAt(lines[from + cell], line) << (CELL_BITS * cell);
      lines[to + line] = crossing;
    }
  }
}
