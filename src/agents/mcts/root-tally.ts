import type { Proofs } from "./proofs.ts";
import type { SimulationTree } from "./tree.ts";

/** The sums at the root of a tree, one entry for each action. */
export interface RootTally {
  readonly simulations: number;
  readonly actions: Int32Array;
  readonly visits: Int32Array;
  /** Sums of rewards; see SimulationTree. */
  readonly reward: Float64Array;
  /** Sets of players, see Proofs; empty without proofs. */
  readonly wins: Int32Array;
  readonly losses: Int32Array;
}

const NOTHING = new Int32Array(0);

/** Takes the tally of a tree's root. */
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
 * Adds the tallies of other trees of the same root, whose actions may stand in another order. It sums visits and
 * rewards; a result proven in one tree is proven.
 * @param mover the player who decides at the root
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

/** Gives the root's actions the visits and rewards of an earlier tally of the same tree. */
export function restoreTally(tree: SimulationTree, { visits, reward }: RootTally): void {
  tree.visits.set(visits, tree.firstChild[0]);
  tree.reward.set(reward, tree.firstChild[0]);
}
