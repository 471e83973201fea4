import type { Proofs } from "./proofs.ts";
import type { SimulationTree } from "./tree.ts";

/** How a simulation goes on at a node whose children are there. */
export interface Selection {
  /** The unit of the exploration: the range of the rewards, see `Uct`. */
  range: number;
  /** The child that the simulation goes to, where `mover` decides. */
  select(node: number, mover: number): number;
  /** The bound by which `select` compares a child of `node` that was visited: a reward, in its unit. */
  bound(node: number, child: number): number;
}

const NOTHING = new Int32Array(0);

/**
 * UCB1 (Auer, Cesa-Bianchi and Fischer 2002), as Kocsis and Szepesvari (2006) use it in trees. With proofs, a child that
 * is a proven loss for who chooses is left out as long as there is another.
 */
export class Ucb1 implements Selection {
  range = 1;
  private readonly tree: SimulationTree;
  private readonly exploration: number;
  private readonly proofs: Proofs | null;
  private readonly losses: Int32Array;

  constructor(tree: SimulationTree, exploration: number, proofs: Proofs | null) {
    this.tree = tree;
    this.exploration = exploration;
    this.proofs = proofs;
    this.losses = proofs?.losses ?? NOTHING;
  }

  /** The first child that has no visits, else the one with the highest upper confidence bound. */
  select(node: number, mover: number): number {
    const { proofs, losses } = this;
    const { visits, reward, firstChild, childCount } = this.tree;
    const first = firstChild[node];
    const end = first + childCount[node];
    const spread = this.spread(node);
    const barred = proofs === null || proofs.isLoss(node, mover) ? 0 : 1 << mover;
    let best = first;
    let bestBound = -Infinity;
    for (let child = first; child < end; child++) {
      if (barred !== 0 && (losses[child] & barred) !== 0) continue;
      const count = visits[child];
      if (count === 0) return child;
      // The mean and spread / sqrt(n), with one division.
      const bound = (reward[child] + spread * Math.sqrt(count)) / count;
      if (bound > bestBound) {
        bestBound = bound;
        best = child;
      }
    }
    return best;
  }

  bound(node: number, child: number): number {
    const { visits, reward } = this.tree;
    return (reward[child] + this.spread(node) * Math.sqrt(visits[child])) / visits[child];
  }

  private spread(node: number): number {
    return this.exploration * this.range * Math.sqrt(Math.log(this.tree.visits[node] + 1));
  }
}
