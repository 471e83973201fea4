import { z } from "zod";
import { CHANCE, TERMINAL, type Evaluator, type Game, type State } from "../games/game.ts";
import { defineAgent, type Agent, type Decision, type Turn } from "./agent.ts";
import { hidden } from "./misfit.ts";
import { ChanceStack } from "./search/chance-stack.ts";
import { deepen, DEEPEST, type Iteration } from "./search/deepening.ts";
import { PrincipalLines } from "./search/line.ts";
import { Meter } from "./search/meter.ts";
import { depthFirstOptions } from "./search/options.ts";

const options = z.strictObject(depthFirstOptions);

/**
 * Max-n (Luckhardt and Irani 1986): every player takes the action whose utility tuple has the largest
 * entry of its own; at chance nodes tuples are averaged. Below the root the first of equal actions is
 * expected of the others.
 */
export const maxN = defineAgent({
  id: "max-n",
  summary: "every player for itself, on utility tuples; any number of players, chance too",
  options,
  budgets: ["depth", "nodes", "timeMs"],
  misfit: hidden,
  create: ({ game, options, evaluator }) => new MaxN(game, evaluator, options),
});

class MaxN implements Agent {
  private readonly game: Game;
  private readonly evaluator: Evaluator;
  private readonly options: z.output<typeof options>;
  private readonly state: State;
  private readonly players: number;
  private readonly stack: ChanceStack;
  /** A tuple of `players` values for each level of the recursion. */
  private tuples: Float64Array;
  private readonly lines: PrincipalLines;
  private readonly meter = new Meter();
  private complete = true;

  constructor(game: Game, evaluator: Evaluator, how: z.output<typeof options>) {
    const deepest = Math.min(game.maxPlies, DEEPEST);
    this.game = game;
    this.evaluator = evaluator;
    this.options = how;
    this.state = game.start();
    this.players = game.players;
    this.stack = new ChanceStack((deepest + 1) * game.maxActions);
    this.tuples = new Float64Array((deepest + 1) * game.players);
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
      proves: false,
      iterate: (depth, rootActions) => this.iterate(depth, rootActions),
    });
  }

  private iterate(depth: number, rootActions: Int32Array): Iteration {
    const me = this.state.toMove;
    this.complete = true;
    this.meter.count();
    this.stack.actions.set(rootActions);
    this.best(depth, 0, rootActions.length, 0, 0);
    const line = this.lines.root();
    return { action: line[0]!, value: this.tuples[me], line, complete: this.complete };
  }

  /** Puts the tuple of the position just reached at tuples[to...]; its actions go to stack[at...]. */
  private visit(depth: number, at: number, ply: number, to: number): void {
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

  /** The tuple with the largest entry for the player to move. */
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

  /** The mean of the outcomes' tuples. */
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

  /** Makes room for tuples below `end`; it may replace `tuples`. */
  private reserve(end: number): void {
    if (end <= this.tuples.length) return;
    const tuples = new Float64Array(2 * end);
    tuples.set(this.tuples);
    this.tuples = tuples;
  }
}
