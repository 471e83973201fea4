import { scoreHeuristic } from "../shared/score-heuristic.ts";
import type { Heuristic } from "../contract/facets.ts";
import { forEachWindow, TERNARY, type BoardLines } from "./board-lines.ts";
import { PLAYER_SHIFT, type ConnectFourState } from "./state.ts";

/** By number of stones, 0 to 4: the worth of a window with stones of one player only. */
const WINDOW_WORTH = [0, 1, 4, 12, 0] as const;
/** Extra for a window with three stones whose fourth cell suits its owner by parity. */
const PARITY_WORTH = 20;
/** The score that is worth half a win. */
const HALF_WIN = 60;

/**
 * Windows of four cells that only one player can still fill. A window with more stones counts
 * more. Three stones count still more if the open cell lies in a row that suits their owner: odd rows
 * (counted from 1) for the first player, even rows for the second (Allis 1988, the rule of parity).
 */
export function threats(board: BoardLines): Heuristic<ConnectFourState> {
  const { source, shift, mask, offset } = board;
  const worths = worthOfCodes(board);
  return scoreHeuristic(
    "windows of four that one player can still fill, and the parity of open threes (Allis 1988)",
    HALF_WIN,
    ({ lines }) => {
      let sum = 0;
      for (let line = 0; line < source.length; line++) {
        const stones = lines[source[line]] >>> shift[line];
        if (stones === 0) continue;
        const first = TERNARY[stones & mask[line]];
        const second = TERNARY[(stones >>> PLAYER_SHIFT) & mask[line]];
        sum += worths[offset[line] + first + 2 * second];
      }
      return sum;
    },
  );
}

/** By code: the worth of its windows to the first player. */
function worthOfCodes({ lines, codes }: BoardLines): Int32Array {
  const worths = new Int32Array(codes);
  for (const { cells, offset } of lines) {
    forEachWindow(cells.length, (code, { owner, stones, open }, from) => {
      const suits = stones === 3 && cells[from + open]!.row % 2 === owner - 1;
      const worth = WINDOW_WORTH[stones]! + (suits ? PARITY_WORTH : 0);
      worths[offset + code] += owner === 1 ? worth : 0 - worth;
    });
  }
  return worths;
}
