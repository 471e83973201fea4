import { lowestBit } from "../../base/hashing.ts";
import { AXIS_LINES, DIRECTIONS, type Star } from "./star.ts";

/** Words of a set of cells: cell c is bit c & 31 of word c >> 5. */
export const SET_WORDS = 4;

/** A move is `from << FROM_SHIFT | to`. */
export const FROM_SHIFT = 7;
export const TO_MASK = (1 << FROM_SHIFT) - 1;

/** The men on a star. */
export interface StarBoard {
  readonly star: Star;
  /** The cells of player p's men: words SET_WORDS * p on. */
  readonly men: Int32Array;
  /** `Star.emptyLines` with all men set. */
  readonly lines: Int32Array;
}

/** Puts a man on a cell in `lines`, or takes it away. */
export function toggleLines({ star, lines }: StarBoard, cell: number): void {
  const place = star.place[cell];
  const row = place & 31;
  const column = (place >> 5) & 31;
  lines[row] ^= 4 << column;
  lines[AXIS_LINES + column] ^= 4 << row;
  lines[2 * AXIS_LINES + (place >> 10)] ^= 4 << row;
}

/** A set of ways has a bit for each direction of a jump, and STEP_SHIFT above, for each direction of a step. */
const STEP_SHIFT = DIRECTIONS;
const JUMPS = (1 << DIRECTIONS) - 1;

/** By the taken ones of five cells in a line, as bits: the ways along the line from the middle cell. */
const ROW_WAYS = waysAlong(2, 3);
const COLUMN_WAYS = waysAlong(0, 5);
const DIAGONAL_WAYS = waysAlong(1, 4);

function waysAlong(back: number, ahead: number): Int32Array {
  const way = (near: number, far: number, direction: number) =>
    near === 0 ? 1 << (direction + STEP_SHIFT) : far === 0 ? 1 << direction : 0;
  return Int32Array.from(
    { length: 32 },
    (_, taken) => way(taken & 2, taken & 1, back) | way(taken & 8, taken & 16, ahead),
  );
}

function waysFrom({ star, lines }: StarBoard, cell: number): number {
  const place = star.place[cell];
  const row = place & 31;
  const column = (place >> 5) & 31;
  return (
    ROW_WAYS[(lines[row] >>> column) & 31] |
    COLUMN_WAYS[(lines[AXIS_LINES + column] >>> row) & 31] |
    DIAGONAL_WAYS[(lines[2 * AXIS_LINES + (place >> 10)] >>> row) & 31]
  );
}

/** The set of cells that the moves of one man lead to. */
const reached = new Int32Array(SET_WORDS);
/** Cells that jumps have reached, and whose own jumps are still to be found. */
const landings = new Uint8Array(1 << FROM_SHIFT);

/**
 * Adds the ends of all chains of jumps to `reached`; `ways` has the first jumps. The man stays on the
 * board meanwhile. That does no harm: jumps keep the parities of row and column, so the man never comes
 * next to its own cell. Nor can it come back to its cell, which is no move.
 */
function findLandings(board: StarBoard, from: number, ways: number): void {
  const { far } = board.star;
  let first = DIRECTIONS * from;
  let jumps = ways & JUMPS;
  let waiting = 0;
  for (;;) {
    for (; jumps !== 0; jumps &= jumps - 1) {
      const to = far[first + lowestBit(jumps)];
      const bit = 1 << to;
      if ((reached[to >> 5] & bit) !== 0) continue;
      reached[to >> 5] |= bit;
      landings[waiting++] = to;
    }
    if (waiting === 0) return;
    const cell = landings[--waiting];
    first = DIRECTIONS * cell;
    jumps = waysFrom(board, cell) & JUMPS;
  }
}

/**
 * Writes the moves of the man on `from` to `out`, ascending, from index `at` on; returns the index after
 * the last. A man steps to an empty neighbour, or jumps over any man next to it to the empty cell behind,
 * and may jump on from there. Chains of jumps with the same end are one move.
 */
function writeMovesOf(board: StarBoard, from: number, out: Int32Array, at: number): number {
  const { near } = board.star;
  const base = from << FROM_SHIFT;
  const first = DIRECTIONS * from;
  const ways = waysFrom(board, from);
  let end = at;
  if ((ways & JUMPS) === 0) {
    for (let steps = ways >> STEP_SHIFT; steps !== 0; steps &= steps - 1)
      out[end++] = base | near[first + lowestBit(steps)];
    return end;
  }
  for (let steps = ways >> STEP_SHIFT; steps !== 0; steps &= steps - 1) {
    const to = near[first + lowestBit(steps)];
    reached[to >> 5] |= 1 << to;
  }
  findLandings(board, from, ways);
  for (let word = 0; word < SET_WORDS; word++) {
    const part = base | (word << 5);
    for (let left = reached[word]; left !== 0; left &= left - 1) out[end++] = part | lowestBit(left);
    reached[word] = 0;
  }
  return end;
}

/** Writes the moves of all men of a player; see `writeMovesOf`. */
export function writeMoves(board: StarBoard, player: number, out: Int32Array, at: number): number {
  const { men } = board;
  let end = at;
  for (let word = 0; word < SET_WORDS; word++) {
    for (let rest = men[SET_WORDS * player + word]; rest !== 0; rest &= rest - 1)
      end = writeMovesOf(board, (word << 5) | lowestBit(rest), out, end);
  }
  return end;
}
