import { createRandom } from "../../base/random.ts";
import { Cfr, CFR_VARIANTS, type CfrVariant, type SolverState } from "./cfr.ts";
import { ExternalSampling } from "./external-sampling.ts";
import type { GameTree } from "./game-tree.ts";

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
