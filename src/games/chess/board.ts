import { lowestBit } from "../../base/bits.ts";

/** Kinds of pieces; a promotion is named by its kind. */
export const PAWN = 0;
export const KNIGHT = 1;
export const BISHOP = 2;
export const ROOK = 3;
export const QUEEN = 4;
export const KING = 5;

/** All pieces of one player, in place of a kind. */
export const ALL = 6;

/** A piece is its kind, plus BLACK where it is black's. */
export const BLACK = 8;

/** The content of an empty square. */
export const EMPTY = 7;

export const KIND_NAMES = ["pawn", "knight", "bishop", "rook", "queen", "king"] as const;
export const PLAYER_NAMES = ["white", "black"] as const;

/** By piece: its letter in FEN; `.` where there is no such piece. */
export const PIECE_LETTERS = "PNBRQK..pnbrqk..";

/**
 * Sets of squares as two int32: `low` holds ranks 1 to 4, `high` ranks 5 to 8. Squares count from
 * a1 = 0, b1 = 1 to h8 = 63; square s is bit s & 31 of half s >>> 5.
 */

/** The lowest square of a set that is not empty. */
export function lowestSquare(low: number, high: number): number {
  return low !== 0 ? lowestBit(low) : 32 + lowestBit(high);
}

/** The number of squares of a set: `countBits` of both halves, with one end. */
export function countSquares(low: number, high: number): number {
  let n = low - ((low >>> 1) & 0x55555555);
  let m = high - ((high >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  m = (m & 0x33333333) + ((m >>> 2) & 0x33333333);
  n += m;
  return Math.imul((n & 0x0f0f0f0f) + ((n >>> 4) & 0x0f0f0f0f), 0x01010101) >>> 24;
}

/** True if a set has two squares or more. */
export function hasSeveral(low: number, high: number): boolean {
  return low !== 0 ? high !== 0 || (low & (low - 1)) !== 0 : (high & (high - 1)) !== 0;
}

/** `e4` for 28. */
export function squareName(square: number): string {
  return "abcdefgh"[square & 7]! + ((square >>> 3) + 1);
}

/** The inverse; -1 for a text that names no square. */
export function parseSquare(text: string): number {
  return /^[a-h][1-8]$/.test(text) ? text.charCodeAt(0) - 97 + 8 * (Number(text[1]) - 1) : -1;
}
