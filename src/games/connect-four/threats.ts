import type { Heuristic } from "../game.ts";
import { PLAYER_SHIFT, type ConnectFourState } from "./state.ts";
import { createWindows, POPCOUNT } from "./windows.ts";

/** What a window with 0..4 stones of one player and none of the other is worth. */
const WINDOW_WORTH = Int32Array.of(0, 1, 4, 12, 0);
/** Extra for a window with three stones whose fourth cell the owner will be the one to reach. */
const PARITY_WORTH = 20;
/** The worth at which the evaluation reaches half a win. */
const HALF_WIN = 60;

/**
 * Counts the windows of four that only one player can still fill, more for more stones, and more
 * again for three stones whose open cell lies on a row that suits its owner: odd rows (counted from
 * 1) for the first player, even rows for the second (Allis 1988, the rule of parity).
 */
export function threats(width: number, height: number): Heuristic<ConnectFourState> {
  const windows = createWindows(width, height);
  const { count, line, shift, row } = windows;

  const worth = (lines: Int32Array): number => {
    let sum = 0;
    for (let window = 0; window < count; window++) {
      const bits = lines[line[window]] >>> shift[window];
      const first = bits & 15;
      const second = (bits >>> PLAYER_SHIFT) & 15;
      if (second === 0) {
        sum += WINDOW_WORTH[POPCOUNT[first]];
        if (POPCOUNT[first] === 3 && (row[4 * window + POPCOUNT[(first ^ 15) - 1]] & 1) === 0)
          sum += PARITY_WORTH;
      } else if (first === 0) {
        sum -= WINDOW_WORTH[POPCOUNT[second]];
        if (POPCOUNT[second] === 3 && (row[4 * window + POPCOUNT[(second ^ 15) - 1]] & 1) === 1)
          sum -= PARITY_WORTH;
      }
    }
    return sum;
  };

  return {
    summary: "windows of four that one player can still fill, and the parity of open threes (Allis 1988)",
    evaluate(state, player) {
      const sum = worth(state.lines);
      const value = sum / (HALF_WIN + Math.abs(sum));
      return player === 0 ? value : 0 - value;
    },
  };
}
