import type { Heuristic } from "../contract/facets.ts";
import type { State } from "../contract/rules.ts";

/** Maps all numbers to (-1, 1), odd and ascending; `half` goes to 1/2. */
export function squash(score: number, half: number): number {
  return score / (half + Math.abs(score));
}

/**
 * A heuristic for two players whose returns are 1 and -1, from a score as player 0 sees it. A score of `half` is worth
 * half a win.
 */
export function scoreHeuristic<S extends State>(
  summary: string,
  half: number,
  score: (state: S) => number,
): Heuristic<S> {
  return {
    summary,
    evaluate(state, player) {
      const value = squash(score(state), half);
      return player === 0 ? value : 0 - value;
    },
  };
}
