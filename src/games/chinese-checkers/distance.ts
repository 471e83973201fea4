import { squash } from "../shared/score-heuristic.ts";
import type { Heuristic } from "../contract/facets.ts";
import { sumOverMen, type ChineseCheckersState } from "./state.ts";
import type { Seating } from "./seating.ts";

/** The worth of a step at the tip, and its growth with each step that a man has to go. */
const STEP_WORTH = 10;
const STRAGGLER_WORTH = 1;
/** The cost of each half-cell off the middle column, outside the target. */
const OFFSET_WORTH = 2;
/** The worth of the turn: half of the gain of a usual move. */
const TURN_WORTH = 10;
/** The lead that is worth half a win at the end, and its growth with the steps left. */
const HALF_WIN = 10;
const HALF_WIN_PER_WORTH = 0.15;

/**
 * The steps left, which count more for men that are far behind, and the distance from the middle column,
 * where most jumps are. The value is the mean over the other players of the value of the lead against each.
 */
export function distance({ star, stepsToTip }: Seating): Heuristic<ChineseCheckersState> {
  const toGo = Int32Array.from(
    stepsToTip,
    (steps, cell) =>
      steps * (STEP_WORTH + STRAGGLER_WORTH * steps) +
      (cell < star.men ? 0 : OFFSET_WORTH * Math.abs(star.offset[cell])),
  );
  const least = star.points[0]!.reduce((sum, cell) => sum + toGo[cell], 0);
  const standing = (state: ChineseCheckersState, player: number) =>
    Math.max(0, sumOverMen(state, player, toGo) - least - (state.toMove === player ? TURN_WORTH : 0));

  return {
    summary: "steps left, more for stragglers and men off the middle, against each of the others",
    evaluate(state, player) {
      const { players } = state.seating;
      const own = standing(state, player);
      let sum = 0;
      for (let other = 0; other < players; other++) {
        if (other === player) continue;
        const left = standing(state, other);
        sum += squash(left - own, HALF_WIN + HALF_WIN_PER_WORTH * Math.min(left, own));
      }
      return sum / (players - 1);
    },
  };
}
