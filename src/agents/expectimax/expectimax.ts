import { grown } from "../../base/hashing.ts";
import { TERMINAL, hidden, notDuel } from "../../games/contract/game.ts";
import { type AgentParts, defineAgent } from "../agent.ts";
import { NO_ACTION } from "../search/bounds-search.ts";
import { type ExpectimaxOptions, options, ExpectimaxSearch } from "./search.ts";

/**
 * Expectiminimax (Michie 1966): minimax in which a position before a chance event has the mean of its outcomes' values.
 * With a model of the opponent, a position in which another player moves has the mean over that player's actions, each
 * as likely as the model says (opponent modelling: Jansen 1992; Carmel and Markovitch 1993). A chance event is not a
 * ply: the evaluator may be asked before one.
 */
export const expectimax = defineAgent({
  id: "expectimax",
  summary: "minimax with chance nodes; one or two players, or any number with a model of the others' play",
  options,
  budgets: ["depth", "nodes", "timeMs"],
  heedsClocks: true,
  unsupported: (game, { opponent }) =>
    game.players === 1 || opponent !== "best" ? hidden(game) : notDuel(game),
  create: (parts) => new Expectimax(parts),
});

/** Star2 is used if positions have at least this many actions on average. */
const FEWEST_ACTIONS = 4;

/**
 * Expectimax that skips outcomes which cannot bring the mean back into the window (Ballard 1983; Hauk, Buro and
 * Schaeffer 2004).
 *
 * Star1 searches each outcome with the window in which it matters: the outcomes that are left may be worth as much, or
 * as little, as any position can be. Star2 first looks at one action after each outcome, which bounds the outcome's
 * value: from above where the other player moves, from below where I do. If positions have few actions, such a look
 * costs too much.
 */
export class Expectimax extends ExpectimaxSearch {
  private readonly bounds: OutcomeBounds | null;
  private readonly probes: boolean;

  constructor(parts: AgentParts<ExpectimaxOptions>) {
    super(parts);
    const { pruning } = parts.options;
    this.bounds = pruning === "none" ? null : new OutcomeBounds();
    this.probes = pruning === "star2" && this.game.players > 1 && this.model === null;
  }

  protected override mean(
    depth: number,
    at: number,
    count: number,
    ply: number,
    alpha: number,
    beta: number,
  ): number {
    const { bounds } = this;
    if (bounds === null || (alpha === -Infinity && beta === Infinity))
      return super.mean(depth, at, count, ply, alpha, beta);
    const value = this.star(bounds, depth, at, at + count, ply, alpha, beta);
    this.leaveMean(ply);
    return value;
  }

  /** Returns the mean over stack[at...end-1], as `mean` does, or a bound outside of the window. */
  private star(
    bounds: OutcomeBounds,
    depth: number,
    at: number,
    end: number,
    ply: number,
    alpha: number,
    beta: number,
  ): number {
    const { game, evaluator, state, stack, me } = this;
    const highest = Math.min(game.maxReturn, evaluator.atMost?.(state, me, depth) ?? Infinity);
    bounds.begin(stack.probabilities, at, end, game.minReturn, highest);
    if (this.probes && this.listed >= FEWEST_ACTIONS * this.decisions) {
      const bound = this.probe(bounds, depth, at, end, ply, alpha, beta);
      if (bound <= alpha || bound >= beta) return bound;
    }
    let sum = 0;
    for (let place = at; place < end; place++) {
      const index = bounds.order[place];
      const probability = stack.probabilities[index];
      if (probability === 0) continue;
      const least = sum + bounds.restLow[place];
      const most = sum + bounds.restHigh[place];
      const floor = (alpha - most) / probability;
      const ceiling = (beta - least) / probability;
      const value = this.after(index, end, depth, ply, floor, ceiling);
      if (value <= floor) return Math.min(alpha, most + probability * value);
      if (value >= ceiling) return Math.max(beta, least + probability * value);
      sum += probability * value;
      bounds.low[index] = value;
    }
    // Sums of fractions depend on their order: this is the order of the search without pruning.
    let mean = 0;
    for (let index = at; index < end; index++)
      if (stack.probabilities[index] > 0) mean += stack.probabilities[index] * bounds.low[index];
    return mean;
  }

  /**
   * Looks at one action after each outcome (Star2). Returns a bound of the mean outside of the window as soon as there
   * is one, else NaN. It stops at an outcome without a useful bound.
   */
  private probe(
    bounds: OutcomeBounds,
    depth: number,
    at: number,
    end: number,
    ply: number,
    alpha: number,
    beta: number,
  ): number {
    const { state, stack, meter, me } = this;
    let least = 0;
    let most = 0;
    for (let index = at; index < end; index++) {
      const probability = stack.probabilities[index];
      const outcome = stack.actions[index];
      const othersLeast = least + bounds.restLow[index];
      const othersMost = most + bounds.restHigh[index];
      state.apply(outcome);
      meter.count();
      const mover = state.toMove;
      this.outcome = outcome;
      const value = this.look(
        depth,
        end,
        ply,
        mover === me ? -Infinity : (alpha - othersMost) / probability,
        mover === me ? (beta - othersLeast) / probability : Infinity,
      );
      state.undo();
      if (Number.isNaN(value)) return NaN;
      if (mover === me || mover === TERMINAL) bounds.low[index] = value;
      if (mover !== me || mover === TERMINAL) bounds.high[index] = value;
      least += probability * bounds.low[index];
      most += probability * bounds.high[index];
      if (most + bounds.restHigh[index] <= alpha) return most + bounds.restHigh[index];
      if (least + bounds.restLow[index] >= beta) return least + bounds.restLow[index];
    }
    bounds.arrange(stack.probabilities, at, end);
    return NaN;
  }

  /**
   * Returns a bound of the value of the position just reached by a chance outcome: the value of its first action, or
   * the result of a finished game. NaN if no bound is useful: the window is open on the side of the player to move.
   */
  protected look(depth: number, at: number, ply: number, alpha: number, beta: number): number {
    const { game, state, stack, meter, history, outcome, me } = this;
    const mover = state.toMove;
    if (mover === TERMINAL) return state.returns(me);
    const isUseful = mover === me ? beta < Infinity : mover >= 0 && alpha > -Infinity;
    if (!isUseful) return NaN;
    stack.reserve(at + game.maxActions);
    const count = state.legalActions(stack.actions, at);
    if (history !== null) {
      history.score(stack.actions, at, count, this.tableAction(), mover, outcome);
      history.bringBest(stack.actions, at, at + count);
    }
    state.apply(stack.actions[at]);
    meter.count();
    this.outcome = 0;
    const value = this.visit(depth - 1, at + count, ply + 1, alpha, beta);
    state.undo();
    return value;
  }

  private tableAction(): number {
    const { table, state } = this;
    if (table === null) return NO_ACTION;
    const salt = this.salt();
    const slot = table.find(state.hashLow ^ salt, state.hashHigh ^ salt);
    return slot < 0 ? NO_ACTION : table.action[slot];
  }
}

/**
 * The outcomes of the chance events on a search's path: the bounds of each value, the order of the search, and the
 * least and the most that later outcomes add to the mean. Indexes are those of the search's ChanceStack.
 */
export class OutcomeBounds {
  low = new Float64Array(0);
  high = new Float64Array(0);
  /** The indexes of the outcomes, in the order of the search. */
  order = new Int32Array(0);
  /** By place in the order: sums of probability times bound over all later outcomes. */
  restLow = new Float64Array(0);
  restHigh = new Float64Array(0);

  /** Begins a chance event, whose outcomes at from...end-1 are worth `lowest` to `highest`. */
  begin(probabilities: Float64Array, from: number, end: number, lowest: number, highest: number): void {
    this.reserve(end);
    this.low.fill(lowest, from, end);
    this.high.fill(highest, from, end);
    for (let index = from; index < end; index++) this.order[index] = index;
    this.addUp(probabilities, from, end);
  }

  /**
   * Sorts outcomes so that those with the widest bounds, times probability, come first, and adds the bounds up again.
   */
  arrange(probabilities: Float64Array, from: number, end: number): void {
    const { order, low, high } = this;
    for (let place = from + 1; place < end; place++) {
      const index = order[place];
      const open = probabilities[index] * (high[index] - low[index]);
      let to = place;
      for (; to > from; to--) {
        const before = order[to - 1];
        if (probabilities[before] * (high[before] - low[before]) >= open) break;
        order[to] = before;
      }
      order[to] = index;
    }
    this.addUp(probabilities, from, end);
  }

  private addUp(probabilities: Float64Array, from: number, end: number): void {
    const { order, low, high, restLow, restHigh } = this;
    let sumLow = 0;
    let sumHigh = 0;
    for (let place = end - 1; place >= from; place--) {
      const index = order[place];
      restLow[place] = sumLow;
      restHigh[place] = sumHigh;
      sumLow += probabilities[index] * low[index];
      sumHigh += probabilities[index] * high[index];
    }
  }

  private reserve(end: number): void {
    if (end <= this.low.length) return;
    this.order = grown(this.order, 2 * end);
    this.low = grown(this.low, 2 * end);
    this.high = grown(this.high, 2 * end);
    this.restLow = grown(this.restLow, 2 * end);
    this.restHigh = grown(this.restHigh, 2 * end);
  }
}
