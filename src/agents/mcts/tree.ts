/** `firstChild` of a node without children; 0 is free for this, as the root is no child. */
export const UNEXPANDED = 0;

/**
 * A search tree as a struct of arrays; node 0 is the root. The children of a node stand side by side. Single nodes
 * are never freed. The arrays beyond `size` hold zeros, so that a new node needs only its action written.
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

  constructor(capacity: number) {
    this.capacity = capacity;
    this.action = new Int32Array(capacity);
    this.firstChild = new Int32Array(capacity);
    this.childCount = new Uint16Array(capacity);
    this.visits = new Int32Array(capacity);
    this.reward = new Float64Array(capacity);
  }

  /** Empties the tree, to a new root. */
  clear(): void {
    this.firstChild.fill(0, 0, this.size);
    this.childCount.fill(0, 0, this.size);
    this.visits.fill(0, 0, this.size);
    this.reward.fill(0, 0, this.size);
    this.size = 1;
  }

  /** Whether `children` more nodes fit. */
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
}
