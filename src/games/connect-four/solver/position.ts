import { COLUMNS, PLAYER_SHIFT, type ConnectFourState } from "../state.ts";

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

/**
 * Sets of cells as two words, columns 0 to 3 in `low` and 4 to 6 in `high`: seven bits a column, bit 0
 * the bottom cell, and the bit above the top row always empty, so that lines do not run around the
 * edge. Shifts by 1, 7, 6 and 8 go up, right and along the diagonals (Tromp, "The Fhourstones
 * benchmark", 1996; Pons, "Solving Connect 4", 2015).
 */
export const STRIDE = 7;
const MAX_ROWS = STRIDE - 1;
export const LOW_COLUMNS = 4;
export const MAX_COLUMNS = 7;
const LOW_BITS = STRIDE * LOW_COLUMNS;
/** The bits of the leftmost column of a word. */
export const COLUMN = (1 << STRIDE) - 1;

/**
 * The low word of the cells that complete four in a line with those of a set. The result can hold bits
 * that are no cells, and cells that are taken: the caller removes them.
 */
export function completingLow(low: number, high: number): number {
  return (
    ((low << 1) & (low << 2) & (low << 3)) |
    alongLow(low, high, 7) |
    alongLow(low, high, 6) |
    alongLow(low, high, 8)
  );
}

/** The high word of the cells that `completingLow` has the low word of. */
export function completingHigh(low: number, high: number): number {
  return (
    ((high << 1) & (high << 2) & (high << 3)) |
    alongHigh(low, high, 7) |
    alongHigh(low, high, 6) |
    alongHigh(low, high, 8)
  );
}

/** The completing cells along one direction; each may be any of the four. */
function alongLow(low: number, high: number, step: number): number {
  const back1 = low << step;
  const back2 = low << (2 * step);
  const next1 = (low >>> step) | (high << (LOW_BITS - step));
  const next2 = (low >>> (2 * step)) | (high << (LOW_BITS - 2 * step));
  const next3 = (low >>> (3 * step)) | (high << (LOW_BITS - 3 * step));
  return (back1 & back2 & ((low << (3 * step)) | next1)) | (next1 & next2 & (next3 | back1));
}

function alongHigh(low: number, high: number, step: number): number {
  const back1 = (high << step) | (low >>> (LOW_BITS - step));
  const back2 = (high << (2 * step)) | (low >>> (LOW_BITS - 2 * step));
  const back3 = (high << (3 * step)) | (low >>> (LOW_BITS - 3 * step));
  const next1 = high >>> step;
  const next2 = high >>> (2 * step);
  return (back1 & back2 & (back3 | next1)) | (next1 & next2 & ((high >>> (3 * step)) | back1));
}

/** The low word of the mirror image, left to right, of a board of seven columns with seven bits each. */
export function mirroredLow(low: number, high: number): number {
  return ((high >>> 14) & COLUMN) | (high & (COLUMN << 7)) | ((high & COLUMN) << 14) | (low & (COLUMN << 21));
}

/** The high word of the mirror image. */
export function mirroredHigh(low: number): number {
  return ((low >>> 14) & COLUMN) | (low & (COLUMN << 7)) | ((low & COLUMN) << 14);
}

/** True if a set has four in a line. */
export function hasFour(low: number, high: number): boolean {
  const upLow = low & (low >>> 1);
  const upHigh = high & (high >>> 1);
  return (
    ((upLow & (upLow >>> 2)) | (upHigh & (upHigh >>> 2))) !== 0 ||
    hasFourAlong(low, high, 7) ||
    hasFourAlong(low, high, 6) ||
    hasFourAlong(low, high, 8)
  );
}

function hasFourAlong(low: number, high: number, step: number): boolean {
  const twoLow = low & ((low >>> step) | (high << (LOW_BITS - step)));
  const twoHigh = high & (high >>> step);
  const fourLow = twoLow & ((twoLow >>> (2 * step)) | (twoHigh << (LOW_BITS - 2 * step)));
  return (fourLow | (twoHigh & (twoHigh >>> (2 * step)))) !== 0;
}

/** True if a set has more than one cell. */
export function hasTwo(low: number, high: number): boolean {
  return ((low & (low - 1)) | (high & (high - 1))) !== 0 || (low !== 0 && high !== 0);
}
