/**
 * What boards can hold. Invariant: the tile of rank k (1 the highest) has an exponent of at most
 * cells + 2 - k. A merge takes two alike of neighbouring ranks, so that the lower one's limit leaves
 * room for one more at the higher rank, and lets all below move up; a new tile, of exponent 2 at most,
 * goes where there is room.
 */
export function highestExponent(cells: number, rank = 1): number {
  return cells + 2 - rank;
}

/**
 * Sum of the merges that made a tile, if all that came were twos: each makes 2^k of two that are
 * half of it, in all (e - 1) 2^e. A four that came saves the 4 of its own merge.
 */
export function mergesOf(exponent: number): number {
  return exponent === 0 ? 0 : (exponent - 1) * 2 ** exponent;
}

/** The score of a board filled to the limits: the sum of (e - 1) 2^e from e = 2 to cells + 1. */
export function highestScore(cells: number): number {
  return (cells - 1) * 2 ** (cells + 2) + 4;
}

/**
 * The tiles' sum grows by 2 or more with each new one, from nothing to at most 2^(cells + 2) - 4; two
 * of them come before the first move, and one after the last.
 */
export function mostPlies(cells: number): number {
  return 2 ** (cells + 1) - 4;
}
