/** `firstChild` of a node without children; 0 is free for this, as the root is no child. */
export const UNEXPANDED = 0;

/** What a tree keeps of each node besides the action. */
type Column = Int32Array | Uint16Array | Float32Array | Float64Array;

/**
 * A search tree as a struct of arrays; node 0 is the root. The children of a node stand side by side, and behind their
 * parent. The arrays beyond `size` hold zeros, so that a new node needs only its action written.
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

  constructor(capacity: number) {
    this.capacity = capacity;
    this.action = new Int32Array(capacity);
    this.firstChild = this.column(Int32Array);
    this.childCount = this.column(Uint16Array);
    this.visits = this.column(Int32Array);
    this.reward = this.column(Float64Array);
  }

  /** One more number for each node, 0 for a new one. */
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
