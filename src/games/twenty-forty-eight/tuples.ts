import type { FeatureSet } from "../contract/facets.ts";
import { COLUMNS, ROWS } from "./board.ts";
import { exponentAt, lineOf } from "./line.ts";
import type { TwentyFortyEightState } from "./state.ts";

/** The side of the board that the tuples are for. */
export const TUPLE_SIDE = 4;

/** Exponents above 15 count as 15, so that a cell is a hexadecimal digit. */
const DIGIT_BITS = 4;
const HIGHEST = 15;
const BEYOND = lineOf([16, 16, 16, 16]);

/** The eight symmetries of the board. */
const VIEWS = 8;

/** Digits of a line of four, first cell lowest. */
const FIRST = 0xf;
const SECOND = 0xf0;

interface TupleSet {
  readonly summary: string;
  /** The cells of each tuple, hexadecimal, row by row; the first cell's digit is the lowest of its code. */
  readonly tuples: readonly string[];
  /** Writes the active feature of each tuple in one view of the board, given its first three lines; see `spread`. */
  readonly write: (index: Int32Array, at: number, a: number, b: number, c: number) => void;
}

/**
 * By four digits, the first one lowest: their bits in a code of `length` digits. A code has the lowest bits of all digits
 * first, then all second bits, and so on. So the weights of similar boards lie side by side. Most tiles are small, and a
 * processor's cache holds neighbouring weights: self-play learns faster than with whole digits side by side.
 */
function spread(length: number): Int32Array {
  const codes = new Int32Array(1 << (4 * DIGIT_BITS));
  for (let place = 0; place < 4 * DIGIT_BITS; place++) {
    const cell = place >> 2;
    const bit = place & 3;
    // The digits that have this bit as their highest one.
    for (let digits = 1 << place; digits < 2 << place; digits++)
      codes[digits] = codes[digits - (1 << place)] | (1 << (length * bit + cell));
  }
  return codes;
}

const SIX_SPREAD = spread(6);
const SIX_SIZE = 1 << (6 * DIGIT_BITS);
const SIX_TWO = SIX_SPREAD[0xff];
const SIX_THREE = SIX_SPREAD[0xfff];
const SIXES: TupleSet = {
  summary: "four 6-tuples over 8 symmetries, exponents to 15 (Wu et al. 2014)",
  tuples: ["012345", "456789", "012456", "45689a"],
  write: (index, at, a, b, c) => {
    const first = SIX_SPREAD[a];
    const second = SIX_SPREAD[b];
    const third = SIX_SPREAD[c];
    index[at] = first | ((second & SIX_TWO) << 4);
    index[at + 1] = SIX_SIZE + (second | ((third & SIX_TWO) << 4));
    index[at + 2] = 2 * SIX_SIZE + ((first & SIX_THREE) | ((second & SIX_THREE) << 3));
    index[at + 3] = 3 * SIX_SIZE + ((second & SIX_THREE) | ((third & SIX_THREE) << 3));
  },
};

const FOUR_SPREAD = spread(4);
const FOUR_SIZE = 1 << (4 * DIGIT_BITS);
const FOUR_TWO = FOUR_SPREAD[0xff];
const FOURS: TupleSet = {
  summary: "rows, columns and 2x2 squares over 8 symmetries, exponents to 15 (Szubert and Jaskowski 2014)",
  tuples: ["0123", "4567", "0145", "1256", "569a"],
  write: (index, at, a, b, c) => {
    const first = FOUR_SPREAD[a];
    const second = FOUR_SPREAD[b];
    const third = FOUR_SPREAD[c];
    index[at] = first;
    index[at + 1] = FOUR_SIZE + second;
    index[at + 2] = 2 * FOUR_SIZE + ((first & FOUR_TWO) | ((second & FOUR_TWO) << 2));
    index[at + 3] = 3 * FOUR_SIZE + (((first >> 1) & FOUR_TWO) | (((second >> 1) & FOUR_TWO) << 2));
    index[at + 4] = 4 * FOUR_SIZE + (((second >> 1) & FOUR_TWO) | (((third >> 1) & FOUR_TWO) << 2));
  },
};

/** The exponents of a line of four as digits. */
function digitsOf(line: number): number {
  if ((line & BEYOND) !== 0) return cutDigits(line);
  return (line & FIRST) | ((line >> 1) & SECOND) | ((line >> 2) & 0xf00) | ((line >> 3) & 0xf000);
}

function cutDigits(line: number): number {
  let digits = 0;
  for (let cell = TUPLE_SIDE - 1; cell >= 0; cell--)
    digits = (digits << DIGIT_BITS) | Math.min(exponentAt(line, cell), HIGHEST);
  return digits;
}

function reverseDigits(digits: number): number {
  return ((digits & FIRST) << 12) | ((digits & SECOND) << 4) | ((digits >> 4) & SECOND) | (digits >> 12);
}

/**
 * N-tuples over the 4x4 board. The content of each tuple in each of the eight views of the board is one active feature
 * of value 1.
 */
function hexTuples({ summary, tuples, write }: TupleSet): FeatureSet<TwentyFortyEightState> {
  const count = tuples.length;
  const bits = tuples[0]!.length * DIGIT_BITS;
  const active = VIEWS * count;

  /** Writes the four views that keep the lines' direction or reverse it, from either side. */
  const writeViews = (lines: Int32Array, from: number, index: Int32Array, at: number) => {
    const a = digitsOf(lines[from]);
    const b = digitsOf(lines[from + 1]);
    const c = digitsOf(lines[from + 2]);
    const d = digitsOf(lines[from + 3]);
    const aBack = reverseDigits(a);
    const bBack = reverseDigits(b);
    const cBack = reverseDigits(c);
    const dBack = reverseDigits(d);
    write(index, at, a, b, c);
    write(index, at + count, d, c, b);
    write(index, at + 2 * count, aBack, bBack, cBack);
    write(index, at + 3 * count, dBack, cBack, bBack);
  };

  return {
    summary,
    version: 2,
    size: count << bits,
    maxActive: active,
    unit: true,
    extract({ board }, _player, index) {
      const { lines } = board;
      writeViews(lines, ROWS, index, 0);
      writeViews(lines, COLUMNS, index, active >> 1);
      return active;
    },
    describe(feature) {
      const cells = tuples[feature >> bits]!;
      const tiles = Array.from(cells, (_, cell) => {
        let exponent = 0;
        for (let bit = 0; bit < DIGIT_BITS; bit++)
          exponent |= ((feature >> (cells.length * bit + cell)) & 1) << bit;
        return exponent === 0 ? "." : String(2 ** exponent);
      });
      return `${cells}: ${tiles.join(" ")}`;
    },
  };
}

export const sixTuples: FeatureSet<TwentyFortyEightState> = hexTuples(SIXES);
export const fourTuples: FeatureSet<TwentyFortyEightState> = hexTuples(FOURS);
