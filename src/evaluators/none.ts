import type { Evaluator } from "../games/game.ts";

/** No opinion: what has been collected so far, 0 in most games. */
export const noOpinion: Evaluator = {
  evaluate: (state, player) => state.returns(player),
};
