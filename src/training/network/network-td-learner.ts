import type { Network } from "../../evaluators/network/network.ts";
import type { NetworkEvaluator } from "../../evaluators/network/network-evaluator.ts";
import { CHANCE, TERMINAL, type Game, type State } from "../../games/game.ts";
import { DivergenceError, type Learner } from "../learn/learner.ts";
import { Gradient } from "./gradient.ts";
import type { Positions } from "../learn/td.ts";

export interface NetworkTdOptions {
  /** 0: learn from the next position's estimate alone; 1: from the final return alone. */
  readonly lambda: number;
  /** Which positions are learnt from: all, or those right after a player's action. */
  readonly positions: Exclude<Positions, "own">;
  /** What a random move does to the credit of the positions before it. */
  readonly afterRandomMove: "cut" | "continue";
}

/**
 * TD(lambda) for networks with an eligibility trace for each weight and output, step by step as
 * TD-Gammon learnt (Tesauro 1992):
 *
 *     d(k)  = Y(t+1, k) - Y(t, k)                   for each output k
 *     w    += stepSize * sum over k of d(k) e(k)
 *     e(k)  = lambda e(k) + gradient of Y(t+1, k)
 *
 * with both outputs of d by the same weights. All Y are from one point of view, player 0's in two-player
 * zero-sum games and each player's own in others; where the network reads the other player's view, its
 * outputs and derivatives are turned (`Head.exchange`). At the end Y(T) are the outputs that say the final
 * return. Rewards along the way are added to what comes after them.
 *
 * Costs a pass over all weights that have a trace for each position and output. Throws DivergenceError
 * where outputs are no longer finite.
 */
export class NetworkTdLearner implements Learner {
  steps = 0;
  stepSize = 0;
  /** Nothing: no trace outlives its game. */
  readonly memory: Readonly<Record<string, Float32Array>> = {};
  private readonly evaluator: NetworkEvaluator;
  private readonly network: Network;
  private readonly options: NetworkTdOptions;
  private readonly addsReturns: boolean;
  private readonly views: readonly View[];

  /** @param network the evaluator's, whose weights change in place */
  constructor(
    game: Game,
    evaluator: NetworkEvaluator,
    { network, ...options }: NetworkTdOptions & { network: Network },
  ) {
    this.evaluator = evaluator;
    this.network = network;
    this.options = options;
    this.addsReturns = game.rewardsAlongTheWay;
    const players = evaluator.isDuel ? 1 : game.players;
    this.views = Array.from(
      { length: players },
      (_, player) => new View(player, network, evaluator.head.size, evaluator.index.length),
    );
  }

  begin(state: State): void {
    for (const view of this.views) view.clear();
    if (state.toMove !== TERMINAL && this.options.positions === "all") this.step(state, false);
  }

  observe(state: State, by: number, explored: boolean): void {
    if (explored) this.cut();
    if (by !== CHANCE || this.options.positions === "all") this.step(state, false);
  }

  end(state: State, explored: boolean): void {
    if (explored) this.cut();
    this.step(state, true);
  }

  restore(_memory: Readonly<Record<string, Float32Array>>): void {}

  private cut(): void {
    if (this.options.afterRandomMove === "cut") for (const view of this.views) view.clear();
  }

  /** Learns from what `state` says of the positions before it, then takes its place. */
  private step(state: State, isEnd: boolean): void {
    const { views, evaluator, options } = this;
    const { head } = evaluator;
    let isChanged = false;
    // All errors first: the views share their weights.
    for (const view of views) {
      if (isEnd) head.write(state.returns(view.player) - view.collected, view.next, 0);
      else this.look(view, state);
      for (let output = 0; output < head.size; output++)
        view.error[output] = view.next[output] - view.present[output];
    }
    for (const view of views) {
      if (!view.hasPresent) continue;
      for (const [output, trace] of view.traces.entries()) {
        trace.apply(this.stepSize * view.error[output]);
        trace.fade(options.lambda);
      }
      isChanged = true;
    }
    if (isChanged) {
      evaluator.load(this.network);
      this.steps++;
    }
    for (const view of views) {
      if (isEnd) view.clear();
      else this.remember(view);
    }
  }

  /** Reads `state` for a view: its features, and its outputs as `next`, with the rewards since the present position. */
  private look(view: View, state: State): void {
    const { evaluator, addsReturns } = this;
    const { head } = evaluator;
    view.viewer = evaluator.viewer(state, view.player);
    evaluator.look(state, view.viewer);
    view.active = evaluator.active;
    view.index.set(evaluator.index);
    view.value.set(evaluator.value);
    view.next.set(evaluator.outputs);
    if (!view.next.every(Number.isFinite)) throw new DivergenceError(this.steps);
    if (view.viewer !== view.player) head.exchange(view.next, 0);
    if (!addsReturns) return;
    const collected = state.returns(view.player);
    head.raise(collected - view.collected, view.next, 0);
    view.collected = collected;
  }

  /** Makes the position just read the present one: its outputs by the newest weights, its gradient into the traces. */
  private remember(view: View): void {
    const { head } = this.evaluator;
    const { index, value, active, viewer, player, present } = view;
    for (const [output, trace] of view.traces.entries()) {
      trace.forward(index, value, 0, active);
      trace.outputGradient.fill(0);
      trace.outputGradient[output] = 1;
      if (viewer !== player) head.exchangeGradient(trace.outputGradient);
      if (output === 0) present.set(trace.outputs);
      trace.backward(index, value, 0, active);
    }
    if (viewer !== player) head.exchange(present, 0);
    view.hasPresent = true;
  }
}

/** What one player sees of the game. */
class View {
  readonly player: number;
  /** One for each output. */
  readonly traces: readonly Gradient[];
  hasPresent = false;
  /** The outputs for the present position, and for the next one, both in the player's view. */
  readonly present: Float64Array;
  readonly next: Float64Array;
  readonly error: Float64Array;
  /** Rewards up to the present position. */
  collected = 0;
  /** The position read last: whose view the network reads, and its features. */
  viewer = 0;
  active = 0;
  readonly index: Int32Array;
  readonly value: Float32Array;

  constructor(player: number, network: Network, outputs: number, maxActive: number) {
    this.player = player;
    this.viewer = player;
    this.traces = Array.from({ length: outputs }, () => new Gradient(network));
    this.present = new Float64Array(outputs);
    this.next = new Float64Array(outputs);
    this.error = new Float64Array(outputs);
    this.index = new Int32Array(maxActive);
    this.value = new Float32Array(maxActive);
  }

  /** Forgets the present position. */
  clear(): void {
    this.hasPresent = false;
    for (const trace of this.traces) trace.clear();
  }
}
