import { z } from "zod";
import type { Random } from "../../base/random.ts";

/*
 * Exploration: the moves of self-play that are not the best, in the words of a config and at play.
 */

/** Schema of a number that may change over a training; `number` checks its ends. */
export function annealedSchema(number: z.ZodNumber) {
  return z.union([
    number,
    z
      .strictObject({
        from: number.describe("at the first game"),
        to: number.describe("at the last game"),
        shape: z
          .enum(["linear", "exponential"])
          .default("linear")
          .describe(
            "from one game to the next: the same difference (linear), or the same ratio (exponential)",
          ),
      })
      .refine(({ from, to, shape }) => shape === "linear" || (from > 0 && to > 0), {
        message: "an exponential schedule cannot reach 0; its ends must be more than 0",
      }),
  ]);
}

/** A number that stays the same, or changes from game to game of a training. */
type Annealed = z.output<ReturnType<typeof annealedSchema>>;

/** The value after a share of the training's games, from 0 to 1. @internal a test compares the two shapes */
export function annealedAt(value: Annealed, share: number): number {
  if (typeof value === "number") return value;
  const { from, to, shape } = value;
  return shape === "linear" ? from + (to - from) * share : from * (to / from) ** share;
}

/** The value in the game of a number, from 0, of a training of `games` games. */
export function annealedIn(value: Annealed, number: number, games: number): number {
  return annealedAt(value, games > 1 ? number / (games - 1) : 0);
}

/** Schema of `exploration` in a config. */
export const explorationSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z
      .literal("epsilon-greedy")
      .optional()
      .default("epsilon-greedy")
      .describe("now and then a random move"),
    epsilon: annealedSchema(z.number().min(0).max(1)).describe("probability of a random move"),
  }),
  z.strictObject({
    kind: z.literal("softmax").describe("better moves more often than worse ones"),
    temperature: annealedSchema(z.number().positive()).describe(
      "each action has probability proportional to exp(value / temperature)",
    ),
  }),
  z.strictObject({
    kind: z
      .literal("ordinal")
      .describe("for the search descent: the order of the actions alone counts (Cohen-Solal 2020)"),
    exploitation: annealedSchema(z.number().min(0).max(1)).describe(
      "e: from the best action on, each is taken with probability e + (1 - e) / n, with n actions left; 0: all alike, 1: the best",
    ),
  }),
]);

/** Decides when self-play explores, and how. Its numbers are set anew for each game. */
export class Explorer {
  /** Probability of a random action. */
  epsilon = 0;
  /** Above 0, softmax: an action's probability is proportional to exp(value / temperature). 0: the best action. */
  temperature = 0;
  /** See `drawRank`; undefined: the order of the actions does not decide. */
  exploitation: number | undefined = undefined;

  /** A game begins: the one of this number, from 0, of a training. */
  begin(
    { exploration, games }: { exploration: z.output<typeof explorationSchema>; games: number },
    number: number,
  ): void {
    const now = (value: Annealed) => annealedIn(value, number, games);
    this.epsilon = exploration.kind === "epsilon-greedy" ? now(exploration.epsilon) : 0;
    this.temperature = exploration.kind === "softmax" ? now(exploration.temperature) : 0;
    this.exploitation = exploration.kind === "ordinal" ? now(exploration.exploitation) : undefined;
  }

  /** True if the next action is to be a random one. */
  explores(random: Random): boolean {
    return this.epsilon > 0 && random.float() < this.epsilon;
  }

  /**
   * Draws one of `count` ranks by the ordinal law (Cohen-Solal 2020): with e the exploitation, each rank in turn is taken with
   * probability e + (1 - e) / n, where n ranks are left.
   */
  drawRank(count: number, random: Random): number {
    const { exploitation: share = 1 } = this;
    let rank = 0;
    while (rank < count - 1 && random.float() >= share + (1 - share) / (count - rank)) rank++;
    return rank;
  }

  /** Draws one of the first `count` indexes, each in proportion to exp(value / temperature). */
  draw(values: Float64Array, count: number, random: Random): number {
    const { temperature } = this;
    let best = -Infinity;
    for (let at = 0; at < count; at++) if (values[at] > best) best = values[at];
    let sum = 0;
    for (let at = 0; at < count; at++) sum += Math.exp((values[at] - best) / temperature);
    let left = random.float() * sum;
    for (let at = 0; at < count; at++) {
      left -= Math.exp((values[at] - best) / temperature);
      if (left < 0) return at;
    }
    return count - 1;
  }
}
