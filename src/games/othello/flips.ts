import { STRIDE, type SquareSet } from "../square-set.ts";

const LINE = 8;

/** At position * 64 + the other's discs on the six inner cells of a line: the cells that would enclose a run from `position`. */
const ENCLOSING = new Uint8Array(LINE * 64);
/** At position * 256 + the enclosing cells that one holds: the cells between them and `position`. */
const BETWEEN = new Uint8Array(LINE * 256);

for (let position = 0; position < LINE; position++) {
  for (let inner = 0; inner < 64; inner++) {
    const others = inner << 1;
    let cells = 0;
    for (const direction of [-1, 1]) {
      let cell = position + direction;
      while (((others >> cell) & 1) === 1) cell += direction;
      if (cell !== position + direction && cell >= 0 && cell < LINE) cells |= 1 << cell;
    }
    ENCLOSING[position * 64 + inner] = cells;
  }
  for (let held = 0; held < 256; held++) {
    let cells = 0;
    for (const direction of [-1, 1]) {
      let end = position + direction;
      while (end >= 0 && end < LINE && ((held >> end) & 1) === 0) end += direction;
      if (end < 0 || end >= LINE) continue;
      for (let cell = position + direction; cell !== end; cell += direction) cells |= 1 << cell;
    }
    BETWEEN[position * 256 + held] = cells;
  }
}

/** By square: the diagonal to the lower right and that to the lower left. */
const DIAGONAL_LOW = new Int32Array(64);
const DIAGONAL_HIGH = new Int32Array(64);
const ANTI_DIAGONAL_LOW = new Int32Array(64);
const ANTI_DIAGONAL_HIGH = new Int32Array(64);

for (let square = 0; square < 64; square++) {
  const row = square >> 3;
  const column = square & 7;
  for (let other = 0; other < 64; other++) {
    const bit = 1 << (other & 31);
    const falls = (other >> 3) - row;
    const goes = (other & 7) - column;
    if (falls === goes) (other < 32 ? DIAGONAL_LOW : DIAGONAL_HIGH)[square] |= bit;
    if (falls === 0 - goes) (other < 32 ? ANTI_DIAGONAL_LOW : ANTI_DIAGONAL_HIGH)[square] |= bit;
  }
}

/** Four cells of column a, one in each row, and all four bits of a row index put there. */
const COLUMN = 0x01010101;
const SPREAD = Int32Array.from(
  { length: 16 },
  (_, rows) => (rows & 1) | ((rows & 2) << 7) | ((rows & 4) << 14) | ((rows & 8) << 21),
);
/** Multiplying column a by this brings its four cells together in the upper four bits. */
const GATHER_COLUMN = 0x10204080;
/** Multiplying a set with one cell a column by this brings them together in the upper eight bits. */
const GATHER_ROWS = 0x01010101;

/** The discs turned along one line of eight cells when `own` plays at `position`. */
function turned(position: number, own: number, other: number): number {
  return BETWEEN[(position << 8) | (ENCLOSING[(position << 6) | ((other >> 1) & 63)] & own)];
}

function readColumn(set: SquareSet, column: number): number {
  return (
    (Math.imul((set.low >>> column) & COLUMN, GATHER_COLUMN) >>> 28) |
    ((Math.imul((set.high >>> column) & COLUMN, GATHER_COLUMN) >>> 28) << 4)
  );
}

function readDiagonal(set: SquareSet, low: number, high: number): number {
  return (Math.imul(set.low & low, GATHER_ROWS) | Math.imul(set.high & high, GATHER_ROWS)) >>> 24;
}

/** Finds `other`'s discs that turn when `own` plays on `square`: each line through it is brought into eight bits. */
export function findFlips(square: number, own: SquareSet, other: SquareSet, flips: SquareSet): void {
  const column = square & (STRIDE - 1);
  const row = square >> 3;

  const down = turned(row, readColumn(own, column), readColumn(other, column));
  let low = SPREAD[down & 15] << column;
  let high = SPREAD[down >> 4] << column;

  const shift = square & 24;
  const across = turned(
    column,
    ((square < 32 ? own.low : own.high) >>> shift) & 255,
    ((square < 32 ? other.low : other.high) >>> shift) & 255,
  );
  if (square < 32) low |= across << shift;
  else high |= across << shift;

  let maskLow = DIAGONAL_LOW[square];
  let maskHigh = DIAGONAL_HIGH[square];
  let line = Math.imul(
    turned(column, readDiagonal(own, maskLow, maskHigh), readDiagonal(other, maskLow, maskHigh)),
    GATHER_ROWS,
  );
  low |= line & maskLow;
  high |= line & maskHigh;

  maskLow = ANTI_DIAGONAL_LOW[square];
  maskHigh = ANTI_DIAGONAL_HIGH[square];
  line = Math.imul(
    turned(column, readDiagonal(own, maskLow, maskHigh), readDiagonal(other, maskLow, maskHigh)),
    GATHER_ROWS,
  );
  flips.low = low | (line & maskLow);
  flips.high = high | (line & maskHigh);
}
