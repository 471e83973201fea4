import { z } from "zod";
import type { Random } from "../base/random.ts";
import { CHANCE, type Game } from "../games/contract/game.ts";
import { ObservedGame, type Worlds } from "../games/contract/privacy.ts";
import type { AgentParts } from "./agent.ts";
import { OpponentModel } from "./opponent-model.ts";

/** Options of agents that draw worlds. */
export const worldsOptions = {
  opponent: z
    .looseObject({ agent: z.string() })
    .optional()
    .describe(
      "a model of the other players, such as { agent: greedy, evaluator: NAME, temperature: 0.2 }: a world is drawn in proportion to how likely the model plays as the others did",
    ),
  candidates: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(200)
    .describe("worlds that the model weighs before a decision"),
};

/**
 * Worlds in proportion to how likely a model of the other players makes their actions in them. A decision weighs a number of
 * candidates once, and draws among these (sampling importance resampling, Rubin 1987).
 */
export class WeighedWorlds {
  private readonly observed: ObservedGame;
  private readonly model: OpponentModel;
  private readonly candidates: readonly Int32Array[];
  private readonly lengths: Int32Array;
  private readonly weights: Float64Array;
  private readonly actions: Int32Array;
  private readonly probabilities: Float64Array;

  constructor(game: Game, opponent: NonNullable<AgentParts<unknown>["opponent"]>, candidates: number) {
    this.observed = new ObservedGame(game);
    this.model = new OpponentModel(game, opponent);
    const { maxEvents } = this.observed.privacy;
    this.candidates = Array.from({ length: candidates }, () => new Int32Array(maxEvents));
    this.lengths = new Int32Array(candidates);
    this.weights = new Float64Array(candidates);
    this.actions = new Int32Array(game.maxActions);
    this.probabilities = new Float64Array(game.maxActions);
  }

  /** The worlds of `player`, weighed. Where the model excludes every candidate, all are equally likely. They hold until the next call. */
  weigh(worlds: Worlds, player: number, random: Random): Worlds {
    const { candidates, lengths, weights } = this;
    let sum = 0;
    for (const [at, candidate] of candidates.entries()) {
      lengths[at] = worlds.draw(random, candidate);
      weights[at] = this.likelihood(candidate, lengths[at]!, player);
      sum += weights[at]!;
    }
    if (sum === 0) weights.fill(1);
    // Weights become probabilities, which a draw takes in one pass.
    const all = sum === 0 ? candidates.length : sum;
    for (let at = 0; at < weights.length; at++) weights[at]! /= all;
    return {
      draw(own, out) {
        const at = own.weighted(weights, 0, weights.length);
        out.set(candidates[at]!.subarray(0, lengths[at]));
        return lengths[at]!;
      },
    };
  }

  /** The product of the probabilities of the others' actions. */
  private likelihood(events: Int32Array, length: number, player: number): number {
    const { observed, actions, probabilities } = this;
    const { state, codes, counts } = observed;
    observed.restart();
    let product = 1;
    for (let at = 0; at < length && product > 0; at++) {
      const mover = state.toMove;
      if (mover !== CHANCE && mover !== player) {
        const count = state.legalActions(actions, 0);
        const known = codes[mover]!.subarray(0, counts[mover]);
        this.model.weigh(state, actions, probabilities, 0, count, known);
        product *= probabilities[actions.subarray(0, count).indexOf(events[at]!)]!;
      }
      observed.apply(events[at]!);
    }
    return product;
  }
}
