import type { Heuristic } from "../facets.ts";
import { newCounts, readCounts, type Counts } from "./counts.ts";
import type { BreakthroughState } from "./state.ts";

const PIECE_WORTH = 20;
/** Extra for a piece that stayed at home, where it guards the goal. */
const HOME_WORTH = 5;
/** Extra for a piece that has this many rows to go. */
const ADVANCED_WORTH = [0, 12, 6, 3, 1, 0, 0, 0] as const;
/** For a piece that can be taken for nothing: at once, or after the owner's next move. */
const HANGING_WORTH = -14;
const LOOSE_WORTH = -2;
const RUNNER_WORTH = 40;
/** For each row that the first runner is nearer to the goal than the other's. */
const RACE_WORTH = 10;
/** The worth at which the evaluation reaches half a win. */
const HALF_WIN = 60;

const own = newCounts();
const other = newCounts();

/** Pieces, those at home and those far ahead, less where they hang, and runners, which nobody can stop. */
export const advancement: Heuristic<BreakthroughState> = {
  summary: "pieces, at home and far ahead, loose ones, and runners that nobody can stop",
  evaluate(state, player) {
    const { height } = state.shape;
    readCounts(state, player, own);
    readCounts(state, 1 - player, other);
    const onMove = state.turn === player;
    const sum =
      worth(own, height, onMove) -
      worth(other, height, !onMove) +
      RACE_WORTH * (other.shortest - own.shortest);
    return sum / (HALF_WIN + Math.abs(sum));
  },
};

function worth({ rows, loose, runners }: Counts, height: number, onMove: boolean): number {
  let sum = rows[0] * HOME_WORTH + loose * (onMove ? LOOSE_WORTH : HANGING_WORTH);
  if (runners > 0) sum += RUNNER_WORTH;
  for (let row = 0; row < height; row++) sum += rows[row] * (PIECE_WORTH + ADVANCED_WORTH[height - 1 - row]!);
  return sum;
}
