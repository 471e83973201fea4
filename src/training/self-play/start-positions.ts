import type { Random } from "../../base/random.ts";
import { CHANCE, TERMINAL, type Game, type State } from "../../games/contract/game.ts";

/** The positions at which games of self-play begin and learning starts. */
export interface StartOptions {
  /** Random plies before; their number is drawn for each game between `from` and `to`. */
  readonly randomPlies: { readonly from: number; readonly to: number };
  /** Positions to draw from, instead of the start of the game. */
  readonly states?: readonly State[];
}

/** Sets up games of self-play: draws a position, then plays random plies. */
export class StartPositions {
  private readonly starts: readonly State[];
  private readonly plies: { readonly from: number; readonly to: number };
  private readonly random: Random;
  private readonly actions: Int32Array;
  private readonly probabilities: Float64Array;

  constructor(game: Game, { randomPlies, states }: StartOptions, random: Random) {
    this.starts = states ?? [game.start()];
    this.plies = randomPlies;
    this.random = random;
    this.actions = new Int32Array(game.maxActions);
    this.probabilities = new Float64Array(game.maxActions);
  }

  /** Sets `state` to where a game begins. If the random plies end the game, they are left out. */
  setUp(state: State): void {
    const { random, starts, plies, actions } = this;
    const start = starts.length === 1 ? starts[0]! : starts[random.below(starts.length)]!;
    let left = plies.from === plies.to ? plies.from : plies.from + random.below(plies.to - plies.from + 1);
    state.copyFrom(start);
    while (left > 0 && state.toMove !== TERMINAL) {
      if (state.toMove === CHANCE) {
        state.apply(this.draw(state));
      } else {
        state.apply(actions[random.below(state.legalActions(actions, 0))]);
        left--;
      }
    }
    if (state.toMove === TERMINAL) state.copyFrom(start);
  }

  /** Draws the outcome of a chance event. */
  draw(state: State): number {
    const count = state.chanceOutcomes(this.actions, this.probabilities, 0);
    return this.actions[this.random.weighted(this.probabilities, 0, count)];
  }
}
