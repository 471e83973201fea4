import { CHANCE } from "../../games/contract/game.ts";
import { KEYS, keyOf, type Learner, type Simulation } from "./simulation-path.ts";
import type { SimulationTree } from "./tree.ts";

/**
 * All moves as first (AMAF; Gelly and Silver 2007): the results of simulations in which the player who decides at a
 * node took an action there or later.
 */
export class Amaf implements Learner {
  /**
   * By node: the simulations through its parent in which its chooser took its action at any time, and their rewards.
   */
  readonly visits: Float32Array;
  readonly reward: Float32Array;
  private readonly tree: SimulationTree;
  /** By key of player and action: the last simulation with that action. */
  private readonly seen = new Int32Array(KEYS);
  private simulations = 0;

  constructor(tree: SimulationTree) {
    this.tree = tree;
    this.visits = tree.column(Float32Array);
    this.reward = tree.column(Float32Array);
  }

  /** Does nothing: the tree holds the results, and `seen` belongs to one simulation. */
  clear(): void {}

  learn({ path, chooser, pathLength, trail, rewards }: Simulation): void {
    const { tree, seen } = this;
    const now = ++this.simulations;
    if (trail !== null)
      for (let at = 0; at < trail.length; at++) seen[keyOf(trail.players[at], trail.actions[at])] = now;
    for (let depth = pathLength - 1; depth >= 0; depth--) {
      const player = chooser[depth];
      if (player === CHANCE) continue;
      seen[keyOf(player, tree.action[path[depth]])] = now;
      this.learnAt(depth === 0 ? 0 : path[depth - 1], player, rewards[player]);
    }
  }

  private learnAt(node: number, player: number, reward: number): void {
    const { seen, tree, visits } = this;
    const first = tree.firstChild[node];
    for (let child = first + tree.childCount[node] - 1; child >= first; child--) {
      if (seen[keyOf(player, tree.action[child])] !== this.simulations) continue;
      visits[child]++;
      this.reward[child] += reward;
    }
  }
}
