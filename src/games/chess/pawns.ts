import { PAWN_REACH } from "./attacks.ts";
import { PAWN } from "./pieces.ts";
import { HIGH, type Position } from "./position.ts";

/** Another pawn of the same player stands ahead on the file. */
export const DOUBLED = 1;
/** No pawn of the same player stands on a neighbouring file. */
export const ISOLATED = 2;
/**
 * Not isolated, but every such neighbour is farther on, and a pawn of the other player attacks the
 * square ahead.
 */
export const BACKWARD = 4;
/** No pawn of the other player stands ahead, on the file or a neighbouring one. */
export const PASSED = 8;
/** A pawn of the same player defends it. */
export const PROTECTED = 16;

/** A set of squares for each player and square: halves at 2 * (64 * player + square). */
function spans(inside: (files: number, ranksAhead: number) => boolean): Int32Array {
  const table = new Int32Array(2 * 2 * 64);
  for (let at = 0; at < 128; at++) {
    const square = at & 63;
    const forward = at < 64 ? 1 : -1;
    for (let other = 0; other < 64; other++) {
      const files = Math.abs((other & 7) - (square & 7));
      const ranks = ((other >>> 3) - (square >>> 3)) * forward;
      if (inside(files, ranks)) table[2 * at + (other >>> 5)]! |= 1 << other;
    }
  }
  return table;
}

const AHEAD = spans((files, ranks) => files === 0 && ranks > 0);
const BESIDE = spans((files) => files === 1);
const SUPPORT = spans((files, ranks) => files === 1 && ranks <= 0);
const GUARD = spans((files, ranks) => files <= 1 && ranks > 0);
/** The squares of the file of each square. */
const FILE = spans((files) => files === 0);

/** What is special about the pawn of a player on a square. */
export function classifyPawn({ bits }: Position, player: number, square: number): number {
  const ownLow = bits[(player << 3) | PAWN];
  const ownHigh = bits[HIGH | (player << 3) | PAWN];
  const otherLow = bits[((player ^ 1) << 3) | PAWN];
  const otherHigh = bits[HIGH | ((player ^ 1) << 3) | PAWN];
  const at = 2 * ((player << 6) | square);
  let traits = 0;
  if (((AHEAD[at] & ownLow) | (AHEAD[at + 1] & ownHigh)) !== 0) traits |= DOUBLED;
  if (((GUARD[at] & otherLow) | (GUARD[at + 1] & otherHigh)) === 0) traits |= PASSED;
  const behind = ((player ^ 1) << 7) | (2 * square);
  if (((PAWN_REACH[behind] & ownLow) | (PAWN_REACH[behind + 1] & ownHigh)) !== 0) traits |= PROTECTED;
  if (((BESIDE[at] & ownLow) | (BESIDE[at + 1] & ownHigh)) === 0) {
    traits |= ISOLATED;
  } else if (((SUPPORT[at] & ownLow) | (SUPPORT[at + 1] & ownHigh)) === 0) {
    const stop = (player << 7) | (2 * (square + (player === 0 ? 8 : -8)));
    if (((PAWN_REACH[stop] & otherLow) | (PAWN_REACH[stop + 1] & otherHigh)) !== 0) traits |= BACKWARD;
  }
  return traits;
}

/** Whether a player has a pawn on the file of a square. */
export function hasPawnOnFile({ bits }: Position, player: number, square: number): boolean {
  const pawn = (player << 3) | PAWN;
  return ((FILE[2 * square] & bits[pawn]) | (FILE[2 * square + 1] & bits[HIGH | pawn])) !== 0;
}

/** Whether a pawn of the other player attacks the square of this player, now or after advancing. */
export function canPawnsAttack({ bits }: Position, player: number, square: number): boolean {
  const pawn = ((player ^ 1) << 3) | PAWN;
  const at = 2 * ((player << 6) | square);
  return ((GUARD[at] & BESIDE[at] & bits[pawn]) | (GUARD[at + 1] & BESIDE[at + 1] & bits[HIGH | pawn])) !== 0;
}
