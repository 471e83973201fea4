import { TERMINAL, type Game, type State } from "../../games/contract/game.ts";
import { UNEXPANDED, type SimulationTree } from "./tree.ts";

/** Stands for an action before the first decision of a game. */
const NONE = -1;

/** Finds the position of a decision in the tree of the decision before. */
export class Reuse {
  private readonly tree: SimulationTree;
  /** The root of the tree, and the action decided there. */
  private readonly root: State;
  private readonly state: State;
  private action = NONE;

  constructor(game: Game, tree: SimulationTree) {
    this.tree = tree;
    this.root = game.start();
    this.state = game.start();
  }

  /** Remembers the root of the tree and the decision. */
  remember(root: State, action: number): void {
    this.root.copyFrom(root);
    this.action = action;
  }

  forget(): void {
    this.action = NONE;
  }

  /**
   * Returns the node of `position`, where the same player decides next, after the decided action and all that others
   * and chance did since; undefined if the tree does not have it.
   */
  find(position: State): number | undefined {
    if (this.action === NONE || this.root.toMove !== position.toMove) return undefined;
    const { state } = this;
    state.copyFrom(this.root);
    const child = this.childrenOf(0).find((one) => this.tree.action[one] === this.action);
    return child === undefined ? undefined : this.findBelow(child, position);
  }

  /** Searches `node` and below; `state` is one action before `node`, and so again afterwards. */
  private findBelow(node: number, position: State): number | undefined {
    const { state, tree } = this;
    state.apply(tree.action[node]);
    let found: number | undefined;
    if (state.toMove === position.toMove) {
      if (isSame(state, position)) found = node;
    } else if (state.toMove !== TERMINAL) {
      for (const child of this.childrenOf(node)) {
        if (found !== undefined) break;
        if (tree.visits[child] > 0) found = this.findBelow(child, position);
      }
    }
    state.undo();
    return found;
  }

  private childrenOf(node: number): number[] {
    const { firstChild, childCount } = this.tree;
    const first = firstChild[node];
    return first === UNEXPANDED ? [] : Array.from({ length: childCount[node] }, (_, at) => first + at);
  }
}

/** Compares the hashes of 64 bits, which equal positions share; see State. */
function isSame(one: State, other: State): boolean {
  return one.hashLow === other.hashLow && one.hashHigh === other.hashHigh;
}
