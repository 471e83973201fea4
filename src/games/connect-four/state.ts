import { mixHigh, mixLow } from "../../base/hashing.ts";
import { TERMINAL, type State } from "../contract/rules.ts";

export const MAX_WIDTH = 9;
export const MAX_HEIGHT = 8;

/** The first index of each kind of line in `lines`. */
export const ROWS = 0;
export const COLUMNS = 8;
export const DIAGONALS = 24;
export const ANTI_DIAGONALS = 33;
const LINES = 49;

/** The distance in bits of the second player's stones from the first player's. */
export const PLAYER_SHIFT = 16;

/**
 * A connect-four position. Stones are kept as bit sets along every line of the board, one int32 a
 * line: row r has bit c for column c; column c has bit r; the diagonals (c - r constant) and
 * anti-diagonals (c + r constant) have bit c. Bits 0-15 are the first player's, bits 16-31 the
 * second's. A win is four adjacent bits in one of the four lines through the last stone.
 */
export class ConnectFourState implements State {
  toMove = 0;
  /** Stones on the board. */
  stones = 0;
  /** The player who has four in a line, or -1. */
  winner = -1;
  readonly heights: Int32Array;
  /** At ROWS + row, COLUMNS + column, DIAGONALS + column - row and ANTI_DIAGONALS + column + row. */
  readonly lines = new Int32Array(LINES);
  readonly width: number;
  readonly height: number;
  readonly cells: number;
  private readonly history: Int32Array;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.cells = width * height;
    this.heights = new Int32Array(width);
    this.history = new Int32Array(this.cells);
  }

  /** Computed from the columns, two to a word, when asked for, so that playouts do not pay for it. */
  get hashLow(): number {
    const { lines } = this;
    const last = this.columnPair(6) ^ Math.imul(lines[COLUMNS + 8], 0x9e3779b1);
    return mixLow(this.columnPair(0), this.columnPair(2), this.columnPair(4), last);
  }

  get hashHigh(): number {
    const { lines } = this;
    const last = this.columnPair(6) ^ Math.imul(lines[COLUMNS + 8], 0x85ebca6b);
    return mixHigh(this.columnPair(0), this.columnPair(2), this.columnPair(4), last);
  }

  /** Two columns in one word: eight bits for each player in each column. */
  private columnPair(column: number): number {
    const { lines } = this;
    return lines[COLUMNS + column] | (lines[COLUMNS + column + 1] << MAX_HEIGHT);
  }

  legalActions(out: Int32Array, at: number): number {
    const { heights, width, height } = this;
    let end = at;
    for (let column = 0; column < width; column++) {
      if (heights[column] < height) out[end++] = column;
    }
    return end - at;
  }

  apply(column: number): void {
    const player = this.toMove;
    const { lines } = this;
    const row = this.heights[column];
    this.heights[column] = row + 1;
    this.history[this.stones] = column;
    const shift = player * PLAYER_SHIFT;
    const bit = 1 << (shift + column);
    const across = (lines[ROWS + row] |= bit);
    const up = (lines[COLUMNS + column] |= 1 << (shift + row));
    const diagonal = (lines[DIAGONALS + column - row] |= bit);
    const anti = (lines[ANTI_DIAGONALS + column + row] |= bit);
    const stones = ++this.stones;
    if ((fours(across) | fours(up) | fours(diagonal) | fours(anti)) !== 0) {
      this.winner = player;
      this.toMove = TERMINAL;
    } else {
      this.toMove = stones === this.cells ? TERMINAL : 1 - player;
    }
  }

  undo(): void {
    const stones = --this.stones;
    const player = stones & 1;
    const { lines } = this;
    const column = this.history[stones];
    const row = this.heights[column] - 1;
    this.heights[column] = row;
    const shift = player * PLAYER_SHIFT;
    const bit = 1 << (shift + column);
    lines[ROWS + row] ^= bit;
    lines[COLUMNS + column] ^= 1 << (shift + row);
    lines[DIAGONALS + column - row] ^= bit;
    lines[ANTI_DIAGONALS + column + row] ^= bit;
    this.winner = -1;
    this.toMove = player;
  }

  returns(player: number): number {
    return this.winner < 0 ? 0 : this.winner === player ? 1 : -1;
  }

  /** True if a stone of `player` on top of a column would complete four in a line. */
  completesFour(column: number, player: number): boolean {
    const { lines } = this;
    const row = this.heights[column];
    const shift = player * PLAYER_SHIFT;
    const bit = 1 << (shift + column);
    return (
      (fours(lines[ROWS + row] | bit) |
        fours(lines[COLUMNS + column] | (1 << (shift + row))) |
        fours(lines[DIAGONALS + column - row] | bit) |
        fours(lines[ANTI_DIAGONALS + column + row] | bit)) !==
      0
    );
  }

  /** True if a player has four in a line anywhere. After a move, `winner` says so faster. */
  hasFour(player: number): boolean {
    return this.lines.some((line) => fours((line >>> (player * PLAYER_SHIFT)) & 0xffff) !== 0);
  }

  copyFrom(other: this): void {
    this.toMove = other.toMove;
    this.stones = other.stones;
    this.winner = other.winner;
    this.heights.set(other.heights);
    this.lines.set(other.lines);
  }
}

/** Not 0 if four adjacent bits are set. The two players' bits are too far apart to mix. */
function fours(line: number): number {
  const pairs = line & (line >> 1);
  return pairs & (pairs >> 2);
}
