import type { ConnectFourState } from "./state.ts";

/** Columns that complete four, or the one in which the other player would; see Facets. */
export function keepDecisive(state: ConnectFourState, actions: Int32Array, count: number): number {
  const kept = keepFours(state, { actions, count, player: state.toMove });
  if (kept > 0) return kept;
  const threats = keepFours(state, { actions, count, player: 1 - state.toMove });
  // Two threats cannot be met; which column is taken does not matter then.
  return threats === 0 ? count : threats;
}

/** Keeps the columns in which `player` would complete four; the actions are as before if there are none. */
function keepFours(
  state: ConnectFourState,
  { actions, count, player }: { actions: Int32Array; count: number; player: number },
): number {
  let kept = 0;
  for (let at = 0; at < count; at++)
    if (state.completesFour(actions[at], player)) actions[kept++] = actions[at];
  return kept;
}
