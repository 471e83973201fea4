import { type Anchor, ELO_SCALE, type EloInterval, normalBelow, Z95 } from "./scale.ts";
import { spreadOf, type Spread } from "./covariance.ts";
import { pairEntrants, pairSeats, type Pairings, logOdds } from "./pairings.ts";
import type { ChosenRatings, SimulatedErrors } from "../adaptive/chosen-pairings.ts";
import { fit } from "./fit.ts";
import { findGroups, type Groups } from "../counts/groups.ts";
import { tallyGames, type Tally } from "../counts/tally.ts";
import type { RatedGame } from "../record.ts";

/** Ratings of a set of games. */
export interface Rating {
  /** The rating of each entrant. */
  readonly entrants: readonly EloInterval[];
  /** Advantage of the first seat over the mean of the others, by their scores against each other. */
  readonly firstSeat: EloInterval;
  /** [one][other]: probability that `one` is the stronger, from the covariance of both; 0.5 against itself. Empty
   * for more than 1000 entrants. */
  readonly superiority: readonly (readonly number[])[];
}

export interface RateOptions {
  /** The entrant whose Elo is given; without it the mean over `zeroGroup` is 0. */
  readonly anchor?: Anchor | undefined;
  /** Finds the errors of ratings whose pairings were chosen by results; the intervals then allow for the choice [they were not]. */
  readonly errors?: ((ratings: ChosenRatings) => SimulatedErrors | undefined) | undefined;
}

/**
 * Elo of all entrants at once, from the scores that Elo differences predict, with seat advantages, for games of two and
 * more players. The order of the records does not matter: the result is the same to the last bit.
 */
export function rate(records: readonly RatedGame[], entrantCount: number, options: RateOptions = {}): Rating {
  const tally = tallyGames(records, entrantCount);
  return rateTally(tally, findGroups(tally), options);
}

/** `rate` for a tally. */
export function rateTally(tally: Tally, groups: Groups, { anchor, errors: findErrors }: RateOptions): Rating {
  const pairings = pairEntrants(tally);
  const parameters = fit(pairings);
  const spread = spreadOf(pairings, parameters);
  const zero = anchor === undefined ? zeroGroup(tally.entrantCount, groups) : [anchor.entrant];
  const isOneSided = groups.wonAll.map((won, entrant) => won || groups.lostAll[entrant]);
  const errors = findErrors?.({ pairings, parameters, zero, isOneSided });
  const plain = aroundZero(zero, anchor?.elo ?? 0, parameters, spread);
  const superiority =
    spread.matrix === undefined ? [] : superiorities(tally.entrantCount, parameters, spread.matrix, errors);
  if (spread.matrix !== undefined) settleBorders(superiority, { tally, groups, pairings, parameters });
  const entrants =
    errors === undefined
      ? plain
      : plain.map((rating, entrant) => allowForChoice(rating, errors.entrant(entrant)));
  return {
    entrants: boundOneSided({ entrants, zero, tally, groups, pairings, parameters }),
    firstSeat: firstSeatAdvantage(tally),
    superiority,
  };
}

/** The interval without the errors that simulated tournaments had. The Elo stays: it is the one that expects the score. */
function allowForChoice(
  { elo, high }: EloInterval,
  { mean, deviation }: { readonly mean: number; readonly deviation: number },
): EloInterval {
  const error = (high - elo) / Z95;
  const middle = elo - mean * error;
  const margin = Z95 * deviation * error;
  return { elo, low: middle - margin, high: middle + margin };
}

/**
 * The entrants whose mean is the zero of the scale: all that the results bound on both sides. So the open end of an
 * entrant that won or lost everything does not widen the other intervals. If these are not the majority: all entrants.
 */
function zeroGroup(entrantCount: number, { bounded }: Groups): readonly number[] {
  const largest = bounded.find((members) => 2 * members.length > entrantCount);
  return largest ?? Array.from({ length: entrantCount }, (_, entrant) => entrant);
}

/** Strengths and their intervals as differences from the mean strength of `zero`. */
function aroundZero(
  zero: readonly number[],
  zeroElo: number,
  strengths: Float64Array,
  spread: Spread,
): EloInterval[] {
  const meanOverZero = (term: (at: number) => number) =>
    zero.reduce((sum, at) => sum + term(at), 0) / zero.length;
  const covarianceWithZero = spread.withMean(zero);
  const zeroVariance = meanOverZero((at) => covarianceWithZero[at]);
  const zeroStrength = meanOverZero((at) => strengths[at]);
  return Array.from(strengths, (strength, at) =>
    interval(
      zeroElo + ELO_SCALE * (strength - zeroStrength),
      spread.variances[at] - 2 * covarianceWithZero[at] + zeroVariance,
    ),
  );
}

/** The advantage of the first seat: its score against the other seats, in Elo. */
function firstSeatAdvantage(tally: Tally): EloInterval {
  const { seatCount } = tally;
  if (seatCount < 2) return { elo: 0, low: 0, high: 0 };
  const pairings = pairSeats(tally);
  const advantages = fit(pairings);
  const spread = spreadOf(pairings, advantages).matrix!;
  const weights = Array.from({ length: seatCount }, (_, seat) => (seat === 0 ? 1 : -1 / (seatCount - 1)));
  let value = 0;
  let variance = 0;
  weights.forEach((weight, seat) => {
    value += weight * advantages[seat];
    weights.forEach((otherWeight, other) => {
      variance += weight * otherWeight * spread[seat * seatCount + other];
    });
  });
  return interval(ELO_SCALE * value, variance);
}

/** The 95% interval; `variance` in natural units, and below 0 only by rounding. */
function interval(elo: number, variance: number): EloInterval {
  const margin = Z95 * ELO_SCALE * Math.sqrt(Math.max(0, variance));
  return { elo, low: elo - margin, high: elo + margin };
}

function superiorities(
  count: number,
  parameters: Float64Array,
  spread: Float64Array,
  errors: SimulatedErrors | undefined,
): number[][] {
  const size = parameters.length;
  const matrix = Array.from({ length: count }, () => Array.from({ length: count }, () => 0.5));
  for (let one = 0; one < count; one++) {
    for (let other = 0; other < one; other++) {
      const variance =
        spread[one * size + one] + spread[other * size + other] - 2 * spread[one * size + other];
      const difference = parameters[one] - parameters[other];
      const { mean, deviation } = errors?.difference(one, other) ?? { mean: 0, deviation: 1 };
      const inErrors = signedRoot(difference) / Math.sqrt(Math.max(variance, Number.MIN_VALUE));
      const chance = normalBelow((inErrors - mean) / deviation);
      matrix[one][other] = chance;
      matrix[other][one] = 1 - chance;
    }
  }
  return matrix;
}

/**
 * The difference of two log strengths that, divided by its standard error, is the signed root of the likelihood ratio against
 * equal strengths: sqrt(2N(log 2 - H(p))) after N results with the expected score p and entropy H. Near 0 it is the difference
 * itself. Divided by its error alone, the difference falls again beyond a score of 92%.
 */
function signedRoot(difference: number): number {
  const odds = Math.min(Math.abs(difference), FARTHEST);
  const [above, below] = [-minusLogExpected(odds), -minusLogExpected(0 - odds)];
  const [p, q] = [Math.exp(above), Math.exp(below)];
  // By the series, where the difference of two logarithms has no digits left.
  if (odds < 1e-3) return difference;
  return Math.sign(difference) * Math.sqrt((2 * (Math.LN2 + p * above + q * below)) / (p * q));
}

/** Replaces the inner end of the interval by `strengthBound` for entrants that won or lost everything. */
function boundOneSided({
  entrants,
  zero,
  tally,
  groups,
  pairings,
  parameters,
}: {
  entrants: readonly EloInterval[];
  zero: readonly number[];
  tally: Tally;
  groups: Groups;
  pairings: Pairings;
  parameters: Float64Array;
}): EloInterval[] {
  return entrants.map((rating, entrant) => {
    const won = groups.wonAll[entrant];
    if (!won && !groups.lostAll[entrant]) return rating;
    const bound = strengthBound(pairings, parameters, {
      entrant,
      won,
      blocks: tally.entrants.blocksOf[entrant],
    });
    // If the entrant is part of the zero, the zero moves with it.
    const share = zero.includes(entrant) ? 1 - 1 / zero.length : 1;
    const end = rating.elo + ELO_SCALE * share * (bound - parameters[entrant]);
    return won
      ? { ...rating, low: Math.min(end, rating.elo) }
      : { ...rating, high: Math.max(end, rating.elo) };
  });
}

/** Minus the log of the probability that a 95% bound leaves on its side: 2.5%. */
const LOG_LIKELIHOOD_DROP: number = -Math.log(0.025);
/** The number of halvings of a range of 120: precise to a millionth of an Elo point. */
const HALVINGS = 36;
/** The largest log strength: beyond it nothing changes any more. */
const FARTHEST = 60;

/**
 * The bound for an entrant that won (or lost) everything: the log strength at which this would happen with probability
 * 2.5%, the others as fitted. The likelihood has no maximum there, so a standard error means nothing. A block counts as
 * one result with the mean log probability of its pairs, because its games may depend on each other.
 */
function strengthBound(
  pairings: Pairings,
  values: Float64Array,
  { entrant, won, blocks }: { entrant: number; won: boolean; blocks: number },
): number {
  const surpriseAt = surpriseOf(pairings, values, { entrant, won, blocks });
  // The results have a probability of more than 2.5% at `near`, and less at `far`.
  let near = won ? FARTHEST : -FARTHEST;
  let far = -near;
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (near + far) / 2;
    if (surpriseAt(middle) < LOG_LIKELIHOOD_DROP) near = middle;
    else far = middle;
  }
  return near;
}

/** Makes the function that tells minus the log of the probability that an entrant of a strength wins (or loses) everything. */
function surpriseOf(
  pairings: Pairings,
  values: Float64Array,
  { entrant, won, blocks }: { entrant: number; won: boolean; blocks: number },
): (strength: number) => number {
  const { count, one, other, pairs } = pairings;
  const own: { readonly pairing: number; readonly sign: number }[] = [];
  let total = 0;
  for (let pairing = 0; pairing < count; pairing++) {
    if (one[pairing] !== entrant && other[pairing] !== entrant) continue;
    own.push({ pairing, sign: (one[pairing] === entrant) === won ? 1 : -1 });
    total += pairs[pairing];
  }
  const moved = values.slice();
  return (strength) => {
    moved[entrant] = strength;
    let surprise = 0;
    for (const { pairing, sign } of own)
      surprise += pairs[pairing] * minusLogExpected(sign * logOdds(pairings, pairing, moved));
    return total === 0 ? 0 : (blocks / total) * surprise;
  };
}

/** After more blocks nothing is as certain as the normal approximation has it only by its rounding. */
const MANY_BLOCKS = 64;

/**
 * Replaces the likelihoods of entrants that won or lost everything, where the normal approximation gives out: a clean sweep is
 * the strongest evidence there is. With p the probability that an entrant of the other's strength wins everything, one that did
 * is stronger with 1 - p/2: the posterior after n results of two entrants, from a uniform prior (1 - 2^-(n+1), the sign test).
 * No other results of few blocks are as certain: the spread of a few equal results is none, and says nothing.
 */
function settleBorders(
  superiority: readonly number[][],
  { tally, groups, pairings, parameters }: Omit<Parameters<typeof boundOneSided>[0], "entrants" | "zero">,
): void {
  const { blocksOf } = tally.entrants;
  const isOneSided = superiority.map((_, entrant) => groups.wonAll[entrant] || groups.lostAll[entrant]);
  /** The probability that the other is stronger all the same after a clean sweep, or after losing everything. */
  const sweep = (entrant: number, won: boolean) => {
    const surpriseAt = surpriseOf(pairings, parameters, { entrant, won, blocks: blocksOf[entrant] });
    return (other: number) => Math.exp(-surpriseAt(parameters[other])) / 2;
  };
  for (const [entrant, row] of superiority.entries()) {
    const hasFew = blocksOf[entrant] < MANY_BLOCKS;
    if (!isOneSided[entrant] && !hasFew) continue;
    const after = { won: sweep(entrant, true), lost: sweep(entrant, false) };
    for (let other = 0; other < row.length; other++) {
      if (other === entrant) continue;
      if (isOneSided[entrant]) {
        const won = groups.wonAll[entrant];
        // Between two that won everything nothing is known but from the others.
        if (won ? groups.wonAll[other] : groups.lostAll[other]) continue;
        if (isOneSided[other] && other > entrant) continue;
        row[other] = won ? 1 - after.won(other) : after.lost(other);
      } else if (!isOneSided[other] && hasFew) {
        row[other] = Math.min(1 - after.won(other), Math.max(after.lost(other), row[other]));
      }
      superiority[other][entrant] = 1 - row[other];
    }
  }
}

function minusLogExpected(odds: number): number {
  return Math.max(0 - odds, 0) + Math.log1p(Math.exp(0 - Math.abs(odds)));
}
