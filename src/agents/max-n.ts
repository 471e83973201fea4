import { z } from "zod";
import { grown } from "../base/hashing.ts";
import { CHANCE, TERMINAL, type State, hidden } from "../games/contract/game.ts";
import { defineAgent, type AgentParts, type Decision, type Turn } from "./agent.ts";
import { NO_ACTION } from "./search/bounds-search.ts";
import { ChanceStack, depthFirstOptions, DepthFirstSearch } from "./search/depth-first.ts";
import { History } from "./search/ordering.ts";

const options = z.strictObject({
  ...depthFirstOptions,
  pruning: z
    .enum(["none", "shallow", "speculative"])
    .default("speculative")
    .describe(
      "the parts left out if returns sum to zero: none; shallow, by two players in a row; speculative, also by three in a row, if there are three",
    ),
  ordering: z
    .enum(["none", "history"])
    .default("history")
    .describe("the actions that come first: none, the game's order; history, those that were best elsewhere"),
});

/** The options, checked. */
export type MaxNOptions = z.output<typeof options>;

/**
 * Max-n (Luckhardt and Irani 1986): a position has a tuple of values, one for each player. Every player takes the
 * action whose tuple has the largest entry for that player; a chance event has the mean of its tuples. Among equal
 * actions below the root, players take the first in the game's order.
 */
export const maxN = defineAgent({
  id: "max-n",
  summary: "every player for itself, on utility tuples; any number of players, chance too",
  options,
  budgets: ["depth", "nodes", "timeMs"],
  heedsClocks: true,
  unsupported: hidden,
  create: (parts) => new MaxN(parts),
});

/** A sum must exceed its limit by this, in units of the range of returns, which roundings never do. */
const MARGIN = 1e-9;

/** Stands for a player where a chance event came between, or the search has just begun. */
const NOBODY = -1;

/**
 * Max-n that skips actions which cannot be chosen, where the entries of all tuples sum to zero. It finds the same as
 * without pruning, to the last bit.
 *
 * Shallow pruning (Korf 1991): a player's best and the best of the player before may leave less than the least that the
 * other players get. Then the player before has better. Speculative pruning (Sturtevant 2003), with three players: the
 * best of three players in a row may sum to more than there is to divide. Then the first of them has better, unless the
 * second finds what the first prefers. In that case the skipped actions are searched after all.
 *
 * Estimates that do not sum to zero are shifted by the same amount for all players.
 */
export class MaxN extends DepthFirstSearch {
  protected readonly proves = false;
  protected readonly players: number;
  private readonly stack: ChanceStack;
  /** One tuple of `players` values for each level of the recursion. */
  protected tuples: Float64Array;
  private readonly history: History | null;
  private readonly prunes: boolean;
  private readonly speculates: boolean;
  /** The most that the best of two players, and of three players, may sum to before actions are skipped. */
  private readonly mostOfTwo: number;
  private readonly mostOfThree: number;
  /** The chance outcome just before the position, or 0. */
  private outcome = 0;
  /** The root's actions in their order, and the best one of the iteration before. */
  private rootActions: Int32Array = new Int32Array(0);
  private rootAction = NO_ACTION;

  constructor(parts: AgentParts<MaxNOptions>) {
    super(parts);
    const { game, options } = parts;
    this.players = game.players;
    this.stack = new ChanceStack(this.levels * game.maxActions);
    this.tuples = new Float64Array(this.levels * this.players);
    this.history = options.ordering === "history" ? new History(game.players) : null;
    this.prunes = options.pruning !== "none" && game.zeroSum && game.players > 1;
    this.speculates = this.prunes && options.pruning === "speculative" && game.players === 3;
    const margin = MARGIN * (game.maxReturn - game.minReturn);
    this.mostOfTwo = margin - (game.players - 2) * game.minReturn;
    this.mostOfThree = margin;
  }

  override choose(root: State, turn: Turn): Decision {
    this.history?.clear();
    this.rootAction = NO_ACTION;
    return super.choose(root, turn);
  }

  protected search(depth: number, actions: Int32Array): number {
    this.stack.actions.set(actions);
    this.rootActions = actions;
    this.outcome = 0;
    this.best(depth, 0, actions.length, 0, 0, NOBODY, -Infinity, NOBODY, -Infinity);
    [this.rootAction = NO_ACTION] = this.lines.root();
    return this.tuples[this.state.toMove];
  }

  /**
   * Puts the tuple of the position just reached at tuples[to...]; its actions go to stack[at...]. `parent` is the
   * player who moved, and already has `parentBest`. `grand` moved before and has `grandBest`; it rejects all that
   * `parent` has found so far. Returns true if the tuple was skipped since `grand` has better.
   */
  protected visit(
    depth: number,
    at: number,
    ply: number,
    to: number,
    parent: number,
    parentBest: number,
    grand: number,
    grandBest: number,
  ): boolean {
    const { game, state, stack, players } = this;
    const mover = state.toMove;
    this.lines.clear(ply);
    this.reserve(to + players);
    if (mover === TERMINAL) {
      for (let player = 0; player < players; player++) this.tuples[to + player] = state.returns(player);
      return false;
    }
    if (depth === 0) {
      this.complete = false;
      for (let player = 0; player < players; player++)
        this.tuples[to + player] = this.evaluator.evaluate(state, player);
      if (this.prunes) this.balance(to);
      return false;
    }
    stack.reserve(at + game.maxActions);
    if (mover === CHANCE) {
      this.mean(depth, at, ply, to);
      return false;
    }
    const count = state.legalActions(stack.actions, at);
    return this.best(depth, at, count, ply, to, parent, parentBest, grand, grandBest);
  }

  /** Puts the tuple with the largest entry for the player to move at tuples[to...]; otherwise as `visit`. */
  private best(
    depth: number,
    at: number,
    count: number,
    ply: number,
    to: number,
    parent: number,
    parentBest: number,
    grand: number,
    grandBest: number,
  ): boolean {
    const { state, stack, meter, players, history, outcome } = this;
    const me = state.toMove;
    const end = at + count;
    const child = to + players;
    const isAfterBoth = me !== parent && me !== grand && parent !== grand;
    const limitOfTwo = me === parent ? Infinity : this.mostOfTwo - parentBest;
    const limitOfThree = isAfterBoth ? this.mostOfThree - parentBest - grandBest : Infinity;
    if (history !== null) {
      const first = ply === 0 ? this.rootAction : NO_ACTION;
      history.score(stack.actions, at, count, first, me, outcome);
    }
    let best = -Infinity;
    let bestAction = NO_ACTION;
    let leftOut = 0;
    // The second round searches the skipped actions, at stack[at...at+leftOut-1].
    for (let index = at, last = end, isSecond = false; ; index++) {
      if (index === last) {
        if (isSecond || leftOut === 0 || this.tuples[to + parent] < parentBest) break;
        isSecond = true;
        index = at;
        last = at + leftOut;
      }
      if (history !== null && !isSecond) history.bringBest(stack.actions, index, end);
      const action = stack.actions[index];
      const isRejected =
        this.speculates && !isSecond && best > -Infinity && this.tuples[to + parent] < parentBest;
      state.apply(action);
      meter.count();
      this.outcome = 0;
      const isLeftOut = this.visit(
        depth - 1,
        end,
        ply + 1,
        child,
        me,
        best,
        isRejected ? parent : NOBODY,
        isRejected ? parentBest : -Infinity,
      );
      state.undo();
      if (isLeftOut) {
        stack.actions[index] = stack.actions[at + leftOut];
        stack.actions[at + leftOut++] = action;
        continue;
      }
      const { tuples } = this;
      const value = tuples[child + me];
      if (value > best || (value === best && this.isBefore(action, bestAction, ply))) {
        best = value;
        bestAction = action;
        tuples.copyWithin(to, child, child + players);
        this.lines.extend(ply, action);
        if (this.prunes && best > limitOfTwo) break;
        if (this.speculates && best > limitOfThree) {
          history?.reward(bestAction, me, outcome, depth);
          return true;
        }
      }
    }
    history?.reward(bestAction, me, outcome, depth);
    return false;
  }

  /** True if an equal action is preferred: it comes first in the game's order, at the root in the root's own order. */
  private isBefore(action: number, other: number, ply: number): boolean {
    if (ply > 0) return action < other;
    const { rootActions } = this;
    return rootActions.indexOf(action) < rootActions.indexOf(other);
  }

  /** Puts the mean of the tuples of the chance outcomes at tuples[to...]. */
  private mean(depth: number, at: number, ply: number, to: number): void {
    const { state, stack, meter, players } = this;
    const child = to + players;
    const count = state.chanceOutcomes!(stack.actions, stack.probabilities, at);
    this.tuples.fill(0, to, child);
    for (let index = at; index < at + count; index++) {
      const probability = stack.probabilities[index];
      this.outcome = stack.actions[index];
      state.apply(this.outcome);
      meter.count();
      this.visit(depth, at + count, ply, child, NOBODY, -Infinity, NOBODY, -Infinity);
      state.undo();
      const { tuples } = this;
      for (let player = 0; player < players; player++)
        tuples[to + player] += probability * tuples[child + player];
    }
    this.lines.clear(ply);
  }

  /**
   * Shifts the estimates at tuples[to...] so that they sum to zero. If one of them is then below all returns, all are
   * made smaller by the same factor.
   */
  private balance(to: number): void {
    const { tuples, players, game } = this;
    let sum = 0;
    for (let at = to; at < to + players; at++) sum += tuples[at];
    if (Math.abs(sum) <= MARGIN * game.maxReturn) return;
    let least = 0;
    for (let at = to; at < to + players; at++) {
      tuples[at] -= sum / players;
      least = Math.min(least, tuples[at]);
    }
    if (least < game.minReturn) {
      for (let at = to; at < to + players; at++) tuples[at] *= game.minReturn / least;
    }
  }

  /** Makes room for indexes below `end`. It may replace `tuples`: read it again after it. */
  private reserve(end: number): void {
    if (end > this.tuples.length) this.tuples = grown(this.tuples, 2 * end);
  }
}
