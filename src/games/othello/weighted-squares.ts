import { countBits } from "../../base/bits.ts";
import type { Heuristic } from "../facets.ts";
import { squareClasses } from "./square-classes.ts";
import { BLACK, type OthelloState } from "./state.ts";

/**
 * The weighted piece counter that the field measures itself against (Lucas and Runarsson 2006, after
 * Yoshioka, Ishii and Ito 1999), in hundredths, for a quarter of the board from its corner; smaller
 * boards use the part at the corner.
 */
const QUARTER = [
  [100, -25, 10, 5],
  [-25, -25, 1, 1],
  [10, 1, 5, 2],
  [5, 1, 2, 1],
] as const;

/** The sum, in whole units, at which the evaluation reaches half a win: a corner. */
const HALF_WIN = 1;

/** The sum of the weights under `player`'s discs less that under the other's; a corner is 1. */
export function weightedSquares(state: OthelloState, player: number): number {
  const { black, white } = state;
  const classes = squareClasses(state.size);
  let sum = 0;
  for (let index = 0; index < classes.length; index++) {
    const { low, high, row, column } = classes[index]!;
    const lead =
      countBits(black.low & low) +
      countBits(black.high & high) -
      countBits(white.low & low) -
      countBits(white.high & high);
    sum += lead * QUARTER[row]![column]!;
  }
  return (player === BLACK ? sum : 0 - sum) / 100;
}

/** `weightedSquares`, brought between -1 and 1. */
export const weightedSquaresHeuristic: Heuristic<OthelloState> = {
  summary: "weighted piece counter: corners 1, squares beside them -0.25, ... (Yoshioka, Ishii and Ito 1999)",
  evaluate(state, player) {
    const sum = weightedSquares(state, player);
    return sum / (HALF_WIN + Math.abs(sum));
  },
};
