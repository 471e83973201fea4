import { rootOf } from "../counts/groups.ts";
import { factorise, solve } from "../elo/cholesky.ts";
import { total, type MetPair } from "./pairs.ts";
import { createRandom, type Random } from "../../base/random.ts";

/** The part of the results that the ratings leave unexplained. Shares are of the variance of the pairs' scores around a half. */
export interface Unexplained {
  /** The share beyond ratings and sampling noise, and its 95% interval: 0 to 1. */
  readonly share: number;
  readonly low: number;
  readonly high: number;
  /** The share that sampling noise alone leaves on average. */
  readonly noise: number;
  /** The probability of at least this much if ratings explain everything. */
  readonly pValue: number;
}

/** The number of draws. With more pairs than MANY_PAIRS the sum varies little, and fewer do: at least FEWEST_DRAWS. */
const DRAWS = 2000;
const MANY_PAIRS = 5000;
const FEW_DRAWS = 400;
const FEWEST_DRAWS = 100;
/** The most normal variables that are drawn for many pairs; 5 million take a quarter of a second. */
const MOST_NORMALS = 5e6;
/** With fewer degrees of freedom in all, the noise is not known. */
const LEAST_FREEDOM = 10;
const TAIL = 0.025;
/** Residuals that happen to be small may be far below the true ones. */
const LARGEST_SCALE = 1000;

/**
 * Compares the statistic T = sum over pairs of n (s - E)^2 with what sampling noise alone would make it: n are the games of
 * a pair, s the score and E the expected score of the fitted ratings. The noise of the scores is normal, with variances
 * from the blocks, and each draw of it has the ratings fitted again, to first order. So T is a weighted sum of chi-squared
 * variables, as in tests of fit for clustered samples (Rao and Scott 1981). The draws are the same in each call.
 *
 * The share is (T - mean of T under noise) / sum of n (s - 1/2)^2, which is unbiased but for its divisor, and cut off at 0.
 * Its interval has the ends at which T / sum is an extreme of 2.5%, for residuals in the proportions that were seen.
 *
 * Pairs are taken as independent. In games of three and more players, and of one, those of a block are not; ranks make them
 * less contradictory than independent results, so the test is then careful: it finds too little.
 *
 * @returns undefined if the pairings have no cycle, or too few have several blocks
 */
export function findUnexplained(pairs: readonly MetPair[], entrantCount: number): Unexplained | undefined {
  const scatter = total(pairs, ({ games, points }) => (points - games / 2) ** 2 / games);
  if (cycleCount(pairs, entrantCount) === 0) return undefined;
  if (total(pairs, ({ freedom }) => freedom) < LEAST_FREEDOM) return undefined;
  const seen = total(pairs, ({ games, points, expected }) => (points - expected) ** 2 / games);
  const ranked = total(pairs, ({ games, expected }) => (expected - games / 2) ** 2 / games);
  const draws = drawNoise(pairs, entrantCount);
  const noise = mean(draws.alone);
  const rankedNoise = mean(draws.rankedAlone);
  // The true scatter of the expected scores: the one seen has noise in it.
  const part = ranked === 0 ? 0 : Math.sqrt(Math.max(0, ranked - rankedNoise) / ranked);
  /** The share of draws in which T / scatter is at least the one seen, if the true residuals are `scale` times those seen. */
  const above = (scale: number): number => {
    let hits = 0;
    for (let draw = 0; draw < draws.alone.length; draw++) {
      const left = scale ** 2 * seen + 2 * scale * draws.along[draw] + draws.alone[draw];
      const rest = part ** 2 * ranked + 2 * part * draws.rankedAlong[draw] + draws.rankedAlone[draw];
      if (left * (ranked + seen) >= seen * (left + rest)) hits++;
    }
    return hits / draws.alone.length;
  };
  const shareAt = (scale: number): number => {
    const left = scale ** 2 * seen;
    return left === 0 ? 0 : left / (left + noise + part ** 2 * ranked + rankedNoise);
  };
  const atLeast = draws.alone.filter((value) => value >= seen).length;
  return {
    share: seen > noise ? (seen - noise) / scatter : 0,
    low: shareAt(scaleAt(above, TAIL)),
    high: shareAt(scaleAt(above, 1 - TAIL)),
    noise: scatter === 0 ? 0 : Math.min(1, noise / scatter),
    pValue: (1 + atLeast) / (1 + draws.alone.length),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The number of independent cycles of the pairings: without one, ratings fit any result. */
function cycleCount(pairs: readonly MetPair[], entrantCount: number): number {
  const parents = Int32Array.from({ length: entrantCount }, (_, entrant) => entrant);
  let cycles = 0;
  for (const { one, other } of pairs) {
    const [from, to] = [rootOf(parents, one), rootOf(parents, other)];
    if (from === to) cycles++;
    else parents[from] = to;
  }
  return cycles;
}

/** The scale of the residuals at which a share of the draws is above; `above` grows with it. */
function scaleAt(above: (scale: number) => number, share: number): number {
  if (above(0) >= share) return 0;
  let [low, high] = [0, LARGEST_SCALE];
  for (let step = 0; step < 50; step++) {
    const middle = (low + high) / 2;
    if (above(middle) < share) low = middle;
    else high = middle;
  }
  return high;
}

/**
 * Draws of T from noise alone, and of the product of that noise with the residuals that were seen. Then the same for the
 * expected scores less a half, which move with the ratings.
 */
interface NoiseDraws {
  readonly alone: number[];
  readonly along: number[];
  readonly rankedAlone: number[];
  readonly rankedAlong: number[];
}

/** The noise of this many pairs is in memory at a time. */
const CHUNK = 500_000;

function drawsFor(pairs: number): number {
  if (pairs <= MANY_PAIRS) return DRAWS;
  return Math.max(FEWEST_DRAWS, Math.min(FEW_DRAWS, Math.floor(MOST_NORMALS / pairs)));
}

function drawNoise(pairs: readonly MetPair[], entrantCount: number): NoiseDraws {
  const count = drawsFor(pairs.length);
  const chunk = Math.ceil(CHUNK / pairs.length);
  const normals = new NormalDraws("beyond ratings");
  const scale = spreadDraws(pairs, normals);
  const factor = laplacianOf(pairs, entrantCount);
  factorise(factor, entrantCount);
  const draws: NoiseDraws = { alone: [], along: [], rankedAlone: [], rankedAlong: [] };
  while (draws.alone.length < count) {
    const scales = Array.from({ length: Math.min(chunk, count - draws.alone.length) }, scale);
    addDraws(draws, pairs, { factor, normals, scales });
  }
  return draws;
}

/**
 * Adds a draw for each scale of the noise. If e is the noise of a pair's points and L the Laplacian of the information, the
 * ratings move by d = L^-1 (sums of e by entrant), and the residual by e - information * (d of the one - d of the other).
 */
function addDraws(
  draws: NoiseDraws,
  pairs: readonly MetPair[],
  {
    factor,
    normals,
    scales,
  }: { readonly factor: Float64Array; readonly normals: NormalDraws; readonly scales: readonly number[] },
): void {
  const count = scales.length;
  const entrantCount = Math.sqrt(factor.length);
  const noise = new Float64Array(pairs.length * count);
  const shifts = new Float64Array(entrantCount * count);
  pairs.forEach(({ one, other, variance }, pair) => {
    const deviation = Math.sqrt(variance);
    for (let draw = 0; draw < count; draw++) {
      const value = deviation * scales[draw] * normals.next();
      noise[pair * count + draw] = value;
      shifts[one * count + draw] += value;
      shifts[other * count + draw] -= value;
    }
  });
  solve(factor, entrantCount, shifts, count);
  const [sums, products, rankedSums, rankedProducts] = [0, 0, 0, 0].map(() => new Float64Array(count));
  pairs.forEach(({ one, other, games, points, expected, information }, pair) => {
    const residual = (points - expected) / games;
    for (let draw = 0; draw < count; draw++) {
      const shift = shifts[one * count + draw] - shifts[other * count + draw];
      const moved = information * shift;
      const left = noise[pair * count + draw] - moved;
      sums[draw] += left ** 2 / games;
      products[draw] += left * residual;
      rankedSums[draw] += moved ** 2 / games;
      rankedProducts[draw] += moved * (expected / games - 0.5);
    }
  });
  draws.alone.push(...sums);
  draws.along.push(...products);
  draws.rankedAlone.push(...rankedSums);
  draws.rankedAlong.push(...rankedProducts);
}

/**
 * The factors by which the true noise may differ from the one estimated: the root of f / chi-squared with f degrees of
 * freedom, those of the sum of the variances (Satterthwaite 1946). Chi-squared is drawn by the cube of a normal variable
 * (Wilson and Hilferty 1931).
 */
function spreadDraws(pairs: readonly MetPair[], normals: NormalDraws): () => number {
  const own = pairs.filter(({ freedom }) => freedom > 0);
  const sum = total(own, ({ variance, games }) => variance / games);
  const squares = total(own, ({ variance, games, freedom }) => (variance / games) ** 2 / freedom);
  if (squares === 0) return () => 1;
  const part = 2 / (9 * (sum ** 2 / squares));
  return () => Math.max(0.1, 1 - part + normals.next() * Math.sqrt(part)) ** -1.5;
}

/** The information about the differences of the ratings, with a little of its own for each entrant, so that it has an inverse. */
function laplacianOf(pairs: readonly MetPair[], entrantCount: number): Float64Array {
  const matrix = new Float64Array(entrantCount ** 2);
  for (let at = 0; at < entrantCount; at++) matrix[at * entrantCount + at] = 1e-6;
  for (const { one, other, information } of pairs) {
    matrix[one * entrantCount + one] += information;
    matrix[other * entrantCount + other] += information;
    matrix[one * entrantCount + other] -= information;
    matrix[other * entrantCount + one] -= information;
  }
  return matrix;
}

/** Normal variables, from a fixed seed, by the method of Box and Muller (1958). */
export class NormalDraws {
  private readonly random: Random;
  private spare: number | undefined;

  constructor(name: string) {
    this.random = createRandom(name);
  }

  next(): number {
    const { spare } = this;
    if (spare !== undefined) {
      this.spare = undefined;
      return spare;
    }
    const size = Math.sqrt(-2 * Math.log(1 - this.random.float()));
    const angle = 2 * Math.PI * this.random.float();
    this.spare = size * Math.sin(angle);
    return size * Math.cos(angle);
  }
}
