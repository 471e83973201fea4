import { CHANCE, TERMINAL, type Game, type State } from "./game.ts";
import { possibleActions } from "./notation.ts";

/**
 * Number of ways to play exactly `depth` actions and chance outcomes from `state` on. The last level is
 * counted without being played.
 */
export function perft(game: Game, state: State, depth: number): number {
  const actions = new Int32Array((depth + 1) * game.maxActions);
  const probabilities = new Float64Array(actions.length);
  const count = (left: number, at: number): number => {
    const mover = state.toMove;
    if (mover === TERMINAL) return 0;
    const width =
      mover === CHANCE ? state.chanceOutcomes(actions, probabilities, at) : state.legalActions(actions, at);
    if (left === 1) return width;
    const end = at + width;
    let leaves = 0;
    for (let index = at; index < end; index++) {
      state.apply(actions[index]);
      leaves += count(left - 1, end);
      state.undo();
    }
    return leaves;
  };
  return depth === 0 ? 1 : count(depth, 0);
}

/** The share of one action, or chance outcome, in a perft count. */
export interface DivideRow {
  readonly action: number;
  /** `perft` of the position after the action, one level less deep. */
  readonly leaves: number;
}

/**
 * `perft` by the first action, in ascending order of actions; the counts sum to `perft(game, state, depth)`.
 * `depth` is at least 1. Two programs that disagree about a position find the wrong move by it.
 */
export function divide(game: Game, state: State, depth: number): DivideRow[] {
  return Array.from(possibleActions(game, state), (action) => {
    state.apply(action);
    const leaves = perft(game, state, depth - 1);
    state.undo();
    return { action, leaves };
  });
}
