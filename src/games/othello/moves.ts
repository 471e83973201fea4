import type { SquareSet } from "../square-set.ts";

/** Columns b to g: a run of discs along a row or a diagonal goes through these only. */
const INNER = 0x7e7e7e7e;

/**
 * Finds the squares beyond which runs of `other`'s discs from `own`'s end, as far as they are in
 * `board` and hold no disc: where `own` can play. All runs of a direction grow at once, by doubling.
 */
export function findMoves(own: SquareSet, other: SquareSet, board: SquareSet, moves: SquareSet): void {
  const innerLow = other.low & INNER;
  const innerHigh = other.high & INNER;
  moves.low = alongRow(own.low, innerLow);
  moves.high = alongRow(own.high, innerHigh);
  acrossBy7(own, innerLow, innerHigh, moves);
  acrossBy8(own, other.low, other.high, moves);
  acrossBy9(own, innerLow, innerHigh, moves);
  moves.low &= board.low & ~(own.low | other.low);
  moves.high &= board.high & ~(own.high | other.high);
}

/** The ends of runs to the right and to the left in four rows. */
function alongRow(own: number, inner: number): number {
  let right = inner & (own << 1);
  let left = inner & (own >>> 1);
  right |= inner & (right << 1);
  left |= inner & (left >>> 1);
  const rightPairs = inner & (inner << 1);
  const leftPairs = inner & (inner >>> 1);
  right |= rightPairs & (right << 2);
  left |= leftPairs & (left >>> 2);
  right |= rightPairs & (right << 2);
  left |= leftPairs & (left >>> 2);
  return (right << 1) | (left >>> 1);
}

/*
 * The ends of runs whose squares are 7, 8 or 9 apart, downward and upward. Written out for each of the
 * three, because shifts by constants take a third less time (findMoves: 47 ns against 70 on one core).
 */

function acrossBy7(own: SquareSet, low: number, high: number, moves: SquareSet): void {
  let downLow = low & (own.low << 7);
  let downHigh = high & ((own.high << 7) | (own.low >>> 25));
  downHigh |= high & ((downHigh << 7) | (downLow >>> 25));
  downLow |= low & (downLow << 7);
  let pairsLow = low & (low << 7);
  let pairsHigh = high & ((high << 7) | (low >>> 25));
  downHigh |= pairsHigh & ((downHigh << 14) | (downLow >>> 18));
  downLow |= pairsLow & (downLow << 14);
  downHigh |= pairsHigh & ((downHigh << 14) | (downLow >>> 18));
  downLow |= pairsLow & (downLow << 14);
  moves.high |= (downHigh << 7) | (downLow >>> 25);
  moves.low |= downLow << 7;

  let upHigh = high & (own.high >>> 7);
  let upLow = low & ((own.low >>> 7) | (own.high << 25));
  upLow |= low & ((upLow >>> 7) | (upHigh << 25));
  upHigh |= high & (upHigh >>> 7);
  pairsHigh = high & (high >>> 7);
  pairsLow = low & ((low >>> 7) | (high << 25));
  upLow |= pairsLow & ((upLow >>> 14) | (upHigh << 18));
  upHigh |= pairsHigh & (upHigh >>> 14);
  upLow |= pairsLow & ((upLow >>> 14) | (upHigh << 18));
  upHigh |= pairsHigh & (upHigh >>> 14);
  moves.low |= (upLow >>> 7) | (upHigh << 25);
  moves.high |= upHigh >>> 7;
}

function acrossBy8(own: SquareSet, low: number, high: number, moves: SquareSet): void {
  let downLow = low & (own.low << 8);
  let downHigh = high & ((own.high << 8) | (own.low >>> 24));
  downHigh |= high & ((downHigh << 8) | (downLow >>> 24));
  downLow |= low & (downLow << 8);
  let pairsLow = low & (low << 8);
  let pairsHigh = high & ((high << 8) | (low >>> 24));
  downHigh |= pairsHigh & ((downHigh << 16) | (downLow >>> 16));
  downLow |= pairsLow & (downLow << 16);
  downHigh |= pairsHigh & ((downHigh << 16) | (downLow >>> 16));
  downLow |= pairsLow & (downLow << 16);
  moves.high |= (downHigh << 8) | (downLow >>> 24);
  moves.low |= downLow << 8;

  let upHigh = high & (own.high >>> 8);
  let upLow = low & ((own.low >>> 8) | (own.high << 24));
  upLow |= low & ((upLow >>> 8) | (upHigh << 24));
  upHigh |= high & (upHigh >>> 8);
  pairsHigh = high & (high >>> 8);
  pairsLow = low & ((low >>> 8) | (high << 24));
  upLow |= pairsLow & ((upLow >>> 16) | (upHigh << 16));
  upHigh |= pairsHigh & (upHigh >>> 16);
  upLow |= pairsLow & ((upLow >>> 16) | (upHigh << 16));
  upHigh |= pairsHigh & (upHigh >>> 16);
  moves.low |= (upLow >>> 8) | (upHigh << 24);
  moves.high |= upHigh >>> 8;
}

function acrossBy9(own: SquareSet, low: number, high: number, moves: SquareSet): void {
  let downLow = low & (own.low << 9);
  let downHigh = high & ((own.high << 9) | (own.low >>> 23));
  downHigh |= high & ((downHigh << 9) | (downLow >>> 23));
  downLow |= low & (downLow << 9);
  let pairsLow = low & (low << 9);
  let pairsHigh = high & ((high << 9) | (low >>> 23));
  downHigh |= pairsHigh & ((downHigh << 18) | (downLow >>> 14));
  downLow |= pairsLow & (downLow << 18);
  downHigh |= pairsHigh & ((downHigh << 18) | (downLow >>> 14));
  downLow |= pairsLow & (downLow << 18);
  moves.high |= (downHigh << 9) | (downLow >>> 23);
  moves.low |= downLow << 9;

  let upHigh = high & (own.high >>> 9);
  let upLow = low & ((own.low >>> 9) | (own.high << 23));
  upLow |= low & ((upLow >>> 9) | (upHigh << 23));
  upHigh |= high & (upHigh >>> 9);
  pairsHigh = high & (high >>> 9);
  pairsLow = low & ((low >>> 9) | (high << 23));
  upLow |= pairsLow & ((upLow >>> 18) | (upHigh << 14));
  upHigh |= pairsHigh & (upHigh >>> 18);
  upLow |= pairsLow & ((upLow >>> 18) | (upHigh << 14));
  upHigh |= pairsHigh & (upHigh >>> 18);
  moves.low |= (upLow >>> 9) | (upHigh << 23);
  moves.high |= upHigh >>> 9;
}
