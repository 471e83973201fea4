import type { Proofs } from "./proofs.ts";
import type { SimulationTree } from "./tree.ts";

/** What a tree knows of the actions of its root, one entry for each. */
export interface RootTally {
  readonly simulations: number;
  readonly actions: Int32Array;
  readonly visits: Int32Array;
  /** Sums of rewards, see SimulationTree. */
  readonly reward: Float64Array;
  /** Sets of players, see Proofs; empty where nothing is proven. */
  readonly wins: Int32Array;
  readonly losses: Int32Array;
}

const NOTHING = new Int32Array(0);

/** The tally of a tree's root after so many simulations. */
export function tallyRoot(tree: SimulationTree, proofs: Proofs | null, simulations: number): RootTally {
  const from = tree.firstChild[0];
  const end = from + tree.childCount[0];
  return {
    simulations,
    actions: tree.action.slice(from, end),
    visits: tree.visits.slice(from, end),
    reward: tree.reward.slice(from, end),
    wins: proofs?.wins.slice(from, end) ?? NOTHING,
    losses: proofs?.losses.slice(from, end) ?? NOTHING,
  };
}

/**
 * Adds what other trees know of the same root, whose actions may stand in another order: visits and rewards are summed;
 * what is proven in one tree is proven.
 * @param mover who decides at the root
 */
export function addTallies(
  tree: SimulationTree,
  proofs: Proofs | null,
  { tallies, mover }: { tallies: readonly RootTally[]; mover: number },
): void {
  const from = tree.firstChild[0];
  const nodes = new Map<number, number>();
  for (let node = from; node < from + tree.childCount[0]; node++) nodes.set(tree.action[node], node);
  for (const { actions, visits, reward, wins, losses } of tallies) {
    for (const [at, action] of actions.entries()) {
      const node = nodes.get(action)!;
      tree.visits[node] += visits[at]!;
      tree.reward[node] += reward[at]!;
      if (proofs === null) continue;
      proofs.wins[node] |= wins[at]!;
      proofs.losses[node] |= losses[at]!;
    }
  }
  proofs?.renew(0, mover);
}

/** Gives the root's actions the visits and rewards back that they had in a tally of the same tree. */
export function restoreTally(tree: SimulationTree, { visits, reward }: RootTally): void {
  tree.visits.set(visits, tree.firstChild[0]);
  tree.reward.set(reward, tree.firstChild[0]);
}
