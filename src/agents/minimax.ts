import { z } from "zod";
import { TERMINAL, notDeterministicDuel } from "../games/contract/game.ts";
import { defineAgent, type AgentParts } from "./agent.ts";
import { depthFirstOptions, DepthFirstSearch, type DepthFirstOptions } from "./search/depth-first.ts";

/** Minimax: visits every line of play to a depth (von Neumann 1928; Shannon 1950, type A). */
export const minimax = defineAgent({
  id: "minimax",
  summary: "every line to a depth, the best against best play; two players, no chance",
  options: z.strictObject(depthFirstOptions),
  presets: {
    textbook: { summary: "one search, from left to right", options: { deepening: false, ties: "first" } },
  },
  budgets: ["depth", "nodes", "timeMs"],
  heedsClocks: true,
  unsupported: notDeterministicDuel,
  create: (parts) => new Minimax(parts),
});

export class Minimax extends DepthFirstSearch {
  protected readonly proves = true;
  private readonly stack: Int32Array;

  constructor(parts: AgentParts<DepthFirstOptions>) {
    super(parts);
    this.stack = new Int32Array(this.levels * this.game.maxActions);
  }

  protected search(depth: number, actions: Int32Array): number {
    this.stack.set(actions);
    return this.best(depth, 0, actions.length, 0);
  }

  /** Returns the highest value, for the player to move, over the `count` actions at stack[at...]. */
  private best(depth: number, at: number, count: number, ply: number): number {
    const { state, stack, meter, lines } = this;
    const me = state.toMove;
    const end = at + count;
    let best = -Infinity;
    for (let index = at; index < end; index++) {
      const action = stack[index];
      state.apply(action);
      meter.count();
      const value = this.visit(me, depth - 1, end, ply + 1);
      state.undo();
      if (value > best) {
        best = value;
        lines.extend(ply, action);
      }
    }
    return best;
  }

  /** Returns the value for `me` of the position just reached, with `depth` plies left. Its actions go to stack[at...]. */
  protected visit(me: number, depth: number, at: number, ply: number): number {
    const { state } = this;
    const mover = state.toMove;
    this.lines.clear(ply);
    if (mover === TERMINAL) return state.returns(me);
    if (depth === 0) {
      this.complete = false;
      return this.evaluator.evaluate(state, me);
    }
    const value = this.best(depth, at, state.legalActions(this.stack, at), ply);
    return mover === me ? value : 0 - value;
  }
}
