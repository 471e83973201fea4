/*
 * A distance is the result of a position under perfect play, for the player to move, as one whole number: n > 0 is a win
 * after n plies, -n a loss after n plies, 0 a draw. Its sign is what the field calls WDL. The winner wins as soon as
 * possible; the loser loses as late as possible. The game has no chance. A finished game has no distance: its result is
 * in its returns.
 */

/** Stands for the distance of a position that no table knows. */
export const UNKNOWN = 0x7fff;

/** The greatest distance in plies that tables keep. */
export const MOST_PLIES = 0x7ffe;

/**
 * The distance for the player who moves, one ply before a position with `distance`.
 * @param isSame whether the same player moves in both positions
 */
export function oneEarlier(distance: number, isSame: boolean): number {
  const mine = isSame ? distance : 0 - distance;
  return mine > 0 ? mine + 1 : mine < 0 ? mine - 1 : 0;
}

/** True if the player to move prefers distance `one` to distance `other`. */
export function isBetter(one: number, other: number): boolean {
  return rank(one) > rank(other);
}

/** Ranks quick wins first, then slow wins, draws, slow losses, and quick losses last. */
function rank(distance: number): number {
  return distance === 0 ? 0 : (distance > 0 ? MOST_PLIES + 1 : -MOST_PLIES - 1) - distance;
}
