import { createRandom, type Random } from "../../base/random.ts";
import { Cfr, CFR_VARIANTS, type CfrVariant, type SolverState, averageOf, matchRegrets } from "./cfr.ts";
import type { GameTree } from "./game-tree.ts";
import { CHANCE, TERMINAL } from "../../games/contract/rules.ts";

/** The names of all algorithms. @internal tests try each of them */
export const ALGORITHMS = [...CFR_VARIANTS, "external-sampling"] as const;
export type Algorithm = CfrVariant | "external-sampling";

/** A calculation that comes nearer to an equilibrium with each iteration. */
export interface Solver {
  readonly iterations: number;
  readonly state: SolverState;
  iterate(): void;
  /** The average policy, by slot: the one that comes near an equilibrium. */
  averagePolicy(): Float64Array;
}

/**
 * Makes a solver, which goes on from a state if one is given.
 * @param of.seed for external sampling: each iteration draws from a stream of its own
 */
export function createSolver(
  tree: GameTree,
  of: { readonly algorithm: Algorithm; readonly seed: string; readonly state?: SolverState | undefined },
): Solver {
  const { algorithm, seed, state } = of;
  return algorithm === "external-sampling"
    ? new ExternalSampling(tree, (iteration) => createRandom(seed, "iteration", iteration), state)
    : new Cfr(tree, algorithm, state);
}

/**
 * External-sampling Monte Carlo CFR (Lanctot et al. 2009): in an iteration each player in turn tries all its actions, while
 * chance and the others play one action each. The others add their policies to the average where they decide.
 */
class ExternalSampling {
  private readonly tree: GameTree;
  private readonly randomOf: (iteration: number) => Random;
  private random: Random;
  private readonly regrets: Float64Array;
  private readonly sums: Float64Array;
  private readonly most: number;
  /** By depth of the recursion: probabilities, then values of the actions. */
  private readonly stack: Float64Array[] = [];
  iterations: number;

  /** @param randomOf makes the stream of an iteration, so that a calculation that goes on draws the same */
  constructor(tree: GameTree, randomOf: (iteration: number) => Random, state?: SolverState) {
    this.tree = tree;
    this.randomOf = randomOf;
    this.random = randomOf(0);
    this.regrets = state?.regrets.slice() ?? new Float64Array(tree.actionSlots);
    this.sums = state?.sums.slice() ?? new Float64Array(tree.actionSlots);
    this.iterations = state?.iterations ?? 0;
    this.most = tree.sets.reduce((most, { actions }) => Math.max(most, actions.length), 0);
  }

  get state(): SolverState {
    return { iterations: this.iterations, regrets: this.regrets, sums: this.sums };
  }

  iterate(): void {
    this.random = this.randomOf(++this.iterations);
    for (let player = 0; player < this.tree.players; player++) this.visit(0, player, 0);
  }

  averagePolicy(): Float64Array {
    return averageOf(this.tree, this.sums);
  }

  /** The sampled value of a node for the player that is updated. */
  private visit(node: number, player: number, depth: number): number {
    const { toMove, returns, set, sets, end, slot, chance, actionSlots } = this.tree;
    const mover = toMove[node]!;
    if (mover === TERMINAL) return returns[player]![node]!;
    if (mover === CHANCE) {
      let left = this.random.float();
      let child = node + 1;
      // The last outcome takes what rounding leaves.
      for (let next = end[child]!; next < end[node]!; next = end[child]!) {
        left -= chance[slot[child]! - actionSlots]!;
        if (left < 0) break;
        child = next;
      }
      return this.visit(child, player, depth);
    }
    const { from, actions } = sets[set[node]!]!;
    const count = actions.length;
    const own = (this.stack[depth] ??= new Float64Array(2 * this.most));
    matchRegrets(this.regrets, { from, count }, own, 0);
    if (mover === player) {
      let mean = 0;
      let child = node + 1;
      for (let action = 0; action < count; action++) {
        own[this.most + action] = this.visit(child, player, depth + 1);
        mean += own[action]! * own[this.most + action]!;
        child = end[child]!;
      }
      for (let action = 0; action < count; action++)
        this.regrets[from + action]! += own[this.most + action]! - mean;
      return mean;
    }
    let left = this.random.float();
    let chosen = node + 1;
    let at = 0;
    for (; at < count - 1; at++) {
      left -= own[at]!;
      if (left < 0) break;
      chosen = end[chosen]!;
    }
    const value = this.visit(chosen, player, depth + 1);
    // With more players, only the next one adds its policy, so that each adds once an iteration.
    if (mover === (player + 1) % this.tree.players)
      for (let action = 0; action < count; action++) this.sums[from + action]! += own[action]!;
    return value;
  }
}
