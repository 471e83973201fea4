/*
 * A verdict is the result of a position under perfect play, for the player to move, as one whole number: n > 0 is a win
 * after n plies, -n a loss after n plies, 0 a draw. The winner wins as soon as possible, the loser loses as late as
 * possible. Actions of chance do not occur. A finished game is a loss or win after 0 plies, which no verdict says: who
 * has a state looks at its returns.
 */

/** In place of a verdict: nothing is known. */
export const UNKNOWN = 0x7fff;

/** The most plies that a verdict can say. */
export const MOST_PLIES = 0x7ffe;

/**
 * The verdict for the player who moves, one ply before a position with `verdict`.
 * @param isSame whether the same player moves in both positions
 */
export function oneEarlier(verdict: number, isSame: boolean): number {
  const mine = isSame ? verdict : 0 - verdict;
  return mine > 0 ? mine + 1 : mine < 0 ? mine - 1 : 0;
}

/** Whether the player to move prefers verdict `one` to verdict `other`. */
export function isBetter(one: number, other: number): boolean {
  return rank(one) > rank(other);
}

/** Quick wins, slow wins, draws, slow losses, quick losses. */
function rank(verdict: number): number {
  return verdict === 0 ? 0 : (verdict > 0 ? MOST_PLIES + 1 : -MOST_PLIES - 1) - verdict;
}
