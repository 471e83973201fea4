import { createRandom, type Random } from "../../base/random.ts";
import { duelScores, spreadOf, type Spread } from "../elo/covariance.ts";
import { fit } from "../elo/fit.ts";
import { expectedResult, logOdds, type Pairings } from "../elo/pairings.ts";
import { blockDispersions } from "./ranking-design.ts";

/** A tournament of two-player games whose pairings are chosen by results, which can be played again with others. */
export interface ChosenTournament {
  /** The most blocks. */
  readonly most: number;
  /**
   * Plays it from its beginning.
   * @param score draws the result of a block: the share of its points that `one` takes from `other`
   */
  play(score: (one: number, other: number) => number): void;
}

/** The errors of ratings in simulated tournaments, in standard errors. */
export interface SimulatedErrors {
  /** The mean and the standard deviation, 1 or more, of an entrant's errors against the zero of the scale. */
  entrant(entrant: number): MeanError;
  /** The same of the difference of two entrants. */
  difference(one: number, other: number): MeanError;
}

interface MeanError {
  readonly mean: number;
  readonly deviation: number;
}

/** The ratings of a tournament whose pairings were chosen by results. */
export interface ChosenRatings {
  readonly pairings: Pairings;
  readonly parameters: Float64Array;
  /** The entrants whose mean is the zero of the scale. */
  readonly zero: readonly number[];
  /** By entrant: true if it won or lost everything. */
  readonly isOneSided: readonly boolean[];
}

const MOST_DRAWS = 100;
/** With fewer draws, the errors are not known. */
const LEAST_DRAWS = 40;
/** The most work, in blocks times the square of the number of entrants: about two seconds. */
const MOST_WORK = 5e7;
/** Games of a block. */
const GAMES = 2;

/**
 * The errors of ratings whose pairings were chosen by results. Such choices bias ratings: two entrants play on while they look
 * equal, and stop when chance has set them apart. So the tournament is played again with the fitted ratings as the truth, and
 * the errors of the ratings fitted to it are counted (a parametric bootstrap of the design: Rosenberger and Hu 1999,
 * "Bootstrap methods for adaptive designs"). Tournaments in which other entrants won or lost everything are left out,
 * and the errors of entrants that did are those of a normal variable. Intervals only widen. The draws are the same in each call.
 *
 * @returns undefined if the tournament is too large to be played again so often
 */
export function simulateErrors(
  tournament: ChosenTournament,
  ratings: ChosenRatings,
): SimulatedErrors | undefined {
  const { pairings, parameters, zero, isOneSided } = ratings;
  const { size } = pairings;
  const most = Math.min(MOST_DRAWS, Math.floor(MOST_WORK / (tournament.most * size * size)));
  if (most < LEAST_DRAWS) return undefined;
  const random = createRandom("chosen pairings");
  const draw = blockDraws({ pairings, parameters, random });
  const own = new Float64Array(size * size);
  const squares = new Float64Array(size * size);
  let count = 0;
  for (let tries = 0; tries < most; tries++) {
    const sums = new BlockSums(size);
    tournament.play((one, other) => {
      const score = draw(one, other);
      sums.add(one, other, score);
      return score;
    });
    const again = sums.pairings(pairings.prior);
    if (sums.isOneSided.some((is, entrant) => is && !isOneSided[entrant])) continue;
    const fitted = fit(again);
    const errors = errorsOf(fitted, parameters, { zero, spread: spreadOf(again, fitted) });
    for (let at = 0; at < errors.length; at++) {
      own[at]! += errors[at]!;
      squares[at]! += errors[at]! ** 2;
    }
    count++;
  }
  if (count < LEAST_DRAWS / 2) return undefined;
  const meanAt = (at: number): MeanError => {
    if (isOneSided[Math.floor(at / size)]! || isOneSided[at % size]!) return { mean: 0, deviation: 1 };
    const mean = own[at]! / count;
    return { mean, deviation: Math.max(1, Math.sqrt((squares[at]! - count * mean * mean) / (count - 1))) };
  };
  return {
    entrant: (entrant) => meanAt(entrant * size + entrant),
    difference: (one, other) => meanAt(one * size + other),
  };
}

/** Errors in standard errors: of the entrants against the zero on the diagonal, and of the differences beside it. */
function errorsOf(
  fitted: Float64Array,
  truth: Float64Array,
  { zero, spread }: { readonly zero: readonly number[]; readonly spread: Spread },
): Float64Array {
  const size = fitted.length;
  const off = fitted.map((value, at) => value - truth[at]!);
  const withZero = spread.withMean(zero);
  const ofZero = zero.reduce((sum, at) => sum + withZero[at]!, 0) / zero.length;
  const offZero = zero.reduce((sum, at) => sum + off[at]!, 0) / zero.length;
  const { variances } = spread;
  const matrix = spread.matrix!;
  const inErrors = (error: number, variance: number) => (variance > 1e-12 ? error / Math.sqrt(variance) : 0);
  return Float64Array.from({ length: size * size }, (_, at) => {
    const [one, other] = [Math.floor(at / size), at % size];
    return one === other
      ? inErrors(off[one]! - offZero, variances[one]! - 2 * withZero[one]! + ofZero)
      : inErrors(off[one]! - off[other]!, variances[one]! + variances[other]! - 2 * matrix[at]!);
  });
}

/**
 * Draws scores of blocks with the mean and the variance that the tournament has: a block is so many tosses of a coin that its
 * variance is that of its pair, as a share of the variance of one game.
 */
function blockDraws(of: {
  readonly pairings: Pairings;
  readonly parameters: Float64Array;
  readonly random: Random;
}): (one: number, other: number) => number {
  const { pairings, parameters, random } = of;
  const { size, one: ones, other: others, pairs } = pairings;
  const squared = new Float64Array(size * size);
  const blocks = new Float64Array(size * size);
  for (let pairing = 0; pairing < pairings.count; pairing++) {
    const at = ones[pairing]! * size + others[pairing]!;
    const expected = expectedResult(logOdds(pairings, pairing, parameters));
    blocks[at] = pairs[pairing]! / GAMES;
    squared[at] =
      duelScores(pairings, pairing, parameters) / GAMES ** 2 / Math.max(0.05, expected * (1 - expected));
  }
  const dispersions = blockDispersions(blocks, squared);
  return (one, other) => {
    const share = Math.min(1, dispersions[Math.min(one, other) * size + Math.max(one, other)]!);
    const few = Math.floor(1 / share);
    const many = few + 1;
    const tosses = random.float() < (share - 1 / many) / (1 / few - 1 / many) ? few : many;
    const expected = expectedResult(parameters[one]! - parameters[other]!);
    let won = 0;
    for (let toss = 0; toss < tosses; toss++) if (random.float() < expected) won++;
    return won / tosses;
  };
}

/** The sums over the blocks of a simulated tournament that a fit reads. */
class BlockSums {
  private readonly size: number;
  private readonly blocks: Float64Array;
  private readonly scores: Float64Array;
  private readonly leadSquares: Float64Array;

  constructor(size: number) {
    this.size = size;
    const pairs = () => new Float64Array(size * size);
    [this.blocks, this.scores, this.leadSquares] = [pairs(), pairs(), pairs()];
  }

  /** By entrant: true if it won or lost everything. */
  get isOneSided(): boolean[] {
    const { size, blocks, scores } = this;
    return Array.from({ length: size }, (_, entrant) => {
      let [won, met] = [0, 0];
      for (let other = 0; other < size; other++) {
        won +=
          scores[entrant * size + other]! + blocks[other * size + entrant]! - scores[other * size + entrant]!;
        met += blocks[entrant * size + other]! + blocks[other * size + entrant]!;
      }
      return won === 0 || won === met;
    });
  }

  add(one: number, other: number, score: number): void {
    const at = Math.min(one, other) * this.size + Math.max(one, other);
    this.blocks[at]!++;
    this.scores[at]! += one < other ? score : 1 - score;
    this.leadSquares[at]! += (GAMES * (2 * score - 1)) ** 2;
  }

  pairings(prior: number): Pairings {
    const { size, blocks, scores, leadSquares } = this;
    const met = Int32Array.from(blocks.keys()).filter((at) => blocks[at]! > 0);
    const column = (value: (at: number) => number) => Float64Array.from(met, value);
    const squares = column((at) => leadSquares[at]!);
    const blocksOf = new Float64Array(size);
    for (const at of met) {
      blocksOf[Math.floor(at / size)]! += blocks[at]!;
      blocksOf[at % size]! += blocks[at]!;
    }
    return {
      size,
      count: met.length,
      one: met.map((at) => Math.floor(at / size)),
      other: met.map((at) => at % size),
      pairs: column((at) => GAMES * blocks[at]!),
      score: column((at) => GAMES * scores[at]!),
      squares,
      duelSquares: squares,
      duelProducts: column((at) => GAMES * GAMES * (2 * scores[at]! - blocks[at]!)),
      duelTimes: column((at) => GAMES * GAMES * blocks[at]!),
      blocksOf,
      prior,
      blockGroups: [],
    };
  }
}
