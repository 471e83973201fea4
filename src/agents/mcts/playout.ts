import type { Random } from "../../base/random.ts";
import { CHANCE, TERMINAL, type Game, type State } from "../../game/game.ts";
import type { Trail } from "./simulation.ts";

/** Goes on with a simulation beyond the tree. */
export interface Playout {
  /** Plays from a new leaf to the end of the game. */
  play(state: State, random: Random): void;
}

/** Plays random actions to the end, in the shortest loop that can. */
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

/** Plays random actions to the end, and writes them to a trail; a subclass may prefer some. */
export class TrailPlayout implements Playout {
  protected readonly actions: Int32Array;
  private readonly probabilities: Float64Array;
  private readonly trail: Trail;

  constructor(game: Game, trail: Trail) {
    this.actions = new Int32Array(game.maxActions);
    this.probabilities = new Float64Array(game.maxActions);
    this.trail = trail;
  }

  play(state: State, random: Random): void {
    const { actions, probabilities, trail } = this;
    for (let mover = state.toMove; mover !== TERMINAL; mover = state.toMove) {
      if (mover === CHANCE) {
        const count = state.chanceOutcomes(actions, probabilities, 0);
        state.apply(actions[random.weighted(probabilities, 0, count)]);
        continue;
      }
      const action = this.pick(mover, state.legalActions(actions, 0), random);
      trail.add(mover, action);
      state.apply(action);
    }
  }

  /** Picks one of the first `count` of `actions` for the player to move. */
  protected pick(_player: number, count: number, random: Random): number {
    return this.actions[random.below(count)];
  }
}
