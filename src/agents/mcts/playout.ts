import type { Random } from "../../base/random.ts";
import { CHANCE, TERMINAL, type Game, type State, type Urgency } from "../../games/game.ts";
import type { Trail } from "./simulation.ts";

/** How a simulation goes on beyond the tree. */
export interface Playout {
  /** Plays from a new leaf on, to the end of the game or until an evaluator is to value the position. */
  play(state: State, random: Random): void;
}

/** What playouts of every kind are made from. */
export interface PlayoutParts {
  /** How many plies are played at most. */
  readonly plies: number;
  readonly trail: Trail | null;
  /** The game's, if playouts are to heed it. */
  readonly urgency: Urgency | null;
}

/** Plays random actions, and writes them to the trail if there is one. */
export class RandomPlayout implements Playout {
  protected readonly actions: Int32Array;
  private readonly probabilities: Float64Array;
  private readonly plies: number;
  private readonly trail: Trail | null;
  private readonly urgency: Urgency | null;

  constructor(game: Game, { plies, trail, urgency }: PlayoutParts) {
    this.plies = Math.min(plies, 2 ** 30);
    this.trail = trail;
    this.urgency = urgency;
    this.actions = new Int32Array(game.maxActions);
    this.probabilities = new Float64Array(game.maxActions);
  }

  play(state: State, random: Random): void {
    const { actions, probabilities, trail, urgency } = this;
    let left = this.plies;
    for (let mover = state.toMove; mover !== TERMINAL; mover = state.toMove) {
      if (mover === CHANCE) {
        const count = state.chanceOutcomes(actions, probabilities, 0);
        state.apply(actions[random.weighted(probabilities, 0, count)]);
      } else {
        if (left-- === 0) return;
        let count = state.legalActions(actions, 0);
        if (urgency !== null) count = urgency.keep(state, actions, count);
        const action = this.pick(mover, count, random);
        if (trail !== null) trail.add(mover, action);
        state.apply(action);
      }
    }
  }

  /** One of the first `count` of `actions`, for the player to move. */
  protected pick(_player: number, count: number, random: Random): number {
    return this.actions[random.below(count)];
  }
}
