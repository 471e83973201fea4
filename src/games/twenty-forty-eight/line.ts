/**
 * A line of the board, a row or a column, as one int32: five bits a cell, the first cell (left or top)
 * lowest, each the exponent of its tile, 0 for none.
 */
export const CELL_BITS = 5;
export const CELL_MASK = (1 << CELL_BITS) - 1;
export const MAX_SIDE = 5;

/** Bits of `traitsOf`: the directions in which the line can move, and from EMPTIES_SHIFT on, its empty cells. */
export const MOVES_TO_START = 1;
export const MOVES_TO_END = 2;
export const EMPTIES_SHIFT = 2;

export function exponentAt(line: number, cell: number): number {
  return (line >>> (cell * CELL_BITS)) & CELL_MASK;
}

/** The line of these exponents, first cell first. */
export function lineOf(exponents: readonly number[]): number {
  return exponents.reduce((line, exponent, cell) => line | (exponent << (cell * CELL_BITS)), 0);
}

/** The line seen from its other end. */
export function reverseLine(line: number, length: number): number {
  let reversed = 0;
  for (let rest = line, cell = 0; cell < length; cell++, rest >>>= CELL_BITS)
    reversed = (reversed << CELL_BITS) | (rest & CELL_MASK);
  return reversed;
}

/**
 * The line after its tiles have moved towards its first cell. A tile made by a merge in this move does not merge again.
 * The two tiles nearest the start merge if three are equal.
 */
export function slideToStart(line: number): number {
  let moved = 0;
  let end = 0;
  let last = 0;
  for (let rest = line; rest !== 0; rest >>>= CELL_BITS) {
    const exponent = rest & CELL_MASK;
    if (exponent === 0) continue;
    if (exponent === last) {
      moved += 1 << (end - CELL_BITS);
      last = 0;
    } else {
      moved |= exponent << end;
      end += CELL_BITS;
      last = exponent;
    }
  }
  return moved;
}

export function slideToEnd(line: number, length: number): number {
  return reverseLine(slideToStart(reverseLine(line, length)), length);
}

/** The directions in which a line can move, and its empty cells, as bits. */
export function traitsOf(line: number, length: number): number {
  let traits = 0;
  let before = -1;
  for (let rest = line, cell = 0; cell < length; cell++, rest >>>= CELL_BITS) {
    const exponent = rest & CELL_MASK;
    if (exponent === 0) {
      traits |= 1 << (EMPTIES_SHIFT + cell);
      if (before > 0) traits |= MOVES_TO_END;
    } else if (before === 0) traits |= MOVES_TO_START;
    else if (exponent === before) traits |= MOVES_TO_START | MOVES_TO_END;
    before = exponent;
  }
  return traits;
}

const MERGES = Float64Array.from({ length: 1 << CELL_BITS }, (_, exponent) => mergesOf(exponent));

/** The score of all merges that made the line's tiles, if all new tiles were twos. */
export function mergesIn(line: number): number {
  let sum = 0;
  for (let rest = line; rest !== 0; rest >>>= CELL_BITS) sum += MERGES[rest & CELL_MASK];
  return sum;
}

/** Calls `visit` for each line of `length` cells with exponents up to `highest`. */
export function forEachLine(length: number, highest: number, visit: (line: number) => void): void {
  if (length === 0) return visit(0);
  forEachLine(length - 1, highest, (line) => {
    for (let exponent = 0; exponent <= highest; exponent++) visit((line << CELL_BITS) | exponent);
  });
}

/**
 * The highest exponent that the tile of rank k can have (k = 1 is the highest tile of the board): cells +
 * 2 - k. Proof: a merge takes two equal tiles of neighbouring ranks. The limit of the lower rank leaves
 * room for one more at the higher rank, and all tiles below move up one rank. A new tile has an exponent
 * of at most 2 and appears only where there is room.
 */
export function highestExponent(cells: number, rank = 1): number {
  return cells + 2 - rank;
}

/**
 * The score of all merges that made a tile, if all new tiles were twos: (e - 1) 2^e, because each of the e - 1 levels of
 * merges scores 2^e in all. Each new tile that was a four makes the score 4 less.
 */
export function mergesOf(exponent: number): number {
  return exponent === 0 ? 0 : (exponent - 1) * 2 ** exponent;
}

/**
 * The highest score, reached by a board whose tiles have the highest exponents of their ranks: the sum of (e - 1) 2^e
 * from e = 2 to cells + 1.
 */
export function highestScore(cells: number): number {
  return (cells - 1) * 2 ** (cells + 2) + 4;
}

/**
 * The most moves in one game. The sum of all tiles grows by 2 or more with each new tile, from 0 to at
 * most 2^(cells + 2) - 4. Two tiles come before the first move, and one comes after the last.
 */
export function mostPlies(cells: number): number {
  return 2 ** (cells + 1) - 4;
}
