import { CHANCE, TERMINAL, type Game, type State } from "./game.ts";

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
