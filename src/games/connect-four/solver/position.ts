import { COLUMNS, PLAYER_SHIFT, type ConnectFourState } from "../state.ts";
import { completingHigh, completingLow, LOW_COLUMNS, MAX_COLUMNS, MAX_ROWS, STRIDE } from "./cells.ts";

/** True if a board fits into the solver's words. */
export function isSolvable(width: number, height: number): boolean {
  return width <= MAX_COLUMNS && height <= MAX_ROWS;
}

/** The cells of a board as sets, see cells.ts. */
export class SolverBoard {
  readonly cells: number;
  readonly low: number;
  readonly high: number;
  /** The bottom row. */
  readonly bottomLow: number;
  readonly bottomHigh: number;
  /** Each column, those in the middle first. */
  readonly columnsLow: Int32Array;
  readonly columnsHigh: Int32Array;

  constructor(width: number, height: number) {
    const middle = (width - 1) / 2;
    const columns = Array.from({ length: width }, (_, column) => column).toSorted(
      (a, b) => Math.abs(a - middle) - Math.abs(b - middle),
    );
    this.cells = width * height;
    this.low = rectangle(Math.min(width, LOW_COLUMNS), height);
    this.high = rectangle(Math.max(0, width - LOW_COLUMNS), height);
    this.bottomLow = rectangle(Math.min(width, LOW_COLUMNS), 1);
    this.bottomHigh = rectangle(Math.max(0, width - LOW_COLUMNS), 1);
    const whole = rectangle(1, MAX_ROWS);
    this.columnsLow = Int32Array.from(columns, (column) =>
      column < LOW_COLUMNS ? whole << (STRIDE * column) : 0,
    );
    this.columnsHigh = Int32Array.from(columns, (column) =>
      column < LOW_COLUMNS ? 0 : whole << (STRIDE * (column - LOW_COLUMNS)),
    );
  }
}

function rectangle(columns: number, rows: number): number {
  let set = 0;
  for (let column = 0; column < columns; column++) set |= ((1 << rows) - 1) << (STRIDE * column);
  return set;
}

/** The positions along one line of play, by the number of stones on the board. */
export class Path {
  /** Stones of the player to move, and of both. */
  readonly ownLow: Int32Array;
  readonly ownHigh: Int32Array;
  readonly allLow: Int32Array;
  readonly allHigh: Int32Array;
  /** Empty cells that would complete four in a line for the player who has just moved. */
  readonly dangerLow: Int32Array;
  readonly dangerHigh: Int32Array;
  private readonly board: SolverBoard;

  constructor(board: SolverBoard) {
    const length = board.cells + 1;
    this.board = board;
    this.ownLow = new Int32Array(length);
    this.ownHigh = new Int32Array(length);
    this.allLow = new Int32Array(length);
    this.allHigh = new Int32Array(length);
    this.dangerLow = new Int32Array(length);
    this.dangerHigh = new Int32Array(length);
  }

  /** Puts a position at its number of stones. */
  place({ lines, stones, width }: ConnectFourState): void {
    const { board } = this;
    const own = (stones & 1) * PLAYER_SHIFT;
    const words = { ownLow: 0, ownHigh: 0, allLow: 0, allHigh: 0 };
    for (let column = 0; column < Math.min(width, MAX_COLUMNS); column++) {
      const cells = lines[COLUMNS + column];
      const up = STRIDE * (column % LOW_COLUMNS);
      const ownCells = ((cells >>> own) & 0xff) << up;
      const allCells = ((cells | (cells >>> PLAYER_SHIFT)) & 0xff) << up;
      words[column < LOW_COLUMNS ? "ownLow" : "ownHigh"] |= ownCells;
      words[column < LOW_COLUMNS ? "allLow" : "allHigh"] |= allCells;
    }
    const { ownLow, ownHigh, allLow, allHigh } = words;
    this.ownLow[stones] = ownLow;
    this.ownHigh[stones] = ownHigh;
    this.allLow[stones] = allLow;
    this.allHigh[stones] = allHigh;
    const otherLow = allLow ^ ownLow;
    const otherHigh = allHigh ^ ownHigh;
    this.dangerLow[stones] = completingLow(otherLow, otherHigh) & (board.low ^ allLow);
    this.dangerHigh[stones] = completingHigh(otherLow, otherHigh) & (board.high ^ allHigh);
  }

  /** True if the player to move can complete a line at once. */
  winsNow(stones: number): boolean {
    const { board, ownLow, ownHigh, allLow, allHigh } = this;
    const openLow = (allLow[stones] + board.bottomLow) & board.low;
    const openHigh = (allHigh[stones] + board.bottomHigh) & board.high;
    const low = completingLow(ownLow[stones], ownHigh[stones]) & openLow;
    const high = completingHigh(ownLow[stones], ownHigh[stones]) & openHigh;
    return (low | high) !== 0;
  }
}
