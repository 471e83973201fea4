import { countBits } from "../../base/bits.ts";
import { type SquareSet, STRIDE } from "../../game/square-set.ts";
import { BLACK, type BreakthroughState, targetOf } from "./state.ts";

const ROW = 0xff;

/** Wins at once, or the captures of the one piece that is a step from winning; see Facets. */
export function keepDecisive(state: BreakthroughState, actions: Int32Array, count: number): number {
  const { turn, shape } = state;
  const last = shape.height - 1;
  // Rows of the last step, of the player to move and of the other one.
  const ownRow = turn === BLACK ? last - 1 : 1;
  const otherRow = turn === BLACK ? 1 : last - 1;
  const own = turn === BLACK ? state.black : state.white;
  const other = turn === BLACK ? state.white : state.black;
  // A piece there always has a diagonal step to the last row.
  if (rowOf(own, ownRow) !== 0) return keepTo(turn === BLACK ? last : 0, { state, actions, count });
  const threats = rowOf(other, otherRow);
  if (threats === 0) return count;
  // Two pieces cannot be taken at once.
  const kept = countBits(threats) > 1 ? 0 : keepCaptures(otherRow, { state, actions, count });
  return kept === 0 ? count : kept;
}

interface Moves {
  readonly state: BreakthroughState;
  readonly actions: Int32Array;
  readonly count: number;
}

/** Keeps the actions that lead to a row. */
function keepTo(row: number, { state, actions, count }: Moves): number {
  let kept = 0;
  for (let at = 0; at < count; at++)
    if (targetOf(actions[at], state.turn) >> 3 === row) actions[kept++] = actions[at];
  return kept;
}

/** Keeps the captures on a row; the actions are as before if there are none. */
function keepCaptures(row: number, { state, actions, count }: Moves): number {
  const { turn } = state;
  const other = turn === BLACK ? state.white : state.black;
  let kept = 0;
  for (let at = 0; at < count; at++) {
    const to = targetOf(actions[at], turn);
    if (to >> 3 === row && other.has(to)) actions[kept++] = actions[at];
  }
  return kept;
}

function rowOf(set: SquareSet, row: number): number {
  return ((row < 4 ? set.low : set.high) >>> (STRIDE * (row & 3))) & ROW;
}
