import { lowestBit } from "../../base/hashing.ts";
import { TERMINAL } from "../contract/rules.ts";
import { COLUMN_A, COLUMN_H, STRIDE } from "../shared/square-set.ts";
import { BLACK, type GridBoard, TwoSets } from "../shared/two-sets.ts";

/** An action is `direction << 6 | from`: to the left, straight on, or to the right on the drawn board. */
const DIRECTION_SHIFT = 6;
const LEFT = 0 << DIRECTION_SHIFT;
const STRAIGHT = 1 << DIRECTION_SHIFT;
const RIGHT = 2 << DIRECTION_SHIFT;

/** Actions are below this. */
export const ACTIONS = 3 << DIRECTION_SHIFT;

/** The most plies: each piece can advance to the last row at most. */
export function maxPlies({ width, height }: GridBoard, pieceRows: number): number {
  return 2 * width * pieceRows * (height - 1);
}

export function originOf(action: number): number {
  return action & 63;
}

/** The square that `player` reaches by an action. */
export function targetOf(action: number, player: number): number {
  const direction = action >>> DIRECTION_SHIFT;
  return originOf(action) + direction + (player === BLACK ? STRIDE - 1 : 0 - STRIDE - 1);
}

/** The action on the mirrored board. Numbers of columns that the board does not have stay as they are. */
export function mirroredAction(action: number, width: number): number {
  const column = action % STRIDE;
  return column < width ? RIGHT - (action & ~63) + originOf(action) + width - 1 - 2 * column : action;
}

/** A position of Breakthrough. Black has the upper rows and moves down. */
export class BreakthroughState extends TwoSets {
  /** The player who has broken through or taken all, or -1. */
  winner = -1;
  /** Rows of pieces that each player has at the start. */
  readonly pieceRows: number;
  /** The leftmost square of the last row. */
  readonly lastRow: number;
  /** Moves played as `action << 1 | captured`. */
  private readonly history: Int32Array;

  constructor(board: GridBoard, pieceRows: number) {
    super(board);
    this.pieceRows = pieceRows;
    this.lastRow = STRIDE * (board.height - 1);
    this.history = new Int32Array(maxPlies(board, pieceRows));
    for (let row = 0; row < pieceRows; row++) {
      for (let column = 0; column < board.width; column++) {
        this.black.add(STRIDE * row + column);
        this.white.add(this.lastRow - STRIDE * row + column);
      }
    }
  }

  legalActions(out: Int32Array, at: number): number {
    return this.turn === BLACK ? this.movesDown(out, at) : this.movesUp(out, at);
  }

  private movesDown(out: Int32Array, at: number): number {
    const { low, high } = this.black;
    const { squares } = this.board;
    const freeLow = squares.low & ~low;
    const freeHigh = squares.high & ~high;
    const emptyLow = freeLow & ~this.white.low;
    const emptyHigh = freeHigh & ~this.white.high;
    let end = write(low & ~COLUMN_A & ((freeLow >>> 7) | (freeHigh << 25)), LEFT, out, at);
    end = write(high & ~COLUMN_A & (freeHigh >>> 7), LEFT + 32, out, end);
    end = write(low & ((emptyLow >>> 8) | (emptyHigh << 24)), STRAIGHT, out, end);
    end = write(high & (emptyHigh >>> 8), STRAIGHT + 32, out, end);
    end = write(low & ~COLUMN_H & ((freeLow >>> 9) | (freeHigh << 23)), RIGHT, out, end);
    end = write(high & ~COLUMN_H & (freeHigh >>> 9), RIGHT + 32, out, end);
    return end - at;
  }

  private movesUp(out: Int32Array, at: number): number {
    const { low, high } = this.white;
    const { squares } = this.board;
    const freeLow = squares.low & ~low;
    const freeHigh = squares.high & ~high;
    const emptyLow = freeLow & ~this.black.low;
    const emptyHigh = freeHigh & ~this.black.high;
    let end = write(low & ~COLUMN_A & (freeLow << 9), LEFT, out, at);
    end = write(high & ~COLUMN_A & ((freeHigh << 9) | (freeLow >>> 23)), LEFT + 32, out, end);
    end = write(low & (emptyLow << 8), STRAIGHT, out, end);
    end = write(high & ((emptyHigh << 8) | (emptyLow >>> 24)), STRAIGHT + 32, out, end);
    end = write(low & ~COLUMN_H & (freeLow << 7), RIGHT, out, end);
    end = write(high & ~COLUMN_H & ((freeHigh << 7) | (freeLow >>> 25)), RIGHT + 32, out, end);
    return end - at;
  }

  apply(action: number): void {
    const { turn } = this;
    const own = turn === BLACK ? this.black : this.white;
    const other = turn === BLACK ? this.white : this.black;
    const to = targetOf(action, turn);
    own.remove(originOf(action));
    own.add(to);
    let captured = 0;
    if (other.has(to)) {
      captured = 1;
      other.remove(to);
    }
    this.history[this.played++] = (action << 1) | captured;
    this.turn = 1 - turn;
    if ((turn === BLACK ? to >= this.lastRow : to < STRIDE) || (other.low | other.high) === 0) {
      this.winner = turn;
      this.toMove = TERMINAL;
    } else {
      this.toMove = this.turn;
    }
  }

  undo(): void {
    const entry = this.history[--this.played];
    const turn = 1 - this.turn;
    const own = turn === BLACK ? this.black : this.white;
    const to = targetOf(entry >>> 1, turn);
    own.remove(to);
    own.add(originOf(entry >>> 1));
    if ((entry & 1) === 1) (turn === BLACK ? this.white : this.black).add(to);
    this.turn = turn;
    this.toMove = turn;
    this.winner = -1;
  }

  /** Gives the turn to the other player, for a search; a second call takes it back. */
  passTurn(): void {
    this.turn = 1 - this.turn;
    this.toMove = this.turn;
  }

  returns(player: number): number {
    return this.winner < 0 ? 0 : this.winner === player ? 1 : -1;
  }

  override copyFrom(other: this): void {
    super.copyFrom(other);
    this.winner = other.winner;
  }
}

/** Writes one action for each square of four rows; returns the index after the last. */
function write(squares: number, base: number, out: Int32Array, at: number): number {
  let end = at;
  for (let rest = squares; rest !== 0; rest &= rest - 1) out[end++] = base + lowestBit(rest);
  return end;
}
