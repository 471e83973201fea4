/**
 * The 32 dark squares, numbered 1 to 32 from Black's side, row by row; bit s of a board word is
 * square s + 1. Black's men move down (to higher numbers), White's up.
 *
 *        1   2   3   4
 *      5   6   7   8
 *        9  10  11  12
 *     13  14  15  16
 *       17  18  19  20
 *     21  22  23  24
 *       25  26  27  28
 *     29  30  31  32
 */
export const SQUARES = 32;

/** Directions, in the ascending order of the squares they lead to: up left, up right, down left, down right. */
export const DIRECTIONS = 4;

export const BLACK_HOME = 0x00000fff;
export const WHITE_HOME = 0xfff00000 | 0;
/** The rows where Black's men (29-32) and White's men (1-4) become kings. */
export const BLACK_KING_ROW = 0xf0000000 | 0;
export const WHITE_KING_ROW = 0x0000000f;

/** Rows 1, 3, 5 and 7, which are shifted to the right, with and without their last square. */
const RIGHT_ROWS = 0x0f0f0f0f;
const RIGHT_ROWS_INNER = 0x07070707;
/** Rows 2, 4, 6 and 8, with and without their first square. */
const LEFT_ROWS = 0xf0f0f0f0 | 0;
const LEFT_ROWS_INNER = 0xe0e0e0e0 | 0;

/** A set of squares moved one step up and to the left; squares that leave the board are lost. */
export function upLeft(set: number): number {
  return ((set & RIGHT_ROWS) >>> 4) | ((set & LEFT_ROWS_INNER) >>> 5);
}

export function upRight(set: number): number {
  return ((set & RIGHT_ROWS_INNER) >>> 3) | ((set & LEFT_ROWS) >>> 4);
}

export function downLeft(set: number): number {
  return ((set & RIGHT_ROWS) << 4) | ((set & LEFT_ROWS_INNER) << 3);
}

export function downRight(set: number): number {
  return ((set & RIGHT_ROWS_INNER) << 5) | ((set & LEFT_ROWS) << 4);
}

/** The pieces that can jump over one of `others`; `up` and `down` hold those that may move that way. */
export function jumping(up: number, down: number, others: number, empty: number): number {
  return (
    (up & (downRight(others & downRight(empty)) | downLeft(others & downLeft(empty)))) |
    (down & (upRight(others & upRight(empty)) | upLeft(others & upLeft(empty))))
  );
}

/** By direction: the function that moves a set of squares. */
export const SHIFTS = [upLeft, upRight, downLeft, downRight] as const;

/** At DIRECTIONS * square + direction: the next square in that direction, or -1. */
export const STEP = Int32Array.from({ length: SQUARES * DIRECTIONS }, (_, at) => {
  const reached = SHIFTS[at % DIRECTIONS]!(1 << Math.floor(at / DIRECTIONS));
  return reached === 0 ? -1 : 31 - Math.clz32(reached);
});

/** At DIRECTIONS * square + direction: the square after the next, where a jump ends, or -1. */
export const JUMP = STEP.map((over, at) => (over < 0 ? -1 : STEP[over * DIRECTIONS + (at % DIRECTIONS)]));

/** JUMP as a set of one square; empty where there is no jump. */
export const LANDING = JUMP.map((square) => (square < 0 ? 0 : 1 << square));
/** The square that a jump captures on, as a set; empty where there is no jump. */
export const JUMPED = STEP.map((over, at) => (JUMP[at] < 0 ? 0 : 1 << over));

/**
 * An action is a whole move: `from << 22 | path << 4 | jumps`. The path has two bits for the direction of
 * each step; the first step is highest (bits 20 and 21). A plain move has one step and no jumps. A
 * capture has as many steps as jumps, at most nine, because there are at most nine squares that a piece
 * can jump over on its way.
 */
export const FROM_SHIFT = 22;
export const FIRST_STEP_SHIFT = 20;
export const JUMPS_MASK = 15;

export function jumpsOf(action: number): number {
  return action & JUMPS_MASK;
}

/** The squares of a move, 0 to 31: its start and every square it lands on. */
export function squaresOf(action: number): number[] {
  const jumps = jumpsOf(action);
  const table = jumps === 0 ? STEP : JUMP;
  const squares = [action >>> FROM_SHIFT];
  for (let step = 0; step < Math.max(1, jumps); step++) {
    const direction = (action >>> (FIRST_STEP_SHIFT - 2 * step)) & 3;
    squares.push(table[squares[step]! * DIRECTIONS + direction]);
  }
  return squares;
}
