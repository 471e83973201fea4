/**
 * The exact value of a root between `-most` and `most` by null windows alone: each halves the range, the first one at 0,
 * so that who wins is settled before how soon (as Pons 2015 solves connect four). The bounds meet because a search
 * returns values that occur.
 * @param search the value of the root with a window: a lower bound above it, an upper bound below it; a best action that
 * it proves comes first from then on
 * @param step the width of a null window
 */
export function solve(most: number, step: number, search: (alpha: number, beta: number) => number): number {
  let low = 0 - most;
  let high = most;
  let proven = 0 - Infinity;
  while (low < high) {
    const middle = low < 0 && high > 0 ? 0 : (low + high) / 2;
    const value = search(middle, middle + step);
    if (value > middle) proven = low = value;
    else high = value;
  }
  // The last search with this value as a lower bound knows the action; without one it is still to be found.
  return proven === low ? low : search(low - step, low + step);
}
