import { ELO_SCALE } from "./scale.ts";
import { Comparisons, type BlockGroup, type ComparedPairs } from "../counts/comparisons.ts";
import type { Tally } from "../counts/tally.ts";

/**
 * The results that Elo is fitted to. Each pair of seats of a game is one result: 1 for the seat that came ahead, 0 for
 * the other, a half each for a tie. The expected result is the logistic function of the difference of two numbers
 * (Elo 1978, with the logistic curve), so an Elo difference says what score to expect, draws included:
 *
 *     expected = 1 / (1 + exp(value of the other - value of the one))
 *
 * The numbers are the log strengths of the entrants, or in a fit of its own the log advantages of the seats. Blocks
 * have all seat rotations, so that in a comparison of entrants the seats cancel out, and in one of seats the entrants.
 * Pairs of the same two are one pairing, with their results summed.
 */
export interface Pairings extends Omit<ComparedPairs, "games"> {
  /** The number of numbers. */
  readonly size: number;
  /** The number of pairs of each pairing, of which `score` is the sum of the results of `one`. */
  readonly pairs: Float64Array;
  /** The number of blocks in which each number was compared. */
  readonly blocksOf: Float64Array;
  /** Precision of the Gaussian prior on each number, around 0. */
  readonly prior: number;
  readonly blockGroups: readonly BlockGroup[];
}

/**
 * Standard deviations of the priors, in Elo. An even game carries an information of 1/4, so the prior on a strength
 * is worth about 1/75 of a game: nothing beside results, but enough to keep an entrant finite that won or lost
 * everything or never met the others. It also makes all strengths sum to zero. The prior on the advantage of a seat is
 * worth 3/4 of a game.
 * @internal the tests compute the weight of the priors
 */
export const STRENGTH_SD_ELO = 3000;
/** @internal see STRENGTH_SD_ELO. */
export const ADVANTAGE_SD_ELO = 400;

/** The pairs of entrants. */
export function pairEntrants({ entrants }: Tally): Pairings {
  return createPairings(entrants, STRENGTH_SD_ELO);
}

/** The pairs of seats. */
export function pairSeats({ seats = new Comparisons(0) }: Tally): Pairings {
  return createPairings(seats, ADVANTAGE_SD_ELO);
}

function createPairings(comparisons: Comparisons, priorElo: number): Pairings {
  const { games, ...pairs } = comparisons.pairs();
  return {
    ...pairs,
    size: comparisons.size,
    pairs: games,
    blocksOf: comparisons.blocksOf,
    prior: (ELO_SCALE / priorElo) ** 2,
    blockGroups: comparisons.blockGroups(),
  };
}

/** The log odds that the one comes ahead of the other in a pairing. */
export function logOdds({ one, other }: Pairings, pairing: number, values: Float64Array): number {
  return values[one[pairing]] - values[other[pairing]];
}

/** The expected result, 0 to 1, at these log odds. */
export function expectedResult(odds: number): number {
  return 1 / (1 + Math.exp(0 - odds));
}

/** Adds `amount` times the information of one pair of a pairing to a matrix over the numbers. */
export function addInformation(
  { one, other, size }: Pick<Pairings, "one" | "other" | "size">,
  pairing: number,
  amount: number,
  into: Float64Array,
): void {
  const [a, b] = [one[pairing], other[pairing]];
  into[a * size + a] += amount;
  into[b * size + b] += amount;
  into[a * size + b] -= amount;
  into[b * size + a] -= amount;
}
