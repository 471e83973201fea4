import type { Design } from "./design.ts";
import { ELO_SCALE } from "./elo.ts";

/**
 * Gaussian priors around 0, standard deviations in Elo. An even game carries an information of 1/4. So
 * the prior on a strength is worth about 1/75 of a game: nothing beside results, enough to keep finite
 * who won or lost everything or never met the others; it also makes all strengths sum to zero. That on
 * the advantage of a seat and on the logarithm of a tie's delta is worth 3/4 of a game: with a handful of
 * games in which the first seat never lost, or nobody won, it keeps the strengths from following these
 * to the end of the scale.
 */
export const STRENGTH_SD_ELO = 3000;
export const CONDITIONS_SD_ELO = 400;

/** Precision of the prior on each parameter of the fit. */
export function priorPrecisions({ parameterCount, entrantCount }: Design): Float64Array {
  return new Float64Array(parameterCount)
    .fill((ELO_SCALE / STRENGTH_SD_ELO) ** 2, 0, entrantCount)
    .fill((ELO_SCALE / CONDITIONS_SD_ELO) ** 2, entrantCount);
}
