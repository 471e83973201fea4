import type { PolicyFamily } from "../facets.ts";
import { takeBest } from "../facets.ts";
import { COUNT_MASK, type NimState } from "./state.ts";
import { moverWins } from "./theory.ts";

/** Two-player nim by Bouton's rule, normal and misere, for games of at most so many counters. */
export function perfect(counters: number): PolicyFamily<NimState> {
  return {
    summary: "wins what can be won, by Bouton's rule (1902); takes one counter where nothing can",
    create: () =>
      takeBest(counters, (state, action) => {
        state.apply(action);
        const wins = !moverWins(state);
        state.undo();
        if (wins) return 2;
        return (action & COUNT_MASK) === 1 ? 1 : 0;
      }),
  };
}
