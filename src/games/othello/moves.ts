import { STRIDE, type SquareSet } from "../square-set.ts";

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
  acrossRows(own, innerLow, innerHigh, STRIDE - 1, moves);
  acrossRows(own, other.low, other.high, STRIDE, moves);
  acrossRows(own, innerLow, innerHigh, STRIDE + 1, moves);
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

/** Adds the ends of runs whose squares are `step` apart, downward and upward. */
function acrossRows(own: SquareSet, low: number, high: number, step: number, moves: SquareSet): void {
  const back = 32 - step;
  const twice = 2 * step;
  const twiceBack = 32 - twice;

  let downLow = low & (own.low << step);
  let downHigh = high & ((own.high << step) | (own.low >>> back));
  downHigh |= high & ((downHigh << step) | (downLow >>> back));
  downLow |= low & (downLow << step);
  let pairsLow = low & (low << step);
  let pairsHigh = high & ((high << step) | (low >>> back));
  downHigh |= pairsHigh & ((downHigh << twice) | (downLow >>> twiceBack));
  downLow |= pairsLow & (downLow << twice);
  downHigh |= pairsHigh & ((downHigh << twice) | (downLow >>> twiceBack));
  downLow |= pairsLow & (downLow << twice);
  moves.high |= (downHigh << step) | (downLow >>> back);
  moves.low |= downLow << step;

  let upHigh = high & (own.high >>> step);
  let upLow = low & ((own.low >>> step) | (own.high << back));
  upLow |= low & ((upLow >>> step) | (upHigh << back));
  upHigh |= high & (upHigh >>> step);
  pairsHigh = high & (high >>> step);
  pairsLow = low & ((low >>> step) | (high << back));
  upLow |= pairsLow & ((upLow >>> twice) | (upHigh << twiceBack));
  upHigh |= pairsHigh & (upHigh >>> twice);
  upLow |= pairsLow & ((upLow >>> twice) | (upHigh << twiceBack));
  upHigh |= pairsHigh & (upHigh >>> twice);
  moves.low |= (upLow >>> step) | (upHigh << back);
  moves.high |= upHigh >>> step;
}
