import { TERMINAL } from "../../games/contract/rules.ts";
import type { GameTree } from "./game-tree.ts";

/** A policy against players who know it. */
export interface Exploited {
  /** By player: its expected return if all play the policy. */
  readonly values: readonly number[];
  /** By player: its expected return if it alone plays best against the policy. */
  readonly bestResponses: readonly number[];
  /**
   * The mean gain of a best response, in the game's units: 0 for a Nash equilibrium. NashConv (Lanctot et al. 2017) is the
   * sum of the gains.
   */
  readonly exploitability: number;
}

/** The nodes of a tree in the order in which a player's best response is found. */
interface Order {
  /** By number of own decisions before: the nodes at which the player decides. */
  readonly own: readonly Int32Array[];
  /** By number of own decisions before: all other nodes, ascending. */
  readonly others: readonly Int32Array[];
}

/** Finds how much players would gain by best responses. */
export class BestResponder {
  private readonly tree: GameTree;
  private readonly orders: readonly Order[];
  private readonly reach: Float64Array;
  private readonly value: Float64Array;
  private readonly gains: Float64Array;

  constructor(tree: GameTree) {
    this.tree = tree;
    this.orders = Array.from({ length: tree.players }, (_, player) => orderOf(tree, player));
    this.reach = new Float64Array(tree.parent.length);
    this.value = new Float64Array(tree.parent.length);
    this.gains = new Float64Array(tree.actionSlots);
  }

  /** @param policy the probability of every edge, by slot */
  exploit(policy: Float64Array): Exploited {
    const players = [...Array(this.tree.players).keys()];
    const values = players.map((player) => this.expected(policy, player));
    const bestResponses = players.map((player) => this.bestResponse(policy, player));
    const gains = players.map((player) => bestResponses[player]! - values[player]!);
    return {
      values,
      bestResponses,
      exploitability: gains.reduce((sum, gain) => sum + gain, 0) / players.length,
    };
  }

  private expected(policy: Float64Array, player: number): number {
    const { parent, slot, returns } = this.tree;
    const { value } = this;
    value.set(returns[player]!);
    for (let node = value.length - 1; node > 0; node--)
      value[parent[node]!]! += policy[slot[node]!]! * value[node]!;
    return value[0]!;
  }

  /**
   * The player's return with the best action at each of its information sets. What an action is worth there depends on all
   * nodes of the set, weighed by how likely the others and chance come to them. So sets are settled from the last decision
   * of the player to its first.
   */
  private bestResponse(policy: Float64Array, player: number): number {
    const { parent, slot, set, sets, toMove, end, returns } = this.tree;
    const { reach, value, gains } = this;
    reach[0] = 1;
    for (let node = 1; node < reach.length; node++) {
      const from = parent[node]!;
      reach[node] = toMove[from] === player ? reach[from]! : reach[from]! * policy[slot[node]!]!;
    }
    gains.fill(0);
    const { own, others } = this.orders[player]!;
    for (let level = own.length - 1; level >= 0; level--) {
      for (const node of own[level]!)
        for (let child = node + 1; child < end[node]!; child = end[child]!)
          gains[slot[child]!]! += reach[node]! * value[child]!;
      for (const node of own[level]!) {
        const { from, actions } = sets[set[node]!]!;
        let best = from;
        for (let at = from + 1; at < from + actions.length; at++) if (gains[at]! > gains[best]!) best = at;
        let child = node + 1;
        while (slot[child] !== best) child = end[child]!;
        value[node] = value[child]!;
      }
      const rest = others[level]!;
      for (let at = rest.length - 1; at >= 0; at--) {
        const node = rest[at]!;
        if (toMove[node] === TERMINAL) {
          value[node] = returns[player]![node]!;
          continue;
        }
        let sum = 0;
        for (let child = node + 1; child < end[node]!; child = end[child]!)
          sum += policy[slot[child]!]! * value[child]!;
        value[node] = sum;
      }
    }
    return value[0]!;
  }
}

function orderOf({ parent, toMove }: GameTree, player: number): Order {
  const level = new Int32Array(parent.length);
  const own: number[][] = [];
  const others: number[][] = [];
  for (let node = 0; node < parent.length; node++) {
    const from = parent[node]!;
    level[node] = node === 0 ? 0 : level[from]! + (toMove[from] === player ? 1 : 0);
    while (own.length <= level[node]) {
      own.push([]);
      others.push([]);
    }
    (toMove[node] === player ? own : others)[level[node]]!.push(node);
  }
  return {
    own: own.map((nodes) => Int32Array.from(nodes)),
    others: others.map((nodes) => Int32Array.from(nodes)),
  };
}
