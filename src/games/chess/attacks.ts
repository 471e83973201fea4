/**
 * Tables of the squares that pieces reach. A set of squares takes two entries, low half first (see board.ts),
 * so that square s begins at 2 * s.
 */
import { BISHOP, KING, KNIGHT, ROOK } from "./board.ts";

/** Visits the squares from `square` (itself left out) in steps of files and ranks, up to `reach`. */
function walk(square: number, step: readonly number[], visit: (square: number) => boolean | void): void {
  const [files = 0, ranks = 0] = step;
  let file = (square & 7) + files;
  let rank = (square >>> 3) + ranks;
  while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
    if (visit(8 * rank + file) === true) return;
    file += files;
    rank += ranks;
  }
}

function add(table: Int32Array, at: number, square: number): void {
  table[at + (square >>> 5)]! |= 1 << square;
}

/** The table of a piece that goes one step, or if `farther` any number of steps, in each of these directions. */
function reachTable(steps: readonly (readonly number[])[], farther: boolean): Int32Array {
  const table = new Int32Array(2 * 64);
  for (let square = 0; square < 64; square++) {
    for (const step of steps) {
      walk(square, step, (target) => {
        add(table, 2 * square, target);
        return !farther;
      });
    }
  }
  return table;
}

/** The four kinds of lines, each by one of its two directions. */
const LINES = [
  [1, 0],
  [0, 1],
  [1, 1],
  [1, -1],
] as const;
const opposite = ([files, ranks]: readonly [number, number]) => [0 - files, 0 - ranks] as const;
const STRAIGHT = [LINES[0], LINES[1], opposite(LINES[0]), opposite(LINES[1])];
const OBLIQUE = [LINES[2], LINES[3], opposite(LINES[2]), opposite(LINES[3])];
const KNIGHT_STEPS = [1, -1].flatMap((a) =>
  [2, -2].flatMap((b) => [
    [a, b],
    [b, a],
  ]),
);

export const KNIGHT_REACH = reachTable(KNIGHT_STEPS, false);
export const KING_REACH = reachTable([...STRAIGHT, ...OBLIQUE], false);
/** The squares that a white pawn attacks; from entry 128 on, those that a black pawn attacks. */
export const PAWN_REACH = Int32Array.from(
  [1, -1].flatMap((ahead) => {
    const steps = [-1, 1].map((files) => [files, ahead]);
    return Array.from(reachTable(steps, false));
  }),
);
/** The squares that rooks and bishops reach on an empty board. */
export const ROOK_RAYS = reachTable(STRAIGHT, true);
export const BISHOP_RAYS = reachTable(OBLIQUE, true);
/**
 * The squares of the first step of each kind but the pawn, at 2 * (64 * kind + square). A piece that is not pinned can
 * move if one of them is free.
 */
export const FIRST_STEPS = Int32Array.from([
  ...new Int32Array(2 * 64),
  ...KNIGHT_REACH,
  ...reachTable(OBLIQUE, false),
  ...reachTable(STRAIGHT, false),
  ...KING_REACH,
  ...KING_REACH,
]);

/** For two squares a and b on one line, at 2 * (64 * a + b): the squares between; empty otherwise. */
export const BETWEEN = new Int32Array(2 * 64 * 64);
/** For the same two squares: the whole line through both, up to the edges. */
export const LINE = new Int32Array(2 * 64 * 64);
for (let square = 0; square < 64; square++) {
  for (const line of LINES) {
    const whole = new Int32Array(2);
    add(whole, 0, square);
    for (const step of [line, opposite(line)]) walk(square, step, (target) => add(whole, 0, target));
    for (const step of [line, opposite(line)]) {
      const between = new Int32Array(2);
      walk(square, step, (target) => {
        BETWEEN.set(between, 2 * (64 * square + target));
        LINE.set(whole, 2 * (64 * square + target));
        add(between, 0, target);
      });
    }
  }
}

/**
 * The squares that a slider reaches along one line, up to and including the first piece in its way. On a
 * line of kind k through a square, at most six squares can stop a slider before the edge. Six bits say
 * which of them are occupied (by file; on a file, by rank), and select the entry at 2 * (64 * (64 * k +
 * square) + bits). One multiplication gathers the bits; chess programmers call this kindergarten
 * bitboards.
 */
const SLIDES = new Int32Array(2 * LINES.length * 64 * 64);
/** The squares of the two oblique lines through a square, without files a and h. */
const INNER_DIAGONAL = new Int32Array(2 * 64);
const INNER_ANTI_DIAGONAL = new Int32Array(2 * 64);

LINES.forEach((line, kind) => {
  const coordinate = (square: number) => (kind === 1 ? square >>> 3 : square & 7);
  const isInner = (square: number) => coordinate(square) > 0 && coordinate(square) < 7;
  const inner = kind === 2 ? INNER_DIAGONAL : INNER_ANTI_DIAGONAL;
  for (let square = 0; square < 64; square++) {
    for (const step of [line, opposite(line)]) {
      const targets: number[] = [];
      walk(square, step, (target) => void targets.push(target));
      if (kind >= 2) for (const target of targets.filter(isInner)) add(inner, 2 * square, target);
      for (let occupied = 0; occupied < 64; occupied++) {
        const at = 2 * (64 * (64 * kind + square) + occupied);
        for (const target of targets) {
          add(SLIDES, at, target);
          if (isInner(target) && ((occupied >>> (coordinate(target) - 1)) & 1) === 1) break;
        }
      }
    }
  }
});

/** The index in SLIDES of the reach along the rank; `low` and `high` are the occupied squares. */
function alongRank(square: number, low: number, high: number): number {
  const occupied = ((square < 32 ? low : high) >>> ((square & 24) + 1)) & 63;
  return 2 * ((square << 6) | occupied);
}

/** The same along the file: ranks 2 to 4 lie in bits 8, 16, 24 of the low half, 5 to 7 in 0, 8, 16 of the high. */
function alongFile(square: number, low: number, high: number): number {
  const file = square & 7;
  const gathered = (((low >>> file) & 0x01010100) >>> 8) | (((high >>> file) & 0x00010101) << 3);
  return 2 * (((64 + square) << 6) | ((Math.imul(gathered, 0x4081) >>> 14) & 63));
}

/** The same along the diagonal that runs as a1-h8 does. */
function alongDiagonal(square: number, low: number, high: number): number {
  const gathered = (low & INNER_DIAGONAL[2 * square]) | (high & INNER_DIAGONAL[2 * square + 1]);
  return 2 * (((128 + square) << 6) | (Math.imul(gathered, 0x02020202) >>> 26));
}

/** The same along the diagonal that runs as a8-h1 does. */
function alongAntiDiagonal(square: number, low: number, high: number): number {
  const gathered = (low & INNER_ANTI_DIAGONAL[2 * square]) | (high & INNER_ANTI_DIAGONAL[2 * square + 1]);
  return 2 * (((192 + square) << 6) | (Math.imul(gathered, 0x02020202) >>> 26));
}

/** The result of the last `findReach`, low half and high half. */
export const reached = new Int32Array(2);

/**
 * Finds the squares that a piece other than a pawn attacks from `square`, squares of its own pieces included. `low` and
 * `high` are the occupied squares. The result is in `reached` until the next call.
 */
export function findReach(kind: number, square: number, low: number, high: number): void {
  let toLow = 0;
  let toHigh = 0;
  if (kind === KNIGHT || kind === KING) {
    const at = 2 * ((kind << 6) | square);
    toLow = FIRST_STEPS[at];
    toHigh = FIRST_STEPS[at + 1];
  } else {
    if (kind !== BISHOP) {
      const rank = alongRank(square, low, high);
      const file = alongFile(square, low, high);
      toLow = SLIDES[rank] | SLIDES[file];
      toHigh = SLIDES[rank + 1] | SLIDES[file + 1];
    }
    if (kind !== ROOK) {
      const diagonal = alongDiagonal(square, low, high);
      const anti = alongAntiDiagonal(square, low, high);
      toLow |= SLIDES[diagonal] | SLIDES[anti];
      toHigh |= SLIDES[diagonal + 1] | SLIDES[anti + 1];
    }
  }
  reached[0] = toLow;
  reached[1] = toHigh;
}
