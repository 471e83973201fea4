import type { Amaf, Estimates, ImplicitMinimax, Promises } from "./estimates.ts";
import type { Proofs } from "./proofs.ts";
import type { SimulationTree } from "./tree.ts";

/** Chooses the child that a simulation visits next at an expanded node. */
export interface Selection {
  /** The unit of the exploration: the range of the rewards, see `Uct`. */
  range: number;
  /** Returns the child that the simulation goes to, where `mover` decides. */
  select(node: number, mover: number): number;
  /** Returns the bound by which `select` compares a visited child of `node`, in units of rewards, if it does. */
  bound?(node: number, child: number): number;
}

const NOTHING = new Int32Array(0);

/**
 * UCB1 (Auer, Cesa-Bianchi and Fischer 2002), as Kocsis and Szepesvari (2006) use it in trees. With proofs, it skips a
 * child that is a proven loss for the chooser as long as there is another.
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

  /** Returns the first child without visits, else the one with the highest upper confidence bound. */
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

/** The guides of a selection; null for one that is not used. */
export interface Guides {
  readonly exploration: number;
  readonly proofs: Proofs | null;
  readonly amaf: Amaf | null;
  /** Visits of a node after which its mean and AMAF count alike. */
  readonly equivalence: number;
  readonly estimates: Estimates | null;
  /** The part of the range of rewards by which a child without visits counts less than its estimate. */
  readonly firstPlay: number;
  readonly promises: Promises | null;
  /** True if the exploration is that of PUCT, with priors. */
  readonly puct: boolean;
  readonly minimax: ImplicitMinimax | null;
  /** The share of the implicit minimax value in a value, 0..1. */
  readonly minimaxShare: number;
}

/**
 * Selection by more than the mean of a child's rewards. A child's bound is its value plus the exploration.
 *
 * - Value: the mean and AMAF, weighted by how much is known (RAVE; Gelly and Silver 2007). The implicit minimax value
 *   replaces a share of it (Lanctot et al. 2014). A child without visits has the value of AMAF or of the evaluator (first-play urgency);
 *   without either it comes first. With promises, the mean counts them as earlier simulations.
 * - Exploration: that of UCB1, or c * prior * sqrt(N) / (1 + n) (PUCT; Rosin 2011, in the form of Silver et al. 2017).
 */
export class GuidedSelection implements Selection {
  range = 1;
  private readonly tree: SimulationTree;
  private readonly guides: Guides;
  /** At the current node: the exploration of a child with one visit, or with prior 1; and the weight of AMAF. */
  private spread = 0;
  private beta = 0;

  constructor(tree: SimulationTree, guides: Guides) {
    this.tree = tree;
    this.guides = guides;
  }

  select(node: number, mover: number): number {
    const { proofs } = this.guides;
    const { firstChild, childCount } = this.tree;
    const first = firstChild[node];
    const end = first + childCount[node];
    const spares = proofs !== null && !proofs.isLoss(node, mover);
    this.look(node);
    let best = first;
    let bestBound = -Infinity;
    for (let child = first; child < end; child++) {
      if (spares && proofs.isLoss(child, mover)) continue;
      const bound = this.boundOf(child);
      if (bound > bestBound) {
        bestBound = bound;
        best = child;
      }
    }
    return best;
  }

  bound(node: number, child: number): number {
    this.look(node);
    return this.boundOf(child);
  }

  private look(node: number): void {
    const { exploration, equivalence, puct } = this.guides;
    const count = this.tree.visits[node];
    this.spread = exploration * this.range * Math.sqrt(puct ? count : Math.log(count + 1));
    this.beta = Math.sqrt(equivalence / (3 * count + equivalence));
  }

  private boundOf(child: number): number {
    const { estimates, promises, puct } = this.guides;
    const count = this.tree.visits[child];
    const known = promises === null ? count : count + promises.weight;
    const exploration = puct
      ? (this.spread * estimates!.prior[child]) / (1 + count)
      : this.spread / Math.sqrt(Math.max(1, known));
    return this.valueOf(child, count) + exploration;
  }

  private valueOf(child: number, count: number): number {
    const { amaf, estimates, firstPlay, promises, minimax, minimaxShare } = this.guides;
    const seen = amaf === null ? 0 : amaf.visits[child];
    let value: number;
    if (promises !== null) value = promises.mean(child);
    else if (count > 0) value = this.tree.reward[child] / count;
    else if (estimates !== null) value = estimates.value[child] - firstPlay * this.range;
    else value = Infinity;
    if (seen > 0) {
      const asFirst = amaf!.reward[child] / seen;
      value = count === 0 && promises === null ? asFirst : value + this.beta * (asFirst - value);
    }
    return minimax === null ? value : value + minimaxShare * (minimax.value[child] - value);
  }
}
