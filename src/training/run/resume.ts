import { InputError } from "../../base/errors.ts";
import { loadNumbers } from "../../specs/files/weights-file.ts";
import { setWeights } from "../learn/learnable.ts";
import type { ErrorTally } from "../learn/learner.ts";
import type { Learning, SelfPlayCounts } from "../loop/training-loop.ts";
import { checkpointGames } from "../plan/checkpoints.ts";
import type { TrainingPlan } from "../plan/plan.ts";
import type { TrainingFolder } from "./training-folder.ts";

/** The place from which a training goes on. */
export interface Start {
  readonly games: number;
  /** Time of self-play and learning so far, in ms. */
  readonly timeMs: number;
  readonly counts: SelfPlayCounts;
  /** The errors since the last checkpoint. */
  readonly errors: ErrorTally;
  /** The memory of the loop; undefined in a new training. */
  readonly memory: Readonly<Record<string, Float32Array>> | undefined;
}

/**
 * Restores the learner from the state in the folder; a folder without one begins with game 0. Throws InputError if the state
 * is damaged, or a checkpoint that a past opponent may need is gone.
 * @param onNote is told of a damaged state, if the one before it is good
 */
export function restoreLearner(
  { config }: TrainingPlan,
  folder: TrainingFolder,
  { learnable, learner, random }: Learning,
  onNote: ((text: string) => void) | undefined,
): Start {
  const state = folder.loadState();
  if (state === undefined)
    return {
      games: 0,
      timeMs: 0,
      counts: { decisions: 0, steps: 0 },
      errors: { count: 0, squares: 0 },
      memory: undefined,
    };
  const { games, timeMs, decisions, steps, errors, damage } = state;
  if (damage !== undefined) onNote?.(`${damage}; going on from the state before it, after game ${games}`);
  // A checkpoint that is gone is told of now, and not when it is drawn.
  if ((config.opponents?.past ?? 0) > 0)
    for (const past of checkpointGames(config))
      if (past > 0 && past < games && !folder.hasCheckpoint(past)) loadPast(folder, past);
  const { weights, ...memory } = state.arrays;
  if (weights?.length !== learnable.weights.length)
    throw new InputError(
      `holds ${weights?.length} weights, where the evaluator now has ${learnable.weights.length}`,
      folder.dir,
    );
  setWeights(learnable, weights);
  restoring(folder, () => learner.restore(memory));
  random.restore(state.random);
  return { games, timeMs, counts: { decisions, steps }, errors, memory };
}

/** Restores a part of a training from its memory; throws InputError if the memory does not fit. */
export function restoring(folder: TrainingFolder, restore: () => void): void {
  try {
    restore();
  } catch (error) {
    if (error instanceof InputError) throw new InputError(error.message, folder.dir);
    throw new InputError(`the state of the learner is damaged: ${(error as Error).message}`, folder.dir);
  }
}

/** The weights of a checkpoint, for a seat that plays with them; throws InputError if they are gone. */
export function loadPast(folder: TrainingFolder, games: number): Float32Array {
  try {
    return loadNumbers(folder.checkpoint(games));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(
      `a past opponent cannot play, since its weights are gone or damaged: ${error.message}; without them this training cannot go on as it would have`,
    );
  }
}
