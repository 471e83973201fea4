import type { Estimates } from "./estimates.ts";
import type { Simulation } from "./simulation.ts";
import type { Proofs } from "./proofs.ts";
import type { SimulationTree } from "./tree.ts";

/**
 * The minimax value of each node, of the estimates at the leaves of the tree: implicit minimax backups (Lanctot, Winands,
 * Pepels and Sturtevant 2014). For two players whose returns sum to zero, without chance.
 */
export class ImplicitMinimax {
  /** By node: what its chooser gets, in 0..1. */
  readonly value: Float32Array;
  private readonly tree: SimulationTree;
  private readonly estimates: Estimates;
  private readonly proofs: Proofs | null;

  constructor(tree: SimulationTree, estimates: Estimates, proofs: Proofs | null) {
    this.tree = tree;
    this.estimates = estimates;
    this.proofs = proofs;
    this.value = tree.column(Float32Array);
  }

  /** Takes the estimates of the new children of a node. */
  begin(node: number): void {
    const { firstChild, childCount } = this.tree;
    const first = firstChild[node];
    this.value.set(this.estimates.value.subarray(first, first + childCount[node]), first);
  }

  /** Values the nodes of the path again, from its end up to where nothing changes. */
  backUp({ path, chooser, pathLength }: Simulation): void {
    for (let depth = pathLength - 2; depth >= 0; depth--) {
      const before = this.value[path[depth]];
      this.update(path[depth], chooser[depth + 1], chooser[depth]);
      if (this.value[path[depth]] === before) break;
    }
  }

  /** Values a node whose chooser is `chooser` by its children, among which `mover` chooses. */
  private update(node: number, mover: number, chooser: number): void {
    const { value, proofs } = this;
    const { firstChild, childCount } = this.tree;
    const first = firstChild[node];
    let best = 0;
    for (let child = first + childCount[node] - 1; child >= first; child--) {
      if (proofs !== null && proofs.isLoss(child, mover)) continue;
      if (value[child] > best) best = value[child];
    }
    value[node] = mover === chooser ? best : 1 - best;
  }
}
