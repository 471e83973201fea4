import type { FeatureSet } from "../game.ts";
import { COLUMNS, ROWS } from "./board.ts";
import { exponentAt, lineOf } from "./line.ts";
import type { TwentyFortyEightState } from "./state.ts";

/** The side of the board that the tuples are for. */
export const TUPLE_SIDE = 4;

/** Exponents above 15 are taken for 15, so that a cell is a hexadecimal digit. */
const DIGIT_BITS = 4;
const HIGHEST = 15;
const BEYOND = lineOf([16, 16, 16, 16]);

/** Digits of a line of four, first cell lowest. */
const TWO = 0xff;
const THREE = 0xfff;
const FIRST = 0xf;
const SECOND = 0xf0;

/** The eight symmetries of the board. */
const VIEWS = 8;

interface TupleSet {
  readonly summary: string;
  /** The cells of each tuple, hexadecimal, row by row; its code has the first cell's digit lowest. */
  readonly tuples: readonly string[];
  /** Writes the active feature of each tuple in one view of the board, given by the digits of its first three lines. */
  readonly write: (index: Int32Array, at: number, a: number, b: number, c: number) => void;
}

const SIX_SIZE = 1 << (6 * DIGIT_BITS);
const SIXES: TupleSet = {
  summary: "four 6-tuples over 8 symmetries, exponents to 15 (Wu et al. 2014)",
  tuples: ["012345", "456789", "012456", "45689a"],
  write: (index, at, a, b, c) => {
    index[at] = a | ((b & TWO) << 16);
    index[at + 1] = SIX_SIZE + (b | ((c & TWO) << 16));
    index[at + 2] = 2 * SIX_SIZE + ((a & THREE) | ((b & THREE) << 12));
    index[at + 3] = 3 * SIX_SIZE + ((b & THREE) | ((c & THREE) << 12));
  },
};

const FOUR_SIZE = 1 << (4 * DIGIT_BITS);
const FOURS: TupleSet = {
  summary: "rows, columns and 2x2 squares over 8 symmetries, exponents to 15 (Szubert and Jaskowski 2014)",
  tuples: ["0123", "4567", "0145", "1256", "569a"],
  write: (index, at, a, b, c) => {
    index[at] = a;
    index[at + 1] = FOUR_SIZE + b;
    index[at + 2] = 2 * FOUR_SIZE + ((a & TWO) | ((b & TWO) << 8));
    index[at + 3] = 3 * FOUR_SIZE + (((a >> 4) & TWO) | (((b >> 4) & TWO) << 8));
    index[at + 4] = 4 * FOUR_SIZE + (((b >> 4) & TWO) | (((c >> 4) & TWO) << 8));
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
 * N-tuples over the 4x4 board: each looks at its cells in all eight views of the board, and each time
 * what they hold is one active feature of value 1. The same for whoever asks: there is one player.
 */
function tupleFeatures({ summary, tuples, write }: TupleSet): FeatureSet<TwentyFortyEightState> {
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
    version: 1,
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
        const exponent = (feature >> (cell * DIGIT_BITS)) & HIGHEST;
        return exponent === 0 ? "." : String(2 ** exponent);
      });
      return `${cells}: ${tiles.join(" ")}`;
    },
  };
}

export const sixTuples: FeatureSet<TwentyFortyEightState> = tupleFeatures(SIXES);
export const fourTuples: FeatureSet<TwentyFortyEightState> = tupleFeatures(FOURS);
