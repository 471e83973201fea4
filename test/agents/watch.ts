import { TERMINAL, type Game, type State } from "../../src/games/contract/game.ts";
import { possibleActions } from "../../src/games/contract/notation.ts";

/** A game whose finished positions are written down, as notation, in the order that agents look at them. */
export function watchLeaves(game: Game): { readonly game: Game; readonly seen: string[] } {
  const seen: string[] = [];
  const start = () => {
    const state = game.start();
    const returns = state.returns.bind(state);
    state.returns = (player) => {
      if (state.toMove === TERMINAL) seen.push(game.formatState(state));
      return returns(player);
    };
    return state;
  };
  return { game: { ...game, start }, seen };
}

/** A game that tells what is about to be applied, and to which position. */
export function watchActions(game: Game, tell: (action: number, state: State) => void): Game {
  const start = () => {
    const state = game.start();
    const apply = state.apply.bind(state);
    state.apply = (action) => {
      tell(action, state);
      apply(action);
    };
    return state;
  };
  return { ...game, start };
}

/** The finished positions of a game from left to right, as notation. */
export function leavesOf(game: Game, state: State = game.start()): string[] {
  if (state.toMove === TERMINAL) return [game.formatState(state)];
  return Array.from(possibleActions(game, state)).flatMap((action) => {
    state.apply(action);
    const below = leavesOf(game, state);
    state.undo();
    return below;
  });
}
