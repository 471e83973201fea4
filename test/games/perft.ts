import { TERMINAL, type Game, type State } from "../../src/games/game.ts";

/** Leaves of the tree of the given depth below `state`, the last ply counted in bulk. A finished game is one leaf. */
export function perft(game: Game, state: State, depth: number): number {
  const stack = new Int32Array(game.maxActions * depth);
  const count = (left: number, at: number): number => {
    if (state.toMove === TERMINAL) return 1;
    const actions = state.legalActions(stack, at);
    if (left === 1) return actions;
    let leaves = 0;
    for (let index = at; index < at + actions; index++) {
      state.apply(stack[index]);
      leaves += count(left - 1, at + actions);
      state.undo();
    }
    return leaves;
  };
  return depth === 0 ? 1 : count(depth, 0);
}
