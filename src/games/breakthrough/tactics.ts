import type { Tactics } from "../../game/tactics.ts";
import { STRIDE } from "../../game/square-set.ts";
import { BLACK, type BreakthroughState, targetOf } from "./state.ts";

const WIN = 1000;
const CAPTURE = 10;

/** The rows that a piece on `square` has gone, as the player to move counts. */
function rowsGone({ turn, lastRow }: BreakthroughState, square: number): number {
  return (turn === BLACK ? square : lastRow + STRIDE - 1 - square) >> 3;
}

/** Captures near the other's goal come first, as they stop a runner. */
function gain(state: BreakthroughState, action: number): number {
  const { lastRow, turn } = state;
  const to = targetOf(action, turn);
  if (turn === BLACK ? to >= lastRow : to < STRIDE) return WIN;
  const isCapture = (turn === BLACK ? state.white : state.black).has(to);
  return isCapture ? CAPTURE + (lastRow >> 3) - rowsGone(state, to) : 0;
}

export const tactics: Tactics<BreakthroughState> = {
  summary: "captures, and moves to the last row",
  isForced: () => false,
  noisyActions(state, out, at) {
    const end = at + state.legalActions(out, at);
    let noisy = at;
    for (let index = at; index < end; index++) {
      const action = out[index];
      if (gain(state, action) > 0) out[noisy++] = action;
    }
    return noisy - at;
  },
  gain,
  futility: 0.1,
  pass: {
    isSafe: () => true,
    apply: (state) => state.passTurn(),
    undo: (state) => state.passTurn(),
  },
};
