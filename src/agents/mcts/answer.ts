import type { Game, State } from "../../games/game.ts";
import type { Decision, RankedAction, Turn } from "../agent.ts";
import { UNEXPANDED, type SimulationTree } from "./tree.ts";

/** What a tree says about its root, when the simulations are done. */
export class Answer {
  private readonly game: Game;
  private readonly tree: SimulationTree;
  private readonly state: State;

  constructor(game: Game, tree: SimulationTree) {
    this.game = game;
    this.tree = tree;
    this.state = game.start();
  }

  /** Decides for the most visited action (robust child; Chaslot et al. 2008); of equal ones, for the better mean. */
  decide(root: State, { ranked = 0 }: Turn, simulations: number): Decision {
    const { action, value, line } = this.describe(this.best(0), root);
    const decision = { action, value, depth: line.length, nodes: simulations, line };
    return ranked === 0 ? decision : { ...decision, ranking: this.rank(root, ranked) };
  }

  /** The `count` best actions of the root that were tried, in the order in which `decide` prefers them. */
  private rank(root: State, count: number): RankedAction[] {
    const { firstChild, childCount, visits } = this.tree;
    return Array.from({ length: childCount[0] }, (_, at) => firstChild[0] + at)
      .filter((child) => visits[child] > 0)
      .toSorted((one, other) => this.compare(one, other))
      .slice(0, count)
      .map((child) => this.describe(child, root));
  }

  /** What is known of a child of the root. Its line ends before a chance event, or where nothing was tried yet. */
  private describe(child: number, root: State): Required<RankedAction> {
    const { state, tree } = this;
    const { minReturn, maxReturn } = this.game;
    const mean = tree.reward[child] / tree.visits[child];
    const line: number[] = [];
    state.copyFrom(root);
    for (let node = child; tree.visits[node] > 0; node = this.best(node)) {
      line.push(tree.action[node]);
      state.apply(tree.action[node]);
      if (state.toMove < 0 || tree.firstChild[node] === UNEXPANDED) break;
    }
    return {
      action: tree.action[child],
      value: minReturn + mean * (maxReturn - minReturn),
      line,
      visits: tree.visits[child],
    };
  }

  /** The child of `node` that comes first in the order of `compare`. */
  private best(node: number): number {
    const { firstChild, childCount } = this.tree;
    let best = firstChild[node];
    for (let child = best + 1; child < firstChild[node] + childCount[node]; child++)
      if (this.compare(child, best) < 0) best = child;
    return best;
  }

  /** Negative where the child `one` is preferred to `other`: more visits; with as many, the greater reward. */
  private compare(one: number, other: number): number {
    const { visits, reward } = this.tree;
    return visits[other] - visits[one] || reward[other] - reward[one];
  }
}
