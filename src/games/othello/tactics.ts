import type { Tactics } from "../facets.ts";
import { LastSquares } from "./last-squares.ts";
import { createPromise } from "./promise.ts";
import { BLACK, PASS, type OthelloState } from "./state.ts";

/** No move is noisy; those come first that leave the other player the fewest. */
export function createTactics(size: number, countsDiscs: boolean): Tactics<OthelloState> {
  const promise = createPromise(size);
  return {
    summary: "no move is noisy; first what leaves the other player the fewest moves",
    isForced: () => false,
    noisyActions: () => 0,
    gain: () => 0,
    promises({ black, white, turn }, actions, at, end, out) {
      const own = turn === BLACK ? black : white;
      const other = turn === BLACK ? white : black;
      for (let index = at; index < end; index++) {
        const action = actions[index];
        out[index] = action === PASS ? 0 : promise(action, own.low, own.high, other.low, other.high);
      }
    },
    ...(countsDiscs && { finish: new LastSquares(size) }),
  };
}
