import { takeBest, type PolicyFamily } from "../contract/facets.ts";
import { TERMINAL } from "../contract/rules.ts";
import { TicTacToeState } from "./state.ts";

/** More stones than a board has. A game that ends with n stones is worth BEYOND - n to the winner. */
const BEYOND = 10;
const CELLS = 9;
const UNKNOWN = 127;

/**
 * Perfect play from the values of all positions, each of which is calculated once. A win is worth more if
 * it comes sooner, a loss less.
 */
export const perfect: PolicyFamily<TicTacToeState> = {
  summary: "best play by the values of all positions: the fastest win, the slowest loss",
  create() {
    const values = new Int8Array(1 << (2 * CELLS)).fill(UNKNOWN);
    return takeBest(CELLS, (state, action) => {
      state.apply(action);
      const worth = 0 - solve(state, values);
      state.undo();
      return worth;
    });
  },
};

/**
 * The value for the player to move: BEYOND less the stones at the end for a win, the negative for a loss,
 * 0 for a draw.
 */
function solve(state: TicTacToeState, values: Int8Array): number {
  const place = (state.first << CELLS) | state.second;
  if (values[place] !== UNKNOWN) return values[place];
  let best = 0;
  if (state.toMove === TERMINAL) {
    best = state.returns(state.stones & 1) * (BEYOND - state.stones);
  } else {
    best = 0 - BEYOND;
    for (let cell = 0; cell < CELLS; cell++) {
      if ((((state.first | state.second) >>> cell) & 1) === 1) continue;
      state.apply(cell);
      best = Math.max(best, 0 - solve(state, values));
      state.undo();
    }
  }
  values[place] = best;
  return best;
}
