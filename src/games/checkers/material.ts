import { countBits } from "../../base/bits.ts";
import type { Heuristic } from "../facets.ts";
import { BLACK, type CheckersState } from "./state.ts";

/** What a king is worth in men. */
const KING_WORTH = 5;
/** The lead, in men, at which the evaluation reaches half a win. */
const HALF_WIN = 5;

/** Five for each king and one for each man of `player`, less the same of the other. */
export function materialLead(state: CheckersState, player: number): number {
  const { black, white, kings } = state;
  const lead =
    countBits(black) -
    countBits(white) +
    (KING_WORTH - 1) * (countBits(black & kings) - countBits(white & kings));
  return player === BLACK ? lead : 0 - lead;
}

/** `materialLead`, brought between -1 and 1. */
export const material: Heuristic<CheckersState> = {
  summary: "5 kings + men, less the other's",
  evaluate(state, player) {
    const lead = materialLead(state, player);
    return lead / (HALF_WIN + Math.abs(lead));
  },
};
