import type { Heuristic } from "../game.ts";
import { newCounts, readCounts, type Counts } from "./counts.ts";
import type { BreakthroughState } from "./state.ts";

const PIECE_WORTH = 10;
/** A piece on the row of this index, counted from its own side. */
const ROW_WORTH = [1, 0, 1, 3, 6, 10, 15, 21] as const;
const LOOSE_WORTH = -3;
/** The first runner, and each row that it is nearer to the goal than the other's. */
const RUNNER_WORTH = 20;
const RACE_WORTH = 8;
/** The worth at which the evaluation reaches half a win. */
const HALF_WIN = 40;

const own = newCounts();
const other = newCounts();

/** Pieces, more the further they are, less where they hang, and runners, which nobody can stop. */
export const advancement: Heuristic<BreakthroughState> = {
  summary: "pieces, how far they are, loose ones, and runners that nobody can stop",
  evaluate(state, player) {
    readCounts(state, player, own);
    readCounts(state, 1 - player, other);
    const race = (other.shortest - own.shortest) * RACE_WORTH;
    const sum = worth(own, state.shape.height) - worth(other, state.shape.height) + race;
    return sum / (HALF_WIN + Math.abs(sum));
  },
};

function worth(counts: Counts, height: number): number {
  let sum = counts.loose * LOOSE_WORTH + (counts.runners > 0 ? RUNNER_WORTH : 0);
  for (let row = 0; row < height; row++) sum += counts.rows[row] * (PIECE_WORTH + ROW_WORTH[row]!);
  return sum;
}
