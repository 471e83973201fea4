import { z } from "zod";
import type { Random } from "../../base/random.ts";
import { CHANCE, TERMINAL, type Game, type State } from "../../games/contract/game.ts";

/*
 * Openings: the positions at which games of self-play begin, in the words of a config and at play.
 */

const randomPlies = z.int().min(0).max(1000);

const opening = {
  randomPlies: z
    .union([randomPlies, z.strictObject({ from: randomPlies, to: randomPlies })])
    .default(0)
    .describe(
      "random plies before learning begins: a number, or one drawn for each game between `from` and `to`",
    ),
  states: z
    .union([z.string(), z.array(z.string()).min(1)])
    .optional()
    .describe(
      "positions to begin from, one drawn for each game: a list, or a file with one position on each line",
    ),
};

/** Schema of `openings` in a config. */
export const openingsSchema = z.union([
  z.strictObject(opening),
  z.strictObject({
    mix: z
      .array(
        z.strictObject({
          share: z
            .number()
            .positive()
            .default(1)
            .describe("its part of the games, in proportion to the sum of all shares"),
          ...opening,
        }),
      )
      .min(1)
      .describe("several openings, one drawn for each game by their shares"),
  }),
]);
export type Openings = z.output<typeof openingsSchema>;

/** An opening of a config, checked: where games begin and learning starts. */
export interface StartOptions {
  /** Its part of the games, in proportion to the shares of the others; 1 by default. */
  readonly share?: number;
  /** Random plies before; their number is drawn for each game between `from` and `to`. */
  readonly randomPlies: { readonly from: number; readonly to: number };
  /** Positions to draw from, instead of the start of the game. */
  readonly states?: readonly State[];
}

/** Sets up games of self-play: draws an opening and a position, then plays random plies. */
export class StartPositions {
  private readonly openings: readonly StartOptions[];
  /** By opening: the probability that a game begins with it. */
  private readonly shares: Float64Array;
  private readonly start: readonly State[];
  private readonly random: Random;
  private readonly actions: Int32Array;
  private readonly probabilities: Float64Array;

  constructor(game: Game, openings: readonly StartOptions[], random: Random) {
    const sum = openings.reduce((total, { share = 1 }) => total + share, 0);
    this.openings = openings;
    this.shares = Float64Array.from(openings, ({ share = 1 }) => share / sum);
    this.start = [game.start()];
    this.random = random;
    this.actions = new Int32Array(game.maxActions);
    this.probabilities = new Float64Array(game.maxActions);
  }

  /** Sets `state` to where a game begins. If the random plies end the game, they are left out. */
  setUp(state: State): void {
    const { random, openings, shares, actions } = this;
    const { randomPlies: plies, states: starts = this.start } =
      openings.length === 1 ? openings[0]! : openings[random.weighted(shares, 0, shares.length)]!;
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
    const count = state.chanceOutcomes!(this.actions, this.probabilities, 0);
    return this.actions[this.random.weighted(this.probabilities, 0, count)];
  }
}
