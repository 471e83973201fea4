import { lowestBit } from "../../base/bits.ts";
import { SET_WORDS } from "./moves.ts";
import type { ChineseCheckersState } from "./state.ts";

/**
 * The steps that a player's men have to go until they fill the target, if they never jump and nobody
 * is in their way: 0 when they are all there.
 */
export function stepsLeft(state: ChineseCheckersState, player: number): number {
  const { stepsToTip, fewestSteps } = state.seating;
  return sumOverMen(state, player, stepsToTip) - fewestSteps;
}

/** The sum over a player's men of what a table has for their cells as the player sees them. */
export function sumOverMen(state: ChineseCheckersState, player: number, table: Int32Array): number {
  const { men, star, seating } = state;
  const { seen } = seating;
  const view = star.cells * player;
  let sum = 0;
  for (let word = 0; word < SET_WORDS; word++) {
    const first = view + (word << 5);
    for (let rest = men[SET_WORDS * player + word]; rest !== 0; rest &= rest - 1) {
      sum += table[seen[first + lowestBit(rest)]];
    }
  }
  return sum;
}
