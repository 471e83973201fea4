import type { Random } from "../../base/random.ts";
import { CHANCE, TERMINAL, type Game, type State, type DecisiveMoves } from "../../game/game.ts";
import type { Trail } from "./simulation.ts";

/** How a simulation goes on beyond the tree. */
export interface Playout {
  /** Plays from a new leaf on, to the end of the game or until an evaluator is to value the position. */
  play(state: State, random: Random): void;
}

/** Plays random actions to the end. There is nothing in its loop that it can do without. */
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

/** What a playout may do besides. */
export interface PlayoutParts {
  /** How many plies are played at most. */
  readonly plies: number;
  /** Where it writes down what it plays. */
  readonly trail: Trail | null;
  /** The game's, if the playout is to heed it. */
  readonly decisiveMoves: DecisiveMoves | null;
}

/** Plays random actions, as its parts say; a subclass may prefer some. */
export class GuidedPlayout implements Playout {
  protected readonly actions: Int32Array;
  private readonly probabilities: Float64Array;
  private readonly parts: PlayoutParts;

  constructor(game: Game, parts: PlayoutParts) {
    this.actions = new Int32Array(game.maxActions);
    this.probabilities = new Float64Array(game.maxActions);
    this.parts = parts;
  }

  play(state: State, random: Random): void {
    const { actions, probabilities } = this;
    const { plies, trail, decisiveMoves } = this.parts;
    let played = 0;
    for (let mover = state.toMove; mover !== TERMINAL; mover = state.toMove) {
      if (mover === CHANCE) {
        const count = state.chanceOutcomes(actions, probabilities, 0);
        state.apply(actions[random.weighted(probabilities, 0, count)]);
        continue;
      }
      if (played++ >= plies) return;
      let count = state.legalActions(actions, 0);
      if (decisiveMoves !== null) count = decisiveMoves.keep(state, actions, count);
      const action = this.pick(mover, count, random);
      if (trail !== null) trail.add(mover, action);
      state.apply(action);
    }
  }

  /** One of the first `count` of `actions`, for the player to move. */
  protected pick(_player: number, count: number, random: Random): number {
    return this.actions[random.below(count)];
  }
}
