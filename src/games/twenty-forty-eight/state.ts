import { grown, mixHigh, mixLow } from "../../base/hashing.ts";
import { CHANCE, TERMINAL, type State } from "../contract/rules.ts";
import { COLUMNS, DOWN, LargeBoard, LEFT, RIGHT, ROWS, UP, type TileBoard, type BoardSize } from "./board.ts";
import { CELL_BITS, CELL_MASK, exponentAt, MAX_SIDE } from "./line.ts";
import { LONGEST_IN_TABLE, SmallBoard } from "./small-board.ts";

/** A chance outcome is the cell of a new 2, MAX_SIDE * row + column, or for a new 4 the cell plus FOUR. */
export const FOUR = MAX_SIDE * MAX_SIDE;
const TWO_PROBABILITY = 0.9;

/** The last word of a step in the history: for a new tile its cell, for a move MOVED plus the possible moves. */
const MOVED = 32;

/** Words of a move in the history, without the last one. */
const REMEMBERED = MAX_SIDE + 1;

/**
 * The number of bits of the fifth row in each of the four words of the hash, above one of the first four rows: all 25 bits
 * fit, and the highest bit of each word stays free.
 */
const FIFTH_BITS = 7;
const FIFTH_MASK = (1 << FIFTH_BITS) - 1;

/** The row of a cell numbered MAX_SIDE * row + column, without a division. */
export function rowOf(cell: number): number {
  return (cell * 13) >> 6;
}

/**
 * A position of 2048. The tiles of the start are chance events like all others: a board with fewer than
 * two tiles gets another one before the player moves.
 */
export class TwentyFortyEightState implements State {
  toMove: number = CHANCE;
  /** The number of new tiles that were fours. */
  fours = 0;
  private score = 0;
  readonly shape: BoardSize;
  readonly board: TileBoard;
  /** The legal actions as bits; 0 unless the player is to move. */
  private moves = 0;
  private steps = 0;
  private history = new Int32Array(1024);

  constructor(shape: BoardSize) {
    this.shape = shape;
    const small = Math.max(shape.rows, shape.columns) <= LONGEST_IN_TABLE;
    this.board = small ? new SmallBoard(shape) : new LargeBoard(shape);
  }

  /** Covers the board and the phase, but not the score: the future does not depend on it. */
  get hashLow(): number {
    return mixLow(this.hashWord(0), this.hashWord(1), this.hashWord(2), this.hashWord(3));
  }

  get hashHigh(): number {
    return mixHigh(this.hashWord(0), this.hashWord(1), this.hashWord(2), this.hashWord(3));
  }

  legalActions(out: Int32Array, at: number): number {
    const { moves } = this;
    let end = at;
    if ((moves & (1 << UP)) !== 0) out[end++] = UP;
    if ((moves & (1 << RIGHT)) !== 0) out[end++] = RIGHT;
    if ((moves & (1 << DOWN)) !== 0) out[end++] = DOWN;
    if ((moves & (1 << LEFT)) !== 0) out[end++] = LEFT;
    return end - at;
  }

  chanceOutcomes(out: Int32Array, probabilities: Float64Array, at: number): number {
    let end = at;
    for (let rest = this.board.empties(); rest !== 0; rest &= rest - 1)
      out[end++] = 31 - Math.clz32(rest & (0 - rest));
    const count = end - at;
    const two = TWO_PROBABILITY / count;
    const four = (1 - TWO_PROBABILITY) / count;
    for (let index = at; index < end; index++) {
      out[index + count] = out[index] + FOUR;
      probabilities[index] = two;
      probabilities[index + count] = four;
    }
    return 2 * count;
  }

  apply(action: number): void {
    if (this.toMove === CHANCE) this.addTile(action);
    else this.move(action);
  }

  undo(): void {
    const top = this.history[--this.steps];
    if (top < MOVED) this.removeTile(top);
    else this.moveBack(top - MOVED);
  }

  /** The score: the sum of all tiles made by merges. The board and `fours` determine it. */
  returns(): number {
    return this.score;
  }

  /** Becomes the position with these rows, in which a tile is to come or the player decides. */
  place(rows: readonly number[], { fours, tileToCome }: { fours: number; tileToCome: boolean }): void {
    this.board.lines.set(rows, ROWS);
    this.board.writeColumns();
    this.fours = fours;
    this.score = this.board.merges() - 4 * fours;
    this.steps = 0;
    this.moves = tileToCome ? 0 : this.board.moves();
    this.toMove = tileToCome ? CHANCE : this.moves === 0 ? TERMINAL : 0;
  }

  copyFrom(other: this): void {
    const { lines } = this.board;
    const others = other.board.lines;
    this.toMove = other.toMove;
    this.fours = other.fours;
    this.score = other.score;
    for (let at = 0; at < lines.length; at++) lines[at] = others[at];
    this.moves = other.moves;
    this.steps = 0;
  }

  private move(direction: number): void {
    this.remember();
    this.score += this.board.slide(direction);
    this.moves = 0;
    this.toMove = CHANCE;
  }

  private moveBack(moves: number): void {
    const { lines } = this.board;
    const { history } = this;
    const from = this.steps - REMEMBERED;
    for (let row = 0; row < MAX_SIDE; row++) lines[ROWS + row] = history[from + row];
    this.board.writeColumns();
    this.score = history[this.steps - 1];
    this.steps = from;
    this.moves = moves;
    this.toMove = 0;
  }

  private addTile(outcome: number): void {
    const { lines } = this.board;
    const exponent = outcome < FOUR ? 1 : 2;
    const cell = outcome < FOUR ? outcome : outcome - FOUR;
    const row = rowOf(cell);
    const column = cell - MAX_SIDE * row;
    const isFirst = (lines[0] | lines[1] | lines[2] | lines[3] | lines[4]) === 0;
    lines[ROWS + row] |= exponent << (CELL_BITS * column);
    lines[COLUMNS + column] |= exponent << (CELL_BITS * row);
    this.fours += exponent - 1;
    if (this.steps === this.history.length) this.history = grown(this.history);
    this.history[this.steps++] = cell;
    if (isFirst) return;
    this.moves = this.board.moves();
    this.toMove = this.moves === 0 ? TERMINAL : 0;
  }

  private removeTile(cell: number): void {
    const { lines } = this.board;
    const row = rowOf(cell);
    const column = cell - MAX_SIDE * row;
    this.fours -= exponentAt(lines[ROWS + row], column) - 1;
    lines[ROWS + row] &= ~(CELL_MASK << (CELL_BITS * column));
    lines[COLUMNS + column] &= ~(CELL_MASK << (CELL_BITS * row));
    this.moves = 0;
    this.toMove = CHANCE;
  }

  /** Puts the rows, the score and the moves on the history. */
  private remember(): void {
    if (this.steps + REMEMBERED + 1 > this.history.length) this.history = grown(this.history);
    const { history, steps } = this;
    const { lines } = this.board;
    history[steps] = lines[ROWS];
    history[steps + 1] = lines[ROWS + 1];
    history[steps + 2] = lines[ROWS + 2];
    history[steps + 3] = lines[ROWS + 3];
    history[steps + 4] = lines[ROWS + 4];
    history[steps + 5] = this.score;
    history[steps + REMEMBERED] = MOVED + this.moves;
    this.steps = steps + REMEMBERED + 1;
  }

  /** A word of the hash: one of the first four rows, above it a part of the fifth; in the last word also the phase. */
  private hashWord(row: number): number {
    const { lines } = this.board;
    const fifth = (lines[ROWS + 4] >>> (FIFTH_BITS * row)) & FIFTH_MASK;
    const phase = row === 3 && this.toMove === CHANCE ? 1 << 31 : 0;
    return lines[ROWS + row] | (fifth << (MAX_SIDE * CELL_BITS)) | phase;
  }
}
