import { TERMINAL, type Evaluator, type Game, type State } from "../../game/game.ts";
import type { SimulationTree } from "./tree.ts";

/** What an evaluator says of each child of a node, before any simulation goes there. */
export class Estimates {
  /** By node: what its chooser gets, in 0..1. */
  readonly value: Float32Array;
  /** By node: the probability with which its chooser is expected to choose it; 0 without priors. */
  readonly prior: Float32Array;
  private readonly tree: SimulationTree;
  private readonly evaluator: Evaluator;
  private readonly minReturn: number;
  private readonly scale: number;
  /** Of the priors; 0: there are none. */
  private readonly temperature: number;

  constructor(game: Game, tree: SimulationTree, parts: { evaluator: Evaluator; temperature: number }) {
    this.tree = tree;
    this.evaluator = parts.evaluator;
    this.temperature = parts.temperature;
    this.minReturn = game.minReturn;
    this.scale = 1 / (game.maxReturn - game.minReturn);
    this.value = tree.column(Float32Array);
    this.prior = tree.column(Float32Array);
  }

  /** Values the children of `node`, where `state` is. */
  estimate(node: number, state: State): void {
    const { tree, value, evaluator } = this;
    const first = tree.firstChild[node];
    const end = first + tree.childCount[node];
    const player = state.toMove;
    for (let child = first; child < end; child++) {
      state.apply(tree.action[child]);
      const found = state.toMove === TERMINAL ? state.returns(player) : evaluator.evaluate(state, player);
      state.undo();
      value[child] = (found - this.minReturn) * this.scale;
    }
    if (this.temperature > 0) this.setPriors(first, end);
  }

  /** Priors in proportion to exp(value / temperature), which sum to 1. */
  private setPriors(first: number, end: number): void {
    const { value, prior, temperature } = this;
    let best = 0;
    for (let child = first; child < end; child++) best = Math.max(best, value[child]);
    let sum = 0;
    for (let child = first; child < end; child++)
      sum += prior[child] = Math.exp((value[child] - best) / temperature);
    for (let child = first; child < end; child++) prior[child] /= sum;
  }
}
