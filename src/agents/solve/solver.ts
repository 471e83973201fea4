import { Cfr, CFR_VARIANTS, type CfrVariant, type SolverState } from "./cfr.ts";
import type { GameTree } from "./game-tree.ts";
import { type SamplingName, SAMPLINGS, TreeSampling } from "./sampling.ts";

/** The names of all algorithms. */
export const ALGORITHMS = [...CFR_VARIANTS, ...SAMPLINGS] as const;
type Algorithm = CfrVariant | SamplingName;

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
 * @param of.seed for sampling: each iteration draws from a stream of its own
 */
export function createSolver(
  tree: GameTree,
  of: { readonly algorithm: Algorithm; readonly seed: string; readonly state?: SolverState | undefined },
): Solver {
  const { algorithm, seed, state } = of;
  return isSampling(algorithm)
    ? new TreeSampling(tree, { algorithm, seed, state })
    : new Cfr(tree, algorithm, state);
}

/** True for the algorithms that go through a sample of the game. */
export function isSampling(algorithm: string): algorithm is SamplingName {
  return SAMPLINGS.some((name) => name === algorithm);
}
