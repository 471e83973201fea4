import { TERMINAL, type Game, type State } from "../../game/game.ts";
import { UNEXPANDED, type SimulationTree } from "./tree.ts";

/** Nothing was decided yet in this game. */
const NONE = -1;

/** Finds the position of a decision in the tree of the decision before. */
export class Reuse {
  private readonly tree: SimulationTree;
  /** The root of the tree, and the action that was decided for there. */
  private readonly root: State;
  private readonly state: State;
  private action = NONE;

  constructor(game: Game, tree: SimulationTree) {
    this.tree = tree;
    this.root = game.start();
    this.state = game.start();
  }

  /** Remembers what the tree now grows from. */
  remember(root: State, action: number): void {
    this.root.copyFrom(root);
    this.action = action;
  }

  forget(): void {
    this.action = NONE;
  }

  /**
   * The node of `position`, in which the same player decides next after the action decided for and all that others and
   * chance did since; undefined if the tree does not have it.
   */
  find(position: State): number | undefined {
    if (this.action === NONE || this.root.toMove !== position.toMove) return undefined;
    const { state } = this;
    state.copyFrom(this.root);
    const child = this.childrenOf(0).find((one) => this.tree.action[one] === this.action);
    return child === undefined ? undefined : this.findBelow(child, position);
  }

  /** Looks at `node`, which `state` is one action before, and below it; then `state` is as before. */
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

/** Equal positions have equal hashes, of 64 bits; see State. */
function isSame(one: State, other: State): boolean {
  return one.hashLow === other.hashLow && one.hashHigh === other.hashHigh;
}
