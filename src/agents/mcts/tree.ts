import { TERMINAL, type Game, type State } from "../../games/contract/game.ts";

/** `firstChild` of a node without children; 0 is free for this, as the root is no child. */
export const UNEXPANDED = 0;

const NOWHERE = -1;

/** A number for each node. */
type Column = Int32Array | Uint16Array | Float32Array | Float64Array;

/**
 * A search tree as a struct of arrays; node 0 is the root. The children of a node stand side by side, and behind their
 * parent. The arrays hold zeros beyond `size`, so that only the action of a new node is written.
 */
export class SimulationTree {
  /** The action that leads to the node. */
  readonly action: Int32Array;
  readonly firstChild: Int32Array;
  readonly childCount: Uint16Array;
  readonly visits: Int32Array;
  /** Sum of the rewards, each in 0..1, of the player who chose the action that leads to the node. */
  readonly reward: Float64Array;
  readonly capacity: number;
  size = 1;
  private readonly columns: Column[] = [];
  /** By node, while nodes are moved: the new place, or NOWHERE. */
  private moved = new Int32Array(0);

  constructor(capacity: number) {
    this.capacity = capacity;
    this.action = this.column(Int32Array);
    this.firstChild = this.column(Int32Array);
    this.childCount = this.column(Uint16Array);
    this.visits = this.column(Int32Array);
    this.reward = this.column(Float64Array);
  }

  /** Adds a column: one more number for each node, 0 for a new one. */
  column<C extends Column>(Type: new (length: number) => C): C {
    const column = new Type(this.capacity);
    this.columns.push(column);
    return column;
  }

  /** Empties the tree, to a new root. */
  clear(): void {
    for (const column of this.columns) column.fill(0, 0, this.size);
    this.size = 1;
  }

  /** True if `children` more nodes fit. */
  hasRoomFor(children: number): boolean {
    return this.size + children <= this.capacity;
  }

  /** Gives `node` a child for each of the first `count` of `actions`; there must be room. */
  expand(node: number, actions: Int32Array, count: number): void {
    const first = this.size;
    this.firstChild[node] = first;
    this.childCount[node] = count;
    for (let index = 0; index < count; index++) this.action[first + index] = actions[index];
    this.size = first + count;
  }

  /**
   * Frees at least half of the capacity: it removes the children of the least visited nodes, which become leaves again.
   * The root keeps its children.
   */
  recycle(): void {
    const { size, firstChild, childCount, visits } = this;
    // The number of children, by the binary logarithm of their parent's visits. A child never has more visits than its
    // parent.
    const children = new Int32Array(32);
    for (let node = 1; node < size; node++)
      if (firstChild[node] !== UNEXPANDED) children[log2(visits[node])] += childCount[node];
    let kept = 1 + childCount[0];
    let level = children.length;
    while (level > 0 && kept + children[level - 1] <= this.capacity >> 1) kept += children[--level];
    this.keep(0, 2 ** level);
  }

  /** Makes `root` the root and keeps the nodes below it, except the children of nodes with fewer than `leastVisits`. */
  keep(root: number, leastVisits = 0): void {
    const { size, firstChild, childCount, visits } = this;
    if (this.moved.length === 0) this.moved = new Int32Array(this.capacity);
    const { moved } = this;
    moved.fill(NOWHERE, 0, size);
    moved[root] = 0;
    // Children stand behind their parents: one pass finds the kept nodes, and one moves them forward.
    for (let node = root; node < size; node++) {
      if (moved[node] === NOWHERE || firstChild[node] === UNEXPANDED) continue;
      const isKept = node === root || visits[node] >= leastVisits;
      if (isKept) moved.fill(0, firstChild[node], firstChild[node] + childCount[node]);
      else firstChild[node] = UNEXPANDED;
    }
    let end = 0;
    for (let node = root; node < size; node++) {
      if (moved[node] === NOWHERE) continue;
      moved[node] = end;
      for (const column of this.columns) column[end] = column[node];
      end++;
    }
    for (let node = 0; node < end; node++)
      if (firstChild[node] !== UNEXPANDED) firstChild[node] = moved[firstChild[node]];
    for (const column of this.columns) column.fill(0, end, size);
    this.size = end;
  }
}

/** Returns the binary logarithm of a positive int32, rounded down. */
function log2(count: number): number {
  return 31 - Math.clz32(count);
}

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
