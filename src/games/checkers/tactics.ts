import type { Tactics } from "../../game/tactics.ts";
import { jumpsOf } from "./board.ts";
import type { CheckersState } from "./state.ts";

/** Whoever can capture must. A pass would not tell much: having to move is often bad. */
export const tactics: Tactics<CheckersState> = {
  summary: "captures, which are forced",
  isForced: (state) => state.canJump(),
  noisyActions: (state, out, at) => (state.canJump() ? state.legalActions(out, at) : 0),
  gain: (_state, action) => jumpsOf(action),
  futility: 0.1,
};
