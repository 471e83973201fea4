import { z } from "zod";
import { CHANCE, TERMINAL } from "../games/game.ts";
import { defineAgent, hidden, notDuel, type AgentParts } from "./agent.ts";
import { ChanceStack, depthFirstOptions, DepthFirstSearch } from "./search/depth-first.ts";

const options = z.strictObject({
  ...depthFirstOptions,
  opponent: z
    .enum(["best", "random"])
    .default("best")
    .describe("how the other players are expected to play: best, against me; or at random"),
});

/** The options, checked. */
export type ExpectimaxOptions = z.output<typeof options>;

/**
 * Expectiminimax (Michie 1966): minimax in which a position before a chance event has the mean of its outcomes'
 * values. With the option `opponent: random`, a position in which another player moves has the mean over its actions
 * too. A chance event is not a ply: when no plies are left the evaluator is asked, before a chance event too.
 */
export const expectimax = defineAgent({
  id: "expectimax",
  summary:
    "minimax with chance nodes; one or two players, or any number, the others expected to play at random",
  options,
  budgets: ["depth", "nodes", "timeMs"],
  misfit: (game, { opponent }) =>
    game.players === 1 || opponent === "random" ? hidden(game) : notDuel(game),
  create: (parts) => new Expectimax(parts),
});

/** @see expectimax */
export class Expectimax extends DepthFirstSearch {
  protected readonly proves: boolean;
  protected readonly stack: ChanceStack;
  protected readonly opponent: ExpectimaxOptions["opponent"];
  protected me = 0;

  constructor(parts: AgentParts<ExpectimaxOptions>) {
    super(parts);
    this.stack = new ChanceStack(this.levels * this.game.maxActions);
    this.opponent = parts.options.opponent;
    this.proves = !this.game.chance && this.opponent === "best";
  }

  protected search(depth: number, actions: Int32Array): number {
    this.me = this.state.toMove;
    this.stack.actions.set(actions);
    return this.best(depth, 0, actions.length, 0);
  }

  /** Value for `me` of the position just reached, with `depth` plies left; its actions go to stack[at...]. */
  protected visit(depth: number, at: number, ply: number): number {
    const { game, state, stack, opponent } = this;
    const mover = state.toMove;
    this.lines.clear(ply);
    if (mover === TERMINAL) return state.returns(this.me);
    if (depth === 0) {
      this.complete = false;
      return this.evaluator.evaluate(state, this.me);
    }
    stack.reserve(at + game.maxActions);
    if (mover === CHANCE) {
      return this.mean(depth, at, state.chanceOutcomes(stack.actions, stack.probabilities, at), ply);
    }
    const count = state.legalActions(stack.actions, at);
    if (mover === this.me || opponent === "best") return this.best(depth, at, count, ply);
    stack.probabilities.fill(1 / count, at, at + count);
    return this.mean(depth - 1, at, count, ply);
  }

  /**
   * Mean over the `count` actions at stack[at...], weighted by their probabilities; `depth` plies are left after
   * them.
   */
  protected mean(depth: number, at: number, count: number, ply: number): number {
    const { state, stack, meter } = this;
    let sum = 0;
    for (let index = at; index < at + count; index++) {
      const probability = stack.probabilities[index];
      state.apply(stack.actions[index]);
      meter.count();
      sum += probability * this.visit(depth, at + count, ply);
      state.undo();
    }
    this.lines.clear(ply);
    return sum;
  }

  /** The highest value for `me` over the `count` actions at stack[at...], or the lowest if another player moves. */
  private best(depth: number, at: number, count: number, ply: number): number {
    const { state, stack, meter, lines } = this;
    const mine = state.toMove === this.me;
    let best = mine ? -Infinity : Infinity;
    for (let index = at; index < at + count; index++) {
      const action = stack.actions[index];
      state.apply(action);
      meter.count();
      const value = this.visit(depth - 1, at + count, ply + 1);
      state.undo();
      if (mine ? value > best : value < best) {
        best = value;
        lines.extend(ply, action);
      }
    }
    return best;
  }
}
