import { CHANCE, TERMINAL, type Game, type State } from "./game.ts";
import { possibleActions } from "./notation.ts";

export interface PerftOptions {
  /**
   * True if a game that ended before the depth counts as one leaf. Published tables differ: othello's count it; those
   * of chess and connect four do not. Default: false.
   */
  readonly finished?: boolean;
}

/**
 * Number of leaves of the tree of all plays from `state`: the ways to play exactly `depth` actions and chance outcomes.
 * A game that ends sooner has no leaf, unless `finished` says otherwise. The last level is counted without being
 * played.
 */
export function perft(
  game: Game,
  state: State,
  depth: number,
  { finished = false }: PerftOptions = {},
): number {
  const actions = new Int32Array((depth + 1) * game.maxActions);
  const probabilities = new Float64Array(actions.length);
  const count = (left: number, at: number): number => {
    const mover = state.toMove;
    if (mover === TERMINAL) return finished ? 1 : 0;
    const width =
      mover === CHANCE ? state.chanceOutcomes!(actions, probabilities, at) : state.legalActions(actions, at);
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
  /** `perft` of the position after the action, one level less deep, under the same options. */
  readonly leaves: number;
}

/**
 * `perft` by the first action, in ascending order of actions; the counts sum to `perft` of `state`, if its game is not
 * over. `depth` is at least 1. Two programs that disagree about a position find the wrong move by comparing these
 * counts.
 */
export function divide(game: Game, state: State, depth: number, options: PerftOptions = {}): DivideRow[] {
  return Array.from(possibleActions(game, state), (action) => {
    state.apply(action);
    const leaves = perft(game, state, depth - 1, options);
    state.undo();
    return { action, leaves };
  });
}
