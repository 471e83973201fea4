import { z } from "zod";
import { TERMINAL } from "../game/game.ts";
import { notDeterministicDuel } from "../game/traits.ts";
import { defineAgent, type AgentParts } from "./agent.ts";
import { depthFirstOptions, DepthFirstSearch, type DepthFirstOptions } from "./search/depth-first.ts";

/** Minimax: looks at every line of play to a depth (von Neumann 1928; Shannon 1950, type A). */
export const minimax = defineAgent({
  id: "minimax",
  summary: "every line to a depth, the best against best play; two players, no chance",
  options: z.strictObject(depthFirstOptions),
  budgets: ["depth", "nodes", "timeMs"],
  unsupported: notDeterministicDuel,
  create: (parts) => new Minimax(parts),
});

/** @see minimax */
export class Minimax extends DepthFirstSearch {
  protected readonly proves = true;
  protected readonly stack: Int32Array;

  constructor(parts: AgentParts<DepthFirstOptions>) {
    super(parts);
    this.stack = new Int32Array(this.levels * this.game.maxActions);
  }

  protected search(depth: number, actions: Int32Array): number {
    this.stack.set(actions);
    return this.best(depth, 0, actions.length, 0);
  }

  /** The highest value, for the player to move, over the `count` actions at stack[at...]. */
  protected best(depth: number, at: number, count: number, ply: number): number {
    const { state, stack, meter, lines } = this;
    const me = state.toMove;
    const next = at + count;
    let best = -Infinity;
    for (let index = at; index < next; index++) {
      const action = stack[index];
      state.apply(action);
      meter.count();
      const mover = state.toMove;
      lines.clear(ply + 1);
      let value: number;
      if (mover === TERMINAL) {
        value = state.returns(me);
      } else if (depth === 1) {
        value = this.evaluator.evaluate(state, me);
        this.complete = false;
      } else {
        const reply = this.best(depth - 1, next, state.legalActions(stack, next), ply + 1);
        value = mover === me ? reply : 0 - reply;
      }
      state.undo();
      if (value > best) {
        best = value;
        lines.extend(ply, action);
      }
    }
    return best;
  }
}
