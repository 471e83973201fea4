import { z } from "zod";
import { CHANCE, TERMINAL, type Evaluator, type Game, type State } from "../games/game.ts";
import { defineAgent, type Agent, type Decision, type Turn } from "./agent.ts";
import { hidden, notDuel } from "./misfit.ts";
import { ChanceStack } from "./search/chance-stack.ts";
import { deepen, DEEPEST, type Iteration } from "./search/deepening.ts";
import { PrincipalLines } from "./search/line.ts";
import { Meter } from "./search/meter.ts";
import { depthFirstOptions } from "./search/options.ts";

const options = z.strictObject({
  ...depthFirstOptions,
  opponent: z
    .enum(["best", "random"])
    .default("best")
    .describe("how the other players are taken to play: against me, or any action as likely as the others"),
});

/**
 * Minimax with chance nodes, whose value is the mean over their outcomes (expectiminimax; Michie
 * 1966), or, with the opponent model `random`, the mean over the other players' actions too. A chance
 * event is not a ply: the evaluator is asked where the plies run out, be it before a chance event.
 */
export const expectimax = defineAgent({
  id: "expectimax",
  summary: "minimax with chance nodes; one or two players, or any number taken to play at random",
  options,
  budgets: ["depth", "nodes", "timeMs"],
  misfit: (game, { opponent }) =>
    game.players === 1 || opponent === "random" ? hidden(game) : notDuel(game),
  create: ({ game, options, evaluator }) => new Expectimax(game, evaluator, options),
});

class Expectimax implements Agent {
  private readonly game: Game;
  private readonly evaluator: Evaluator;
  private readonly options: z.output<typeof options>;
  private readonly state: State;
  private readonly stack: ChanceStack;
  private readonly lines: PrincipalLines;
  private readonly meter = new Meter();
  private complete = true;
  private me = 0;

  constructor(game: Game, evaluator: Evaluator, how: z.output<typeof options>) {
    const deepest = Math.min(game.maxPlies, DEEPEST);
    this.game = game;
    this.evaluator = evaluator;
    this.options = how;
    this.state = game.start();
    this.stack = new ChanceStack((deepest + 1) * game.maxActions);
    this.lines = new PrincipalLines(deepest);
  }

  choose(root: State, turn: Turn): Decision {
    const { game, meter, options, state } = this;
    this.me = root.toMove;
    return deepen({
      game,
      root,
      state,
      turn,
      meter,
      deepening: options.deepening,
      ties: options.ties,
      proves: !game.chance && options.opponent === "best",
      iterate: (depth, rootActions) => this.iterate(depth, rootActions),
    });
  }

  private iterate(depth: number, rootActions: Int32Array): Iteration {
    this.complete = true;
    this.meter.count();
    this.stack.actions.set(rootActions);
    const value = this.best(depth, 0, rootActions.length, 0);
    const line = this.lines.root();
    return { action: line[0]!, value, line, complete: this.complete };
  }

  /** Value for `me` of the position just reached, with `depth` plies left, its actions at stack[at...]. */
  private visit(depth: number, at: number, ply: number): number {
    const { game, state, stack, options } = this;
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
    if (mover === this.me || options.opponent === "best") return this.best(depth, at, count, ply);
    stack.probabilities.fill(1 / count, at, at + count);
    return this.mean(depth - 1, at, count, ply);
  }

  /** Mean over the `count` actions at stack[at...] by their probabilities; `depth` plies are left after them. */
  private mean(depth: number, at: number, count: number, ply: number): number {
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

  /** Best for `me` over the actions at stack[at...], or worst where another player moves. */
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
