import { z } from "zod";
import { TERMINAL, type Evaluator, type Game, type State } from "../games/game.ts";
import { defineAgent, type Agent, type Decision, type Turn } from "./agent.ts";
import { notDeterministicDuel } from "./misfit.ts";
import { deepen, DEEPEST, type Iteration } from "./search/deepening.ts";
import { PrincipalLines } from "./search/line.ts";
import { Meter } from "./search/meter.ts";
import { depthFirstOptions } from "./search/options.ts";

const options = z.strictObject(depthFirstOptions);

/** Looks at every line of play to a depth (von Neumann 1928; Shannon 1950, type A). */
export const minimax = defineAgent({
  id: "minimax",
  summary: "every line to a depth, the best against best play; two players, no chance",
  options,
  budgets: ["depth", "nodes", "timeMs"],
  misfit: notDeterministicDuel,
  create: ({ game, options, evaluator }) => new Minimax(game, evaluator, options),
});

class Minimax implements Agent {
  private readonly game: Game;
  private readonly evaluator: Evaluator;
  private readonly options: z.output<typeof options>;
  private readonly state: State;
  private readonly stack: Int32Array;
  private readonly lines: PrincipalLines;
  private readonly meter = new Meter();
  private complete = true;

  constructor(game: Game, evaluator: Evaluator, how: z.output<typeof options>) {
    const deepest = Math.min(game.maxPlies, DEEPEST);
    this.game = game;
    this.evaluator = evaluator;
    this.options = how;
    this.state = game.start();
    this.stack = new Int32Array((deepest + 1) * game.maxActions);
    this.lines = new PrincipalLines(deepest);
  }

  choose(root: State, turn: Turn): Decision {
    const { game, meter, options, state } = this;
    return deepen({
      game,
      root,
      state,
      turn,
      meter,
      deepening: options.deepening,
      ties: options.ties,
      proves: true,
      iterate: (depth, rootActions) => this.iterate(depth, rootActions),
    });
  }

  private iterate(depth: number, rootActions: Int32Array): Iteration {
    this.complete = true;
    this.meter.count();
    this.stack.set(rootActions);
    const value = this.best(depth, 0, rootActions.length, 0);
    const line = this.lines.root();
    return { action: line[0]!, value, line, complete: this.complete };
  }

  /** Value for the player to move, whose `count` actions stand at stack[at...]. */
  private best(depth: number, at: number, count: number, ply: number): number {
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
