import type { Heuristic, FeatureSet } from "../contract/facets.ts";
import { COLUMNS, ROWS, type BoardSize } from "./board.ts";
import { lineValues } from "./small-board.ts";
import { CELL_BITS, exponentAt, highestScore, highestExponent, lineOf } from "./line.ts";
import type { TwentyFortyEightState } from "./state.ts";

/** The points still to come from a board whose lines are worth nothing. */
const PROSPECT = 22_000;
/** Points for each empty cell of a line, and for each pair of like tiles side by side. */
const EMPTY_WORTH = 140;
const PAIR_WORTH = 60;
/** Points for each step against the line's order, between exponents raised to the power. */
const DISORDER_COST = 3;
const DISORDER_POWER = 3.6;
/** The cost of each tile: its exponent raised to the power. So two tiles cost more than one of their sum. */
const TILE_COST = 0.15;
const TILE_POWER = 3.8;
/** Below about this many points the prospect is bent upward, so that it stays above 0. */
const BEND = 2000;

/**
 * The score so far and the points that the board promises. Every row and column adds to the promise by its empty cells,
 * equal neighbours, order and tiles. The terms are those of the first strong program (Xiao 2014). Hill-climbing on the mean
 * score of expectimax at depth 2 gave the weights.
 */
export function order(shape: BoardSize): Heuristic<TwentyFortyEightState> {
  const { rows, columns } = shape;
  const most = highestScore(rows * columns);
  const { ofRow, ofColumn } = lineValues(shape, worthOf);
  const counts = new Int32Array(EXPONENTS);
  return {
    summary: "empty cells, like neighbours, order of lines and few tiles (Xiao 2014), in points to come",
    evaluate(state) {
      const { lines } = state.board;
      let promise = PROSPECT;
      for (let row = 0; row < rows; row++) promise += ofRow.at(lines[ROWS + row]);
      for (let column = 0; column < columns; column++) promise += ofColumn.at(lines[COLUMNS + column]);
      const toCome = bend(promise);
      const score = state.returns();
      const room = most - score;
      return score + (toCome * room) / (toCome + room);
    },
    /**
     * At best, every tile that may meet an equal one merges, the others stay apart, and all lines are in order. `made` is
     * the most tiles that merges can make of the exponent before.
     */
    atMost(state, _, plies) {
      const { lines } = state.board;
      counts.fill(0);
      for (let row = 0; row < rows; row++)
        for (let column = 0; column < columns; column++) counts[exponentAt(lines[ROWS + row], column)]++;
      let most = state.returns();
      let promise = PROSPECT;
      let alone = 0;
      let made = 0;
      for (let exponent = 1; exponent < EXPONENTS - 1; exponent++) {
        const tiles = counts[exponent] + made + (exponent <= 2 ? plies : 0);
        made = tiles >> 1;
        most += made * 2 ** (exponent + 1);
        if (made > 0) continue;
        alone += counts[exponent];
        promise -= 2 * TILE_COST * TILE_POWERS[exponent] * counts[exponent];
      }
      // All other cells are worth most when empty: more than as a half of four pairs.
      return most + bend(promise + 2 * EMPTY_WORTH * (rows * columns - alone));
    },
  };
}

/** The promise, bent upward where it is low: always above 0. */
function bend(promise: number): number {
  return (promise + Math.sqrt(promise * promise + BEND * BEND)) / 2;
}

const EXPONENTS = 1 << CELL_BITS;
const DISORDER_POWERS = powers(DISORDER_POWER);
const TILE_POWERS = powers(TILE_POWER);

function powers(power: number): Float64Array {
  return Float64Array.from({ length: EXPONENTS }, (_, exponent) => exponent ** power);
}

/** The points that a line promises. */
function worthOf(line: number, length: number): number {
  let worth = 0;
  let rising = 0;
  let falling = 0;
  let before = -1;
  for (let cell = 0; cell < length; cell++) {
    const exponent = exponentAt(line, cell);
    worth += exponent === 0 ? EMPTY_WORTH : 0 - TILE_COST * TILE_POWERS[exponent];
    if (before >= 0) {
      const step = DISORDER_POWERS[exponent] - DISORDER_POWERS[before];
      if (step > 0) rising += step;
      else falling -= step;
      if (exponent !== 0 && exponent === before) worth += PAIR_WORTH;
    }
    before = exponent;
  }
  return worth - DISORDER_COST * Math.min(rising, falling);
}

const NAMES = [
  "empty cells, part of all",
  "merges on offer, part of the cells",
  "steps against the order of their lines, in exponents, mean of the cells",
  "steps between neighbours, in exponents, mean of the cells",
  "the highest tile is in a corner",
] as const;

/** The places of the measures of a line in one int32. */
const MERGES_SHIFT = 3;
const HIGHEST_SHIFT = 6;
const DISORDER_SHIFT = 11;
const ROUGHNESS_SHIFT = 19;

/**
 * `simple`: measures of the room and the order of a board, then one feature for each possible highest tile. Neighbours are
 * two tiles of a line with nothing but empty cells between them. A line is in order if it only rises or only falls.
 */
export function simpleFeatures(shape: BoardSize): FeatureSet<TwentyFortyEightState> {
  const { rows, columns } = shape;
  const cells = rows * columns;
  const { ofRow, ofColumn } = lineValues(shape, measure);

  const cornersHold = (lines: Int32Array, exponent: number): boolean => {
    const top = lines[ROWS];
    const bottom = lines[ROWS + rows - 1];
    return (
      exponentAt(top, 0) === exponent ||
      exponentAt(top, columns - 1) === exponent ||
      exponentAt(bottom, 0) === exponent ||
      exponentAt(bottom, columns - 1) === exponent
    );
  };

  return {
    summary: "empty cells, merges, monotonicity, smoothness, the highest tile and whether it is in a corner",
    version: 1,
    size: NAMES.length + highestExponent(cells),
    maxActive: NAMES.length + 1,
    extract({ board }, _player, index, value) {
      const { lines } = board;
      let tiles = 0;
      let merges = 0;
      let disorder = 0;
      let roughness = 0;
      let highest = 0;
      for (let at = 0; at < rows + columns; at++) {
        const isRow = at < rows;
        const measures = isRow ? ofRow.at(lines[ROWS + at]) : ofColumn.at(lines[COLUMNS + at - rows]);
        merges += (measures >> MERGES_SHIFT) & 7;
        disorder += (measures >> DISORDER_SHIFT) & 255;
        roughness += measures >> ROUGHNESS_SHIFT;
        if (isRow) {
          tiles += measures & 7;
          highest = Math.max(highest, (measures >> HIGHEST_SHIFT) & 31);
        }
      }
      let end = 0;
      if (tiles < cells) {
        index[end] = 0;
        value[end++] = (cells - tiles) / cells;
      }
      if (merges > 0) {
        index[end] = 1;
        value[end++] = merges / cells;
      }
      if (disorder > 0) {
        index[end] = 2;
        value[end++] = disorder / cells;
      }
      if (roughness > 0) {
        index[end] = 3;
        value[end++] = roughness / cells;
      }
      if (highest === 0) return end;
      if (cornersHold(lines, highest)) {
        index[end] = 4;
        value[end++] = 1;
      }
      index[end] = NAMES.length + highest - 1;
      value[end++] = 1;
      return end;
    },
    describe: (feature) => NAMES[feature] ?? `highest tile ${2 ** (feature - NAMES.length + 1)}`,
  };
}

/** Tiles, merges on offer, highest exponent, steps against the order and steps of a line. */
function measure(line: number, length: number): number {
  let tiles = 0;
  let merges = 0;
  let highest = 0;
  let rising = 0;
  let falling = 0;
  let before = 0;
  let merged = false;
  for (let cell = 0; cell < length; cell++) {
    const exponent = exponentAt(line, cell);
    if (exponent === 0) continue;
    tiles++;
    highest = Math.max(highest, exponent);
    merged = exponent === before && !merged;
    if (merged) merges++;
    if (before !== 0 && exponent > before) rising += exponent - before;
    else if (before !== 0) falling += before - exponent;
    before = exponent;
  }
  return (
    tiles |
    (merges << MERGES_SHIFT) |
    (highest << HIGHEST_SHIFT) |
    (Math.min(rising, falling) << DISORDER_SHIFT) |
    ((rising + falling) << ROUGHNESS_SHIFT)
  );
}

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
  /** Writes the active feature of each tuple in one view of the board, given its lines; see `spread`. */
  readonly write: (index: Int32Array, at: number, a: number, b: number, c: number, d: number) => void;
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

const EIGHT_TUPLES = ["012456", "12569d", "012345", "01567a", "01259a", "0159de", "01589d", "01246a"];
/** The runs of cells side by side that the tuples are made of. */
const RUNS = EIGHT_TUPLES.flatMap(runsOf);
const EIGHTS: TupleSet = {
  summary: "eight 6-tuples over 8 symmetries, exponents to 15 (Matsuzaki 2016)",
  tuples: EIGHT_TUPLES,
  write: (index, at, a, b, c, d) => {
    spreads[0] = SIX_SPREAD[a];
    spreads[1] = SIX_SPREAD[b];
    spreads[2] = SIX_SPREAD[c];
    spreads[3] = SIX_SPREAD[d];
    for (let tuple = 0; tuple < EIGHT_TUPLES.length; tuple++) index[at + tuple] = tuple * SIX_SIZE;
    for (let run = 0; run < RUNS.length; run++) {
      const { tuple, line, mask, left, right } = RUNS[run];
      index[at + tuple] += ((spreads[line] & mask) << left) >> right;
    }
  },
};
/** By line of the view at hand: its digits, spread. */
const spreads = new Int32Array(TUPLE_SIDE);

interface Run {
  readonly tuple: number;
  readonly line: number;
  /** The bits of the run in the line's spread digits, and their way to the run's place in the tuple. */
  readonly mask: number;
  readonly left: number;
  readonly right: number;
}

function runsOf(cells: string, tuple: number): Run[] {
  return Array.from(cells, (cell, place) => {
    const at = parseInt(cell, 16);
    const column = at % TUPLE_SIDE;
    const mask = SIX_SPREAD[FIRST << (DIGIT_BITS * column)];
    const [left, right] = [Math.max(0, place - column), Math.max(0, column - place)];
    return { tuple, line: Math.floor(at / TUPLE_SIDE), mask, left, right };
  }).reduce<Run[]>((runs, cell) => {
    const last = runs.at(-1);
    const goesOn = last?.line === cell.line && last.left === cell.left && last.right === cell.right;
    return goesOn ? [...runs.slice(0, -1), { ...last, mask: last.mask | cell.mask }] : [...runs, cell];
  }, []);
}

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
    write(index, at, a, b, c, d);
    write(index, at + count, d, c, b, a);
    write(index, at + 2 * count, aBack, bBack, cBack, dBack);
    write(index, at + 3 * count, dBack, cBack, bBack, aBack);
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
export const eightTuples: FeatureSet<TwentyFortyEightState> = hexTuples(EIGHTS);
export const fourTuples: FeatureSet<TwentyFortyEightState> = hexTuples(FOURS);
