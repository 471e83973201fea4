import { lowestBit } from "../../base/bits.ts";
import type { Tactics } from "../../game/tactics.ts";
import { createPromise } from "./last-squares.ts";
import { squareClasses } from "./squares.ts";
import { BLACK, PASS, type OthelloState } from "./state.ts";

/** Moves to corners are noisy. The moves that leave the other player the fewest come first. */
export function createTactics(size: number): Tactics<OthelloState> {
  const promise = createPromise(size);
  const corners = squareClasses(size)[0]!;
  return {
    summary: "corners; first what leaves the other player the fewest moves",
    isForced: () => false,
    noisyActions({ moves }, out, at) {
      let end = at;
      for (let rest = moves.low & corners.low; rest !== 0; rest &= rest - 1) out[end++] = lowestBit(rest);
      for (let rest = moves.high & corners.high; rest !== 0; rest &= rest - 1)
        out[end++] = 32 + lowestBit(rest);
      return end - at;
    },
    gain: () => 0,
    promises({ black, white, turn }, actions, at, end, out) {
      const own = turn === BLACK ? black : white;
      const other = turn === BLACK ? white : black;
      for (let index = at; index < end; index++) {
        const action = actions[index];
        out[index] = action === PASS ? 0 : promise(action, own.low, own.high, other.low, other.high);
      }
    },
  };
}
