import { CHANCE, type State } from "../../games/contract/game.ts";
import { type AgentParts, type Decision, type Turn } from "../agent.ts";
import { OpponentModel } from "../worlds.ts";
import { BoundsSearch, NO_ACTION } from "../search/bounds-search.ts";
import { ChanceStack, depthFirstOptions } from "../search/depth-first.ts";
import { random } from "../without-search.ts";
import { z } from "zod";

/**
 * Expectimax without pruning at chance events, as a search with a window. At decisions the window works as in
 * alpha-beta. `Expectimax` prunes at chance events too.
 */
export abstract class ExpectimaxSearch extends BoundsSearch {
  protected readonly proves: boolean;
  protected readonly stack: ChanceStack;
  /** The model of the other players; null if they play their best against me. */
  protected readonly model: OpponentModel | null;
  private readonly prunes: boolean;
  /** The chance outcome just before the position, or 0. */
  protected outcome = 0;
  /** In this decision: the positions whose actions were listed, and the number of those actions. */
  protected decisions = 0;
  protected listed = 0;
  /** The values, or bounds, that the last iteration found for the root's actions. */
  private readonly rootValues = new Map<number, number>();

  constructor(parts: AgentParts<ExpectimaxOptions>) {
    super(parts);
    const { game, options } = parts;
    this.stack = new ChanceStack(this.levels * game.maxActions);
    const opponent = parts.opponent ?? { budget: {}, create: () => random.create({ ...parts, options: {} }) };
    this.model = options.opponent === "best" ? null : new OpponentModel(game, opponent);
    this.proves = !game.chance && this.model === null;
    this.prunes = options.pruning !== "none";
  }

  override choose(root: State, turn: Turn): Decision {
    this.decisions = 0;
    this.listed = 0;
    return super.choose(root, turn);
  }

  protected search(depth: number, actions: Int32Array): number {
    this.me = this.state.toMove;
    this.outcome = 0;
    this.stack.actions.set(actions);
    const value = this.best(depth, 0, actions.length, 0, -Infinity, Infinity, NO_ACTION);
    if (this.history !== null) {
      // Among equal values the first one found is exact; the others may be bounds.
      const { bestAction, rootValues } = this;
      rootValues.set(bestAction, Infinity);
      actions.sort((one, other) => rootValues.get(other)! - rootValues.get(one)!);
    }
    return value;
  }

  protected expand(
    depth: number,
    at: number,
    ply: number,
    alpha: number,
    beta: number,
    first: number,
  ): number {
    const { game, state, stack } = this;
    stack.reserve(at + game.maxActions);
    if (state.toMove === CHANCE) {
      const count = state.chanceOutcomes!(stack.actions, stack.probabilities, at);
      return this.mean(depth, at, count, ply, alpha, beta);
    }
    const count = state.legalActions(stack.actions, at);
    this.decisions++;
    this.listed += count;
    if (state.toMove === this.me || this.model === null)
      return this.best(depth, at, count, ply, alpha, beta, first);
    for (let looks = this.askModel(this.model, at, count); looks > 0; looks--) this.meter.count();
    return this.mean(depth - 1, at, count, ply, alpha, beta);
  }

  /** Writes the probability of each of the `count` actions at stack[at...]; see `OpponentModel`. */
  protected askModel(model: OpponentModel, at: number, count: number): number {
    const { state, stack } = this;
    return model.weigh(state, stack.actions, stack.probabilities, at, count);
  }

  /**
   * Returns the highest value for `me` over the `count` actions at stack[at...], or the lowest if another player moves.
   */
  private best(
    depth: number,
    at: number,
    count: number,
    ply: number,
    alpha: number,
    beta: number,
    first: number,
  ): number {
    const { state, stack, meter, lines, history, outcome } = this;
    const player = state.toMove;
    const mine = player === this.me;
    const end = at + count;
    const isOrdered = history !== null && ply > 0;
    if (isOrdered) history.score(stack.actions, at, count, first, player, outcome);
    let best = mine ? -Infinity : Infinity;
    let bestAction = stack.actions[at];
    let floor = alpha;
    let ceiling = beta;
    for (let index = at; index < end; index++) {
      if (isOrdered) history.bringBest(stack.actions, index, end);
      const action = stack.actions[index];
      state.apply(action);
      meter.count();
      this.outcome = 0;
      const value = this.visit(depth - 1, end, ply + 1, floor, ceiling);
      state.undo();
      if (ply === 0) this.rootValues.set(action, value);
      if (mine ? value > best : value < best) {
        best = value;
        bestAction = action;
        lines.extend(ply, action);
        if (!this.prunes) continue;
        if (mine) floor = Math.max(floor, value);
        else ceiling = Math.min(ceiling, value);
        if (floor >= ceiling) break;
      }
    }
    if (history !== null) history.reward(bestAction, player, outcome, depth);
    this.bestAction = bestAction;
    return best;
  }

  /**
   * Returns the mean over the `count` actions at stack[at...], weighted by their probabilities; `depth` plies are left
   * after them.
   */
  protected mean(
    depth: number,
    at: number,
    count: number,
    ply: number,
    _alpha: number,
    _beta: number,
  ): number {
    const { stack } = this;
    const end = at + count;
    let sum = 0;
    for (let index = at; index < end; index++) {
      const probability = stack.probabilities[index];
      if (probability > 0) sum += probability * this.after(index, end, depth, ply, -Infinity, Infinity);
    }
    this.leaveMean(ply);
    return sum;
  }

  /** After a mean no action is the best, and no play is expected. */
  protected leaveMean(ply: number): void {
    this.lines.clear(ply);
    this.bestAction = NO_ACTION;
  }

  /** Returns the value of the position after the outcome at stack[index]. */
  protected after(
    index: number,
    end: number,
    depth: number,
    ply: number,
    alpha: number,
    beta: number,
  ): number {
    const { state, stack, meter } = this;
    const outcome = stack.actions[index];
    this.outcome = state.toMove === CHANCE ? outcome : 0;
    state.apply(outcome);
    meter.count();
    const value = this.visit(depth, end, ply, alpha, beta);
    state.undo();
    return value;
  }
}

export const options = z.strictObject({
  ...depthFirstOptions,
  opponent: z
    .union([z.enum(["best", "random"]), z.looseObject({ agent: z.string() })])
    .default("best")
    .describe(
      "the expected play of the other players: best, against me; at random; or as an agent, such as { agent: greedy, temperature: 0.1 }, with the same evaluator if it names none",
    ),
  pruning: z
    .enum(["none", "star1", "star2"])
    .default("star2")
    .describe(
      "the parts left out because they cannot change the value: none; star1, by the range of returns; star2, also by one action after each chance outcome",
    ),
  table: z
    .int()
    .min(0)
    .max(2 ** 26)
    .default(2 ** 16)
    .describe("entries of the transposition table, which has positions before chance events too; 0 for none"),
  ordering: z
    .enum(["none", "history"])
    .default("history")
    .describe("the actions that come first: none, the game's order; history, those that were best elsewhere"),
});

/** The options, checked. */
export type ExpectimaxOptions = z.output<typeof options>;
