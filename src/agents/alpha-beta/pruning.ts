import { DEEPEST } from "../search/deepening.ts";

/** From this depth on, late actions and passed turns are searched less deep. */
export const LEAST_REDUCED = 3;
/**
 * From this depth on, a position with an open window and no action in the transposition table is searched less deep.
 */
export const LEAST_UNKNOWN = 4;
/** The first actions of a node are never reduced. */
const FIRST_REDUCED = 3;
/** Up to this depth a position far above the window is assumed to stay above it. */
export const MOST_FUTILE = 3;

const MOST_INDEX = 64;

/** Plies taken off a late action, at depth * MOST_INDEX + index: 0.75 + ln(depth) ln(index) / 2.25. */
const REDUCTIONS = Int8Array.from({ length: (DEEPEST + 1) * MOST_INDEX }, (_, at) => {
  const depth = Math.floor(at / MOST_INDEX);
  const index = at % MOST_INDEX;
  if (depth < LEAST_REDUCED || index < FIRST_REDUCED) return 0;
  return Math.min(depth - 2, Math.floor(0.75 + (Math.log(depth) * Math.log(index)) / 2.25));
});

/** Returns the plies taken off the action at `index` of a node, counted from 0 (late-move reductions). */
export function reductionOf(depth: number, index: number): number {
  return REDUCTIONS[depth * MOST_INDEX + Math.min(index, MOST_INDEX - 1)];
}

/** Returns the plies taken off the search after a passed turn (null move; Donninger 1993). */
export function passReductionOf(depth: number): number {
  return depth >= 6 ? 3 : 2;
}
