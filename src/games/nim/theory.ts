import { takeBest, type Heuristic, type PolicyFamily } from "../contract/facets.ts";
import { COUNT_MASK, type NimState } from "./state.ts";

/** The exclusive or of the piles: Bouton's nim-sum. */
export function nimSum({ piles }: NimState): number {
  let sum = 0;
  for (let pile = 0; pile < piles.length; pile++) sum ^= piles[pile];
  return sum;
}

/** The number of piles of one counter when no pile has more, else -1. */
export function singles({ piles, left }: NimState): number {
  let count = 0;
  for (let pile = 0; pile < piles.length; pile++) if (piles[pile] !== 0) count++;
  return count === left ? count : -1;
}

/**
 * True if the player to move wins between two perfect players (Bouton, "Nim, a game with a complete mathematical theory",
 * 1902). In normal nim the mover wins if the nim-sum is not 0. So it is in misere nim while some pile has more than one
 * counter; after that, the mover wins if the number of piles left is even.
 */
function moverWins(state: NimState): boolean {
  const ones = state.misere ? singles(state) : -1;
  return ones < 0 ? nimSum(state) !== 0 : (ones & 1) === 0;
}

/** A proven value that still lies strictly between the returns. */
const NEARLY = 0.999;

/** The value of perfect play for two players; 0 for more players, whom Bouton's rule does not cover. */
export const exact: Heuristic<NimState> = {
  summary: "two players: who wins by Bouton's rule (1902), normal and misere; more players: 0",
  evaluate(state, player) {
    if (state.players > 2) return 0;
    return moverWins(state) === (player === state.turn) ? NEARLY : 0 - NEARLY;
  },
};

/** Two-player nim by Bouton's rule, normal and misere, for games of at most `counters` counters. */
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
