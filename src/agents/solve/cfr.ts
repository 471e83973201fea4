import { TERMINAL } from "../../games/contract/rules.ts";
import type { GameTree } from "./game-tree.ts";
import { uniformPolicy } from "./game-tree.ts";

/**
 * The weights of one algorithm of counterfactual regret minimization. After iteration t:
 * cfr, Zinkevich et al. 2007: all iterations count the same;
 * cfr+, Tammelin 2014: negative regrets become 0, iteration t has weight t in the average;
 * dcfr, Brown and Sandholm 2019, with alpha 3/2, beta 0 and gamma 2: positive regrets are multiplied by t^1.5 / (t^1.5 + 1),
 * negative ones by 1/2, and iteration t has weight t squared.
 */
const VARIANTS = {
  cfr: { weight: () => 1, discount: undefined },
  "cfr+": { weight: (t: number) => t, discount: () => [1, 0] as const },
  dcfr: {
    weight: (t: number) => t * t,
    discount: (t: number) => [t ** 1.5 / (t ** 1.5 + 1), 0.5] as const,
  },
} as const;

/** The names of the algorithms that go through the whole tree. */
export type CfrVariant = keyof typeof VARIANTS;
export const CFR_VARIANTS = Object.keys(VARIANTS) as readonly CfrVariant[];

/** The numbers with which a calculation goes on. */
export interface SolverState {
  readonly iterations: number;
  /** By slot of an action. */
  readonly regrets: Float64Array;
  /** By slot of an action: the sum of the weighted policies. */
  readonly sums: Float64Array;
}

/** The parts of a tree that belong to one player. */
interface OwnParts {
  readonly sets: Int32Array;
  /** A node of each set: all nodes of a set are equally likely by the player's own actions. */
  readonly nodes: Int32Array;
  /** The nodes that the player's actions lead to, ascending. */
  readonly chosen: Int32Array;
}

/**
 * Counterfactual regret minimization over a whole tree, with alternating updates: in an iteration each player in turn adds
 * its policy, weighed by how likely it comes to the set, to the average, and then changes its regrets and its policy. No
 * method allocates memory while it iterates.
 */
export class Cfr {
  private readonly tree: GameTree;
  private readonly variant: (typeof VARIANTS)[CfrVariant];
  private readonly regrets: Float64Array;
  private readonly sums: Float64Array;
  /** By slot: the present policy, and the probabilities of chance. */
  private readonly policy: Float64Array;
  /** The nodes that are no ends, ascending. */
  private readonly inner: Int32Array;
  /** By node: how likely the player that is updated comes to it, and how likely the others and chance do. */
  private readonly own: Float64Array;
  private readonly others: Float64Array;
  private readonly value: Float64Array;
  private readonly setsOf: readonly OwnParts[];
  iterations = 0;

  constructor(tree: GameTree, variant: CfrVariant, state?: SolverState) {
    this.tree = tree;
    this.variant = VARIANTS[variant];
    this.regrets = state?.regrets.slice() ?? new Float64Array(tree.actionSlots);
    this.sums = state?.sums.slice() ?? new Float64Array(tree.actionSlots);
    this.iterations = state?.iterations ?? 0;
    this.policy = uniformPolicy(tree);
    const nodes = tree.parent.length;
    this.inner = Int32Array.from(tree.toMove.keys()).filter((node) => tree.toMove[node] !== TERMINAL);
    this.own = new Float64Array(nodes);
    this.others = new Float64Array(nodes);
    this.value = new Float64Array(nodes);
    const first = new Int32Array(tree.sets.length);
    for (let node = nodes - 1; node >= 0; node--) if (tree.set[node]! >= 0) first[tree.set[node]!] = node;
    this.setsOf = Array.from({ length: tree.players }, (_, player) => {
      const sets = Int32Array.from([...tree.sets.keys()].filter((at) => tree.sets[at]!.player === player));
      const chosen = Int32Array.from(tree.parent.keys()).filter(
        (node) => node > 0 && tree.toMove[tree.parent[node]!] === player,
      );
      return { sets, nodes: sets.map((at) => first[at]!), chosen };
    });
    for (let player = 0; player < tree.players; player++) this.matchRegrets(player);
  }

  get state(): SolverState {
    return { iterations: this.iterations, regrets: this.regrets, sums: this.sums };
  }

  /** One iteration: a pass for each player. */
  iterate(): void {
    this.iterations++;
    for (let player = 0; player < this.tree.players; player++) {
      this.reach(player);
      this.addPolicy(player);
      this.addRegrets(player);
      this.discount(player);
      this.matchRegrets(player);
    }
  }

  /** The average policy, by slot; uniform at sets that the player's own policy never came to. */
  averagePolicy(): Float64Array {
    return averageOf(this.tree, this.sums);
  }

  private reach(player: number): void {
    const { parent, slot, toMove } = this.tree;
    const { own, others, policy } = this;
    own[0] = 1;
    others[0] = 1;
    const { inner } = this;
    for (let at = 1; at < inner.length; at++) {
      const node = inner[at]!;
      const from = parent[node]!;
      const probability = policy[slot[node]!]!;
      if (toMove[from] === player) {
        own[node] = own[from]! * probability;
        others[node] = others[from]!;
      } else {
        own[node] = own[from]!;
        others[node] = others[from]! * probability;
      }
    }
  }

  private addPolicy(player: number): void {
    const { sums, policy, own } = this;
    const { sets, nodes } = this.setsOf[player]!;
    const weight = this.variant.weight(this.iterations);
    for (let at = 0; at < sets.length; at++) {
      const share = weight * own[nodes[at]!]!;
      if (share === 0) continue;
      const { from, actions } = this.tree.sets[sets[at]!]!;
      for (let slot = from; slot < from + actions.length; slot++) sums[slot]! += share * policy[slot]!;
    }
  }

  /** Adds the counterfactual regrets of the iteration: the value of each action less that of the policy. */
  private addRegrets(player: number): void {
    const { parent, slot, returns } = this.tree;
    const { value, policy, others, regrets } = this;
    value.set(returns[player]!);
    for (let node = value.length - 1; node > 0; node--)
      value[parent[node]!]! += policy[slot[node]!]! * value[node]!;
    const { chosen } = this.setsOf[player]!;
    // The difference comes first: where actions are worth the same, the regret stays exactly 0.
    for (let at = 0; at < chosen.length; at++) {
      const node = chosen[at]!;
      const from = parent[node]!;
      regrets[slot[node]!]! += others[from]! * (value[node]! - value[from]!);
    }
  }

  private discount(player: number): void {
    const factors = this.variant.discount?.(this.iterations);
    if (factors === undefined) return;
    const [gains, losses] = factors;
    const { regrets } = this;
    const { sets } = this.setsOf[player]!;
    for (let at = 0; at < sets.length; at++) {
      const { from, actions } = this.tree.sets[sets[at]!]!;
      for (let slot = from; slot < from + actions.length; slot++)
        regrets[slot]! *= regrets[slot]! > 0 ? gains : losses;
    }
  }

  private matchRegrets(player: number): void {
    const { sets } = this.setsOf[player]!;
    for (let at = 0; at < sets.length; at++) {
      const { from, actions } = this.tree.sets[sets[at]!]!;
      matchRegrets(this.regrets, { from, count: actions.length }, this.policy, from);
    }
  }
}

/**
 * Regret matching (Hart and Mas-Colell 2000): writes probabilities in proportion to positive regrets to `out`, from `at`
 * on; uniform ones where no regret is positive.
 */
export function matchRegrets(
  regrets: Float64Array,
  { from, count }: { readonly from: number; readonly count: number },
  out: Float64Array,
  at: number,
): void {
  let sum = 0;
  for (let slot = from; slot < from + count; slot++) if (regrets[slot]! > 0) sum += regrets[slot]!;
  for (let action = 0; action < count; action++) {
    const regret = regrets[from + action]!;
    out[at + action] = sum > 0 ? (regret > 0 ? regret / sum : 0) : 1 / count;
  }
}

/** Sums of policies as one policy, by slot; uniform at sets without sums. */
export function averageOf(tree: GameTree, sums: Float64Array): Float64Array {
  const policy = uniformPolicy(tree);
  for (const { from, actions } of tree.sets) {
    let sum = 0;
    for (let slot = from; slot < from + actions.length; slot++) sum += sums[slot]!;
    if (sum > 0) for (let slot = from; slot < from + actions.length; slot++) policy[slot] = sums[slot]! / sum;
  }
  return policy;
}
