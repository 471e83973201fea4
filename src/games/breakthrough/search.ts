import { countBits } from "../../base/hashing.ts";
import type { Tactics } from "../contract/tactics.ts";
import { STRIDE } from "../shared/square-set.ts";
import { BLACK } from "../shared/two-sets.ts";
import { type BreakthroughState, targetOf } from "./state.ts";

const WIN = 1000;
const CAPTURE = 10;

/** The rows that a piece on `square` has gone, as the player to move counts. */
function rowsGone({ turn, lastRow }: BreakthroughState, square: number): number {
  return (turn === BLACK ? square : lastRow + STRIDE - 1 - square) >> 3;
}

/** Captures near the other's goal come first, as they stop a runner. */
function gain(state: BreakthroughState, action: number): number {
  const { lastRow, turn } = state;
  const to = targetOf(action, turn);
  if (turn === BLACK ? to >= lastRow : to < STRIDE) return WIN;
  const isCapture = (turn === BLACK ? state.white : state.black).has(to);
  return isCapture ? CAPTURE + (lastRow >> 3) - rowsGone(state, to) : 0;
}

export const tactics: Tactics<BreakthroughState> = {
  summary: "captures, and moves to the last row",
  isForced: () => false,
  noisyActions(state, out, at) {
    const end = at + state.legalActions(out, at);
    let noisy = at;
    for (let index = at; index < end; index++) {
      const action = out[index];
      if (gain(state, action) > 0) out[noisy++] = action;
    }
    return noisy - at;
  },
  gain,
  futility: 0.1,
  pass: {
    isSafe: () => true,
    apply: (state) => state.passTurn(),
    undo: (state) => state.passTurn(),
  },
};

/** Keeps wins at once, or else captures of the only piece that is one step from winning; see DecisiveMoves. */
export function keepDecisive(state: BreakthroughState, actions: Int32Array, count: number): number {
  const { turn, board } = state;
  const last = board.height - 1;
  // The rows one step before the goal of the player to move, and of the other player.
  const ownRow = turn === BLACK ? last - 1 : 1;
  const otherRow = turn === BLACK ? 1 : last - 1;
  const own = turn === BLACK ? state.black : state.white;
  const other = turn === BLACK ? state.white : state.black;
  // A piece there can always step to the last row diagonally.
  if (own.row(ownRow) !== 0) return keepTo(turn === BLACK ? last : 0, { state, actions, count });
  const threats = other.row(otherRow);
  if (threats === 0) return count;
  // One action cannot capture two pieces.
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
