import { z } from "zod";
import { CHANCE, TERMINAL } from "../games/game.ts";
import { defineAgent, hidden, type AgentParts } from "./agent.ts";
import {
  ChanceStack,
  depthFirstOptions,
  DepthFirstSearch,
  type DepthFirstOptions,
} from "./search/depth-first.ts";

/**
 * Max-n (Luckhardt and Irani 1986): a position has a tuple of values, one for each player. Every player takes the
 * action whose tuple has the largest entry for that player; before a chance event the mean of the tuples counts.
 * Below the root the first of equal actions is expected.
 */
export const maxN = defineAgent({
  id: "max-n",
  summary: "every player for itself, on utility tuples; any number of players, chance too",
  options: z.strictObject(depthFirstOptions),
  budgets: ["depth", "nodes", "timeMs"],
  misfit: hidden,
  create: (parts) => new MaxN(parts),
});

/** @see maxN */
export class MaxN extends DepthFirstSearch {
  protected readonly proves = false;
  protected readonly players: number;
  private readonly stack: ChanceStack;
  /** One tuple of `players` values for each level of the recursion. */
  protected tuples: Float64Array;

  constructor(parts: AgentParts<DepthFirstOptions>) {
    super(parts);
    this.players = this.game.players;
    this.stack = new ChanceStack(this.levels * this.game.maxActions);
    this.tuples = new Float64Array(this.levels * this.players);
  }

  protected search(depth: number, actions: Int32Array): number {
    this.stack.actions.set(actions);
    this.best(depth, 0, actions.length, 0, 0);
    return this.tuples[this.state.toMove];
  }

  /** Puts the tuple of the position just reached at tuples[to...]; its actions go to stack[at...]. */
  protected visit(depth: number, at: number, ply: number, to: number): void {
    const { game, state, stack, players } = this;
    const mover = state.toMove;
    this.lines.clear(ply);
    this.reserve(to + players);
    if (mover === TERMINAL) {
      for (let player = 0; player < players; player++) this.tuples[to + player] = state.returns(player);
      return;
    }
    if (depth === 0) {
      this.complete = false;
      for (let player = 0; player < players; player++)
        this.tuples[to + player] = this.evaluator.evaluate(state, player);
      return;
    }
    stack.reserve(at + game.maxActions);
    if (mover === CHANCE) this.mean(depth, at, ply, to);
    else this.best(depth, at, state.legalActions(stack.actions, at), ply, to);
  }

  /** Puts the tuple with the largest entry for the player to move at tuples[to...]. */
  private best(depth: number, at: number, count: number, ply: number, to: number): void {
    const { state, stack, meter, players } = this;
    const me = state.toMove;
    const child = to + players;
    let best = -Infinity;
    for (let index = at; index < at + count; index++) {
      const action = stack.actions[index];
      state.apply(action);
      meter.count();
      this.visit(depth - 1, at + count, ply + 1, child);
      state.undo();
      const { tuples } = this;
      if (tuples[child + me] > best) {
        best = tuples[child + me];
        tuples.copyWithin(to, child, child + players);
        this.lines.extend(ply, action);
      }
    }
  }

  /** Puts the mean of the tuples of the chance outcomes at tuples[to...]. */
  private mean(depth: number, at: number, ply: number, to: number): void {
    const { state, stack, meter, players } = this;
    const child = to + players;
    const count = state.chanceOutcomes(stack.actions, stack.probabilities, at);
    this.tuples.fill(0, to, child);
    for (let index = at; index < at + count; index++) {
      const probability = stack.probabilities[index];
      state.apply(stack.actions[index]);
      meter.count();
      this.visit(depth, at + count, ply, child);
      state.undo();
      const { tuples } = this;
      for (let player = 0; player < players; player++)
        tuples[to + player] += probability * tuples[child + player];
    }
    this.lines.clear(ply);
  }

  /** Makes room for indexes below `end`. It may replace `tuples`: read it again after it. */
  private reserve(end: number): void {
    if (end <= this.tuples.length) return;
    const tuples = new Float64Array(2 * end);
    tuples.set(this.tuples);
    this.tuples = tuples;
  }
}
