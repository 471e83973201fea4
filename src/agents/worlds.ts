import { InputError } from "../base/errors.ts";
import { type Random, createRandom } from "../base/random.ts";
import { type Game, type State, CHANCE } from "../games/contract/game.ts";
import { parseLegal } from "../games/contract/notation.ts";
import { ObservedGame, type Worlds } from "../games/contract/privacy.ts";
import type { Turn, AgentParts, Agent, Budget, Decision } from "./agent.ts";
import { z } from "zod";

/** Draws the worlds that agents get instead of the truth in games of hidden information. */
export class DrawnWorld {
  private readonly observed: ObservedGame;
  private readonly start: State;
  private readonly world: Int32Array;

  constructor(game: Game) {
    this.observed = new ObservedGame(game);
    this.start = game.start();
    this.world = new Int32Array(this.observed.privacy.maxEvents);
  }

  /**
   * Sets `state` to a world of the player who is to move after these actions from the start, and returns what the player is
   * told. `random` is the world's alone.
   */
  draw(
    actions: readonly number[],
    state: State,
    random: Random,
  ): Required<Pick<Turn, "played" | "knowledge">> {
    const { observed, world } = this;
    observed.replay(actions);
    const player = observed.state.toMove;
    const worlds = observed.worlds(player);
    const length = worlds.draw(random, world);
    state.copyFrom(this.start);
    for (let at = 0; at < length; at++) state.apply(world[at]);
    const drawn = Array.from(world.subarray(0, length));
    const codes = observed.codes[player]!.slice(0, observed.counts[player]);
    return { played: () => ({ actions: drawn }), knowledge: { codes, worlds } };
  }
}

/**
 * The actions that led to a position of a game of hidden information, by its privacy or by the notation of positions. Throws
 * InputError if neither tells them.
 */
export function historyOf(game: Game, state: State): readonly number[] {
  const told = game.privacy?.history?.(state);
  if (told !== undefined) return told;
  const now = game.start();
  const isThere = () => now.hashLow === state.hashLow && now.hashHigh === state.hashHigh;
  if (isThere()) return [];
  const text = game.formatState(state);
  const actions = text.split(/\s+/).map((word) => {
    const action = parseLegal(game, word, now);
    now.apply(action);
    return action;
  });
  if (isThere()) return actions;
  throw new InputError(`"${text}" does not have the actions of a game of ${game.id}, one after the other`);
}

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

  /** The candidates of the last call that the model does not exclude, and their probabilities. */
  *weighed(): Iterable<{ readonly events: Int32Array; readonly weight: number }> {
    for (const [at, weight] of this.weights.entries())
      if (weight > 0) yield { events: this.candidates[at]!.subarray(0, this.lengths[at]), weight };
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

/** Predicts how likely the other players are to play each action, by asking an agent. */
export class OpponentModel {
  private readonly agent: Agent;
  private readonly budget: Budget;
  /** A copy of the state for an agent that searches. */
  private readonly view: State;

  constructor(game: Game, opponent: NonNullable<AgentParts<unknown>["opponent"]>) {
    this.agent = opponent.create();
    this.budget = opponent.budget;
    this.view = game.start();
  }

  /**
   * Writes the probabilities of the `count` actions at actions[at...], and returns how many positions it visited. If
   * the agent cannot tell probabilities, its decision is certain; the random numbers that the agent gets descend from
   * the position.
   * @param codes the codes of the player to move; only in games of hidden information
   */
  weigh(
    state: State,
    actions: Int32Array,
    probabilities: Float64Array,
    at: number,
    count: number,
    codes?: Int32Array,
  ): number {
    const { agent, budget, view } = this;
    if (agent.weigh !== undefined) return agent.weigh(state, actions, probabilities, at, count, codes);
    view.copyFrom(state);
    const random = createRandom("opponent", state.hashLow, state.hashHigh);
    const { action, nodes } = agent.choose(view, { random, budget, clock: () => 0 }) as Decision;
    for (let index = at; index < at + count; index++)
      probabilities[index] = actions[index] === action ? 1 : 0;
    return nodes;
  }
}
