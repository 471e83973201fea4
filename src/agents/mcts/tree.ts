/** No children yet. */
export const UNEXPANDED = -1;

/**
 * A search tree as a struct of arrays; node 0 is the root. The children of a node stand side by side.
 * Nothing is freed but the whole.
 */
export class Tree {
  /** The action that leads to the node. */
  readonly action: Int32Array;
  readonly firstChild: Int32Array;
  readonly childCount: Int32Array;
  readonly visits: Int32Array;
  /** Sum of rewards, in 0..1, of the player who chose the action that leads to the node. */
  readonly reward: Float64Array;
  readonly capacity: number;
  size = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.action = new Int32Array(capacity);
    this.firstChild = new Int32Array(capacity);
    this.childCount = new Int32Array(capacity);
    this.visits = new Int32Array(capacity);
    this.reward = new Float64Array(capacity);
  }

  /** Forgets all nodes but a new root. */
  clear(): void {
    this.size = 0;
    this.add(0);
  }

  hasRoomFor(children: number): boolean {
    return this.size + children <= this.capacity;
  }

  /** Gives `node` a child for each of the `count` actions; there must be room. */
  expand(node: number, actions: Int32Array, count: number): void {
    this.firstChild[node] = this.size;
    this.childCount[node] = count;
    for (let index = 0; index < count; index++) this.add(actions[index]);
  }

  private add(action: number): void {
    const node = this.size++;
    this.action[node] = action;
    this.firstChild[node] = UNEXPANDED;
    this.childCount[node] = 0;
    this.visits[node] = 0;
    this.reward[node] = 0;
  }
}
