/** The principal lines of a depth-first search: a triangle of actions, one line a ply. */
export class PrincipalLines {
  private readonly actions: Int32Array;
  private readonly lengths: Int32Array;
  private readonly stride: number;

  constructor(maxDepth: number) {
    this.stride = maxDepth + 1;
    this.actions = new Int32Array(this.stride * this.stride);
    this.lengths = new Int32Array(this.stride + 1);
  }

  /** The line from `ply` on is empty: a leaf, or nothing found yet. */
  clear(ply: number): void {
    this.lengths[ply] = 0;
  }

  /** The line from `ply` on is `action`, then the line from the next ply on. */
  extend(ply: number, action: number): void {
    const from = ply * this.stride;
    const next = from + this.stride;
    const length = this.lengths[ply + 1];
    this.actions[from] = action;
    for (let at = 0; at < length; at++) this.actions[from + 1 + at] = this.actions[next + at];
    this.lengths[ply] = length + 1;
  }

  /** The line from `ply` on is `action` alone. */
  end(ply: number, action: number): void {
    this.actions[ply * this.stride] = action;
    this.lengths[ply] = 1;
  }

  /** The line from the root. */
  root(): number[] {
    return Array.from(this.actions.subarray(0, this.lengths[0]));
  }
}
