import type { LinearEvaluator } from "../evaluators/linear.ts";
import { TERMINAL, type Game, type State } from "../games/game.ts";
import { DivergenceError, type Learner } from "./learner.ts";
import { Traces, type TraceKind } from "./traces.ts";

export interface TdOptions {
  /** 0: learn from the next position's estimate alone; 1: from the final return alone. */
  readonly lambda: number;
  readonly traces: TraceKind;
  /** What a random move does to the credit of the positions before it. */
  readonly afterRandomMove: "cut" | "continue";
  /** When the weights change: at every step, or when the game is over. */
  readonly updates: "step" | "game";
}

/**
 * TD(lambda) (Sutton 1988) for linear evaluators, from games of self-play (Tesauro 1992).
 *
 * Every position of a game is a step: after a player's action (the afterstate) as well as after a chance
 * outcome. With w the weights, f(s, v) the features of s from the point of view of player v, and
 * V(s, v) = output(w . f(s, v)) the estimate of what v will still get:
 *
 *     G(t) = returns(s_t, v) + V(s_t, v)        v's final return, as estimated at step t
 *     G(T) = returns(s_T, v)                    at the end, nothing is still to come
 *     d(t) = G(t+1) - G(t)                      rewards along the way are inside, as differences
 *     e(t) = lambda e(t-1) + gradient of V(s_t, v)
 *     w   += stepSize d(t) e(t)
 *
 * without a discount, and with both estimates of d(t) by the same weights. The sign never depends on
 * who is to move: v's estimate always approaches what v got later on, good or bad.
 *
 * Each player's view learns, so that a game of n players gives n lessons. In two-player zero-sum games
 * the two estimates negate, so that the second lesson would be the first one again (both the error and
 * the gradient change signs), and the first player's view is enough.
 *
 * After a random move the error is not learnt from and the traces are cut (as in Watkins 1989), since
 * what follows a blunder is not what the position before it is worth.
 */
export class TdLearner implements Learner {
  steps = 0;
  stepSize = 0;
  private readonly evaluator: LinearEvaluator;
  private readonly views: readonly View[];
  private readonly lambda: number;
  private readonly cuts: boolean;
  private readonly addsReturns: boolean;
  /** Where changes are collected until the game is over; the weights themselves when there is no wait. */
  private readonly target: Float64Array;

  /** @param players whose views learn; by default as many as have something to add */
  constructor(game: Game, evaluator: LinearEvaluator, options: TdOptions & { players?: readonly number[] }) {
    const { weights } = evaluator;
    const oneIsEnough = game.players === 2 && game.zeroSum;
    const players = options.players ?? Array.from({ length: oneIsEnough ? 1 : game.players }, (_, at) => at);
    this.evaluator = evaluator;
    this.lambda = options.lambda;
    this.cuts = options.afterRandomMove === "cut";
    this.addsReturns = game.rewardsAlongTheWay;
    this.target = options.updates === "step" ? weights : new Float64Array(weights.length);
    this.views = players.map((player) => new View(player, evaluator, options.traces));
  }

  begin(state: State): void {
    for (const view of this.views) {
      view.traces.clear();
      if (state.toMove !== TERMINAL) this.look(view, state);
    }
    if (state.toMove !== TERMINAL) this.remember();
  }

  observe(state: State, explored: boolean): void {
    const { views, target, stepSize, lambda } = this;
    const over = state.toMove === TERMINAL;
    const learns = !(explored && this.cuts);
    this.steps++;
    // All estimates first: the views share their weights.
    for (let at = 0; at < views.length; at++) {
      const view = views[at];
      const next = over ? state.returns(view.player) : this.look(view, state);
      view.error = next - view.estimate;
    }
    for (let at = 0; at < views.length; at++) {
      const { traces, error } = views[at];
      if (learns) traces.spend(target, stepSize * error, lambda);
      else traces.clear();
    }
    if (over) this.end();
    else this.remember();
  }

  /** Reads the features of `state`; returns the estimate that the weights give. */
  private look(view: View, state: State): number {
    const { evaluator } = this;
    const sum = evaluator.sum(state, view.player);
    view.copyActive(evaluator);
    view.collected = this.addsReturns ? state.returns(view.player) : 0;
    return view.collected + this.output(sum);
  }

  /** Takes the positions just read as the present ones: their estimates by the newest weights, their gradients. */
  private remember(): void {
    const { views, evaluator } = this;
    for (let at = 0; at < views.length; at++) {
      const view = views[at];
      const { index, value, active } = view;
      const output = this.output(view.sum(evaluator.weights));
      view.estimate = view.collected + output;
      view.traces.add(index, value, active, evaluator.slope(output));
    }
  }

  private end(): void {
    const { target, evaluator, views } = this;
    for (const { traces } of views) traces.clear();
    const { weights } = evaluator;
    if (target === weights) return;
    for (let at = 0; at < weights.length; at++) weights[at] += target[at];
    target.fill(0);
  }

  /** The output function; `identity` without the cut to the range, which has no slope to learn by. */
  private output(sum: number): number {
    if (!Number.isFinite(sum)) throw new DivergenceError(this.steps);
    return this.evaluator.output === "identity" ? sum : this.evaluator.squash(sum);
  }
}

/** What one player sees of the present position. */
class View {
  /** The active features. */
  active = 0;
  readonly index: Int32Array;
  readonly value: Float32Array;
  /** Rewards so far. */
  collected = 0;
  /** The final return, as estimated. */
  estimate = 0;
  error = 0;
  readonly player: number;
  readonly traces: Traces;

  constructor(player: number, { index, weights }: LinearEvaluator, kind: TraceKind) {
    this.player = player;
    this.index = new Int32Array(index.length);
    this.value = new Float32Array(index.length);
    this.traces = new Traces(weights.length, kind);
  }

  /** Takes over what the evaluator read last. */
  copyActive({ active, index, value }: LinearEvaluator): void {
    for (let at = 0; at < active; at++) {
      this.index[at] = index[at];
      this.value[at] = value[at];
    }
    this.active = active;
  }

  sum(weights: Float64Array): number {
    const { active, index, value } = this;
    let sum = 0;
    for (let at = 0; at < active; at++) sum += weights[index[at]] * value[at];
    return sum;
  }
}
