import type { Random } from "../../base/random.ts";
import { CHANCE, TERMINAL, type Game, type State } from "../../games/game.ts";

/** How a simulation goes on beyond the tree. */
export interface Playout {
  /** Plays from a new leaf on, to the end of the game unless it is said otherwise. */
  play(state: State, random: Random): void;
}

/** Plays random actions to the end. */
export class RandomPlayout implements Playout {
  private readonly actions: Int32Array;
  private readonly probabilities: Float64Array;

  constructor(game: Game) {
    this.actions = new Int32Array(game.maxActions);
    this.probabilities = new Float64Array(game.maxActions);
  }

  play(state: State, random: Random): void {
    const { actions, probabilities } = this;
    for (let mover = state.toMove; mover !== TERMINAL; mover = state.toMove) {
      if (mover === CHANCE) {
        const count = state.chanceOutcomes(actions, probabilities, 0);
        state.apply(actions[random.weighted(probabilities, 0, count)]);
      } else {
        state.apply(actions[random.below(state.legalActions(actions, 0))]);
      }
    }
  }
}
