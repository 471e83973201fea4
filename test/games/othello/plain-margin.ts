import { TERMINAL, type Game, type State } from "../../../src/games/contract/game.ts";

/** The return of the player to move with best play, by alpha-beta without anything else, through the game's states. */
export function plainMargin(game: Game, state: State): number {
  const actions = new Int32Array((game.maxPlies + 1) * game.maxActions);
  const search = (alpha: number, beta: number, me: number, at: number): number => {
    if (state.toMove === TERMINAL) return state.returns(me);
    const end = at + state.legalActions(actions, at);
    let best = alpha;
    for (let index = at; index < end && best < beta; index++) {
      state.apply(actions[index]);
      best = Math.max(best, 0 - search(0 - beta, 0 - best, 1 - me, end));
      state.undo();
    }
    return best;
  };
  return search(game.minReturn, game.maxReturn, state.toMove, 0);
}
