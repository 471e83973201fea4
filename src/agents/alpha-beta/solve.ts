/** The number of plies within which a win or a loss is asked for first. */
const SOON = 12;

/**
 * The exact value of a root by null windows alone (as Pons 2015 solves connect four). First they ask whether the game is
 * won or lost within 12 plies, then within a third more each time: that costs little where the search gives up what would
 * end too late. What is left of the range is halved, first at 0, so that who wins is settled before how soon. The bounds
 * meet because a search returns values that occur.
 * @param winIn the value of a win in a number of plies; that of a loss is its negative
 * @param farthest the greatest number of plies that is asked for so; 0 for none
 * @param step the width of a null window
 * @param search the value of the root with a window: a lower bound above it, an upper bound below it; a best action that
 * it proves comes first from then on
 */
export function solve(
  winIn: (plies: number) => number,
  farthest: number,
  step: number,
  search: (alpha: number, beta: number) => number,
): number {
  let low = 0 - winIn(1);
  let high = winIn(1);
  let proven = 0 - Infinity;
  const ask = (middle: number) => {
    const value = search(middle, middle + step);
    if (value > middle) proven = low = value;
    else high = value;
  };
  for (let plies = SOON; plies <= farthest; plies += Math.floor(plies / 3)) {
    const win = winIn(plies);
    if (low < win && high >= win) ask(win - step);
    if (high > 0 - win && low <= 0 - win) ask(0 - win);
  }
  while (low < high) ask(low < 0 && high > 0 ? 0 : (low + high) / 2);
  // The last search with this value as a lower bound knows the action; without one it is still to be found.
  return proven === low ? low : search(low - step, low);
}
