import { factorise, solve } from "../elo/cholesky.ts";
import { ELO_SCALE, normalBelow } from "../elo/scale.ts";

/** The standard deviation of strengths before any result, in Elo. */
const PRIOR_ELO = 500;
/** The variance of a block's score as a share of that of a single game without draws, before any result. */
const PRIOR_DISPERSION = 0.5;
/** The number of blocks that this guess counts for. */
const PRIOR_BLOCKS = 20;
const LEAST_DISPERSION = 0.02;
/** A difference between neighbours that is not worth many blocks, in Elo: without it, equals would take them all. */
const INDIFFERENCE_ELO = 20;
/** Only entrants whose places differ by at most this much are considered for a block. */
const MOST_PLACES = 8;
const NEWTON_STEPS = 30;

/** Blocks for some entrants. */
export interface PairingBlocks {
  /** As many as the game has players, ascending. */
  readonly entrants: readonly number[];
  readonly blocks: number;
}

/**
 * Decides which entrants should play next, so that few blocks tell the order of all. Strengths have a Bradley-Terry model whose
 * blocks have a dispersion (quasi-likelihood, McCullagh and Nelder 1989), and a wide normal prior. The next block goes to the
 * pair that reduces the expected number of neighbours in the wrong order most, to first order in the variances of their
 * differences; blocks that are out count with the Fisher information that is expected of them. The decisions depend on the results
 * alone, not on the calls before.
 *
 * A block of more players counts as one block of each two of them. Its other seats go, one after the other, to the entrants
 * that reduce that number most by their pairs with those that are seated (a greedy choice).
 */
export class RankingDesign {
  private readonly count: number;
  /** By pair, at `one * count + other` and back: blocks with results, their scores, and blocks that are out. */
  private readonly blocks: Float64Array;
  private readonly scores: Float64Array;
  private readonly out: Float64Array;
  /** The sum of squares of the scores of each pair, for the dispersion. */
  private readonly squares: Float64Array;
  private readonly strengths: Float64Array;
  /** By pair: the variance of a block's score, as a share of that of a single game without draws. */
  private readonly dispersions: Float64Array;
  private isFitted = false;

  /** @param count the number of entrants */
  constructor(count: number) {
    this.count = count;
    const pairs = () => new Float64Array(count * count);
    [this.blocks, this.scores, this.out, this.squares] = [pairs(), pairs(), pairs(), pairs()];
    this.dispersions = pairs();
    this.strengths = new Float64Array(count);
  }

  /** Notes that a block of two entrants has been given out. */
  giveOut(one: number, other: number, blocks = 1): void {
    this.out[one * this.count + other] += blocks;
    this.out[other * this.count + one] += blocks;
  }

  /** Adds the result of a block that was out: the mean score of `one`, from 0 to 1. */
  add(one: number, other: number, score: number): void {
    for (const [at, value] of [
      [one * this.count + other, score],
      [other * this.count + one, 1 - score],
    ] as const) {
      this.out[at]--;
      this.blocks[at]++;
      this.scores[at] += value;
      this.squares[at] += value * value;
    }
    this.isFitted = false;
  }

  /** The entrants, the strongest first. */
  order(): number[] {
    this.fit();
    return Array.from(this.strengths.keys()).toSorted(
      (a, b) => this.strengths[b]! - this.strengths[a]! || a - b,
    );
  }

  /** The least probability of two neighbours being in the right order, by results alone. */
  confidence(): number {
    const order = this.order();
    const covariance = this.covariance(false);
    let least = 1;
    for (let place = 0; place + 1 < order.length; place++) {
      const [lead, variance] = this.lead(order, place, covariance);
      least = Math.min(least, normalBelow(lead / Math.sqrt(variance)));
    }
    return least;
  }

  /**
   * The pairings of the next `blocks` blocks, the most useful first.
   * @param portion blocks that are given to a pairing at a time
   * @param seats entrants of a pairing, from 2 to the number of entrants
   */
  next(blocks: number, portion: number, seats = 2): PairingBlocks[] {
    const { count } = this;
    const order = this.order();
    const covariance = this.covariance(true);
    const information = this.informations();
    const chosen = new Map<string, PairingBlocks>();
    for (let left = blocks; left > 0;) {
      const worths = this.worths(order, covariance);
      const size = Math.min(left, portion);
      const gainOf = (a: number, b: number) => {
        const [one, other] = [Math.min(a, b), Math.max(a, b)];
        const spread = this.spread(covariance, one, other) + 1 / (size * information[one * count + other]!);
        return this.gain(order, worths, covariance, { one, other }) / spread / size;
      };
      let best = { gain: -1, seated: [-1, -1] };
      for (let high = 0; high < count; high++) {
        for (let low = high + 1; low < count && low <= high + MOST_PLACES; low++) {
          const gain = gainOf(order[high]!, order[low]!);
          if (gain > best.gain) best = { gain, seated: [order[high]!, order[low]!] };
        }
      }
      const { seated } = best;
      while (seated.length < seats) seated.push(bestGuest(order, seated, gainOf));
      const entrants = seated.toSorted((a, b) => a - b);
      for (const [one, other] of pairsOf(entrants)) this.learn(covariance, one, other, size);
      const known = chosen.get(entrants.join())?.blocks ?? 0;
      chosen.set(entrants.join(), { entrants, blocks: known + size });
      left -= size;
    }
    return [...chosen.values()];
  }

  /** The lead of a place over the next one, and its variance; in natural units of strength. */
  private lead(order: readonly number[], place: number, covariance: Float64Array): [number, number] {
    const { count } = this;
    const [a, b] = [order[place]!, order[place + 1]!];
    const variance = covariance[a * count + a]! + covariance[b * count + b]! - 2 * covariance[a * count + b]!;
    return [this.strengths[a]! - this.strengths[b]!, variance];
  }

  /**
   * By place: the fall of the probability that it and the next one are in the wrong order, for each unit by which the
   * variance of their difference falls.
   */
  private worths(order: readonly number[], covariance: Float64Array): Float64Array {
    const worths = new Float64Array(this.count - 1);
    for (let place = 0; place < worths.length; place++) {
      const [lead, variance] = this.lead(order, place, covariance);
      const z = (lead + INDIFFERENCE_ELO / ELO_SCALE) / Math.sqrt(variance);
      worths[place] = (z * Math.exp((-z * z) / 2)) / variance;
    }
    return worths;
  }

  /** The worth of blocks of a pair, for each unit of variance that they would take from its difference. */
  private gain(
    order: readonly number[],
    worths: Float64Array,
    covariance: Float64Array,
    { one, other }: { one: number; other: number },
  ): number {
    const { count } = this;
    let gain = 0;
    for (let place = 0; place + 1 < count; place++) {
      const a = order[place]! * count;
      const b = order[place + 1]! * count;
      const shared =
        covariance[a + one]! - covariance[a + other]! - covariance[b + one]! + covariance[b + other]!;
      gain += worths[place]! * shared * shared;
    }
    return gain;
  }

  /** Updates the covariance by blocks of a pair (Sherman and Morrison 1950). */
  private learn(covariance: Float64Array, one: number, other: number, size: number): void {
    const { count } = this;
    const spread = this.spread(covariance, one, other) + 1 / (size * this.information(one, other));
    const column = new Float64Array(count);
    for (let row = 0; row < count; row++)
      column[row] = covariance[row * count + one]! - covariance[row * count + other]!;
    for (let row = 0; row < count; row++)
      for (let at = 0; at < count; at++)
        covariance[row * count + at] -= (column[row]! * column[at]!) / spread;
  }

  private spread(covariance: Float64Array, one: number, other: number): number {
    const { count } = this;
    return (
      covariance[one * count + one]! +
      covariance[other * count + other]! -
      2 * covariance[one * count + other]!
    );
  }

  /** The Fisher information of one block about the difference of two strengths. */
  private information(one: number, other: number): number {
    const expected = logistic(this.strengths[one]! - this.strengths[other]!);
    return (expected * (1 - expected)) / this.dispersions[one * this.count + other]!;
  }

  /** The information of all pairs, for `one` below `other`. */
  private informations(): Float64Array {
    const { count } = this;
    const all = new Float64Array(count * count);
    for (let one = 0; one < count; one++)
      for (let other = one + 1; other < count; other++)
        all[one * count + other] = this.information(one, other);
    return all;
  }

  /** The covariance of the strengths; `out` counts blocks whose results are not known yet, too. */
  private covariance(out: boolean): Float64Array {
    const { count } = this;
    const inverse = new Float64Array(count * count);
    for (let at = 0; at < count; at++) inverse[at * count + at] = 1;
    const factor = this.curvature(out);
    factorise(factor, count);
    solve(factor, count, inverse, count);
    return inverse;
  }

  private curvature(out: boolean): Float64Array {
    const { count } = this;
    const matrix = new Float64Array(count * count);
    for (let one = 0; one < count; one++) {
      matrix[one * count + one] += (ELO_SCALE / PRIOR_ELO) ** 2;
      for (let other = 0; other < count; other++) {
        const blocks = this.blocks[one * count + other]! + (out ? this.out[one * count + other]! : 0);
        if (blocks === 0) continue;
        const weight = blocks * this.information(one, other);
        matrix[one * count + one] += weight;
        matrix[one * count + other] -= weight;
      }
    }
    return matrix;
  }

  /** Finds the most probable strengths, then the dispersions of the blocks about them, and the strengths again. */
  private fit(): void {
    if (this.isFitted) return;
    this.strengths.fill(0);
    this.dispersions.fill(PRIOR_DISPERSION);
    this.findStrengths();
    this.findDispersions();
    this.findStrengths();
    this.isFitted = true;
  }

  /** Newton's method. */
  private findStrengths(): void {
    const { count, blocks, scores, strengths } = this;
    for (let step = 0; step < NEWTON_STEPS; step++) {
      const change = new Float64Array(count);
      for (let one = 0; one < count; one++) {
        change[one] = -strengths[one]! * (ELO_SCALE / PRIOR_ELO) ** 2;
        for (let other = 0; other < count; other++) {
          const at = one * count + other;
          if (blocks[at] === 0) continue;
          const expected = logistic(strengths[one]! - strengths[other]!);
          change[one] += (scores[at]! - blocks[at]! * expected) / this.dispersions[at]!;
        }
      }
      const factor = this.curvature(false);
      factorise(factor, count);
      solve(factor, count, change);
      let largest = 0;
      for (let one = 0; one < count; one++) {
        // A long step could overshoot where an expected score is near 0 or 1.
        const bounded = Math.max(-1, Math.min(1, change[one]!));
        strengths[one] += bounded;
        largest = Math.max(largest, Math.abs(bounded));
      }
      if (largest < 1e-9) break;
    }
  }

  private findDispersions(): void {
    const { count, blocks, dispersions } = this;
    const above = new Float64Array(count * count);
    const squared = new Float64Array(count * count);
    for (let one = 0; one < count; one++) {
      for (let other = one + 1; other < count; other++) {
        const at = one * count + other;
        above[at] = blocks[at]!;
        if (above[at] > 0) squared[at] = this.squaredAbout(one, other);
      }
    }
    const found = blockDispersions(above, squared);
    for (let one = 0; one < count; one++)
      for (let other = one + 1; other < count; other++)
        dispersions[one * count + other] = dispersions[other * count + one] = found[one * count + other]!;
  }

  /** The sum of squares of a pair's block scores about what is expected, as shares of the variance of one game. */
  private squaredAbout(one: number, other: number): number {
    const { count, blocks, scores, squares, strengths } = this;
    const at = one * count + other;
    const expected = logistic(strengths[one]! - strengths[other]!);
    const squared = squares[at]! - 2 * expected * scores[at]! + blocks[at]! * expected * expected;
    // Between very unequal entrants the quotient would say little.
    return squared / Math.max(0.05, expected * (1 - expected));
  }
}

/** The entrant that is not seated yet with the largest sum of gains against those that are. */
function bestGuest(
  order: readonly number[],
  seated: readonly number[],
  gainOf: (one: number, other: number) => number,
): number {
  const total = (guest: number) => seated.reduce((sum, host) => sum + gainOf(guest, host), 0);
  const guests = order.filter((entrant) => !seated.includes(entrant));
  const totals = guests.map(total);
  return guests[totals.indexOf(Math.max(...totals))]!;
}

/** Each two of a list, in its order. */
export function pairsOf<Item>(list: readonly Item[]): (readonly [Item, Item])[] {
  return list.flatMap((one, at) => list.slice(at + 1).map((other) => [one, other] as const));
}

function logistic(difference: number): number {
  return 1 / (1 + Math.exp(-difference));
}

/**
 * The variance of a block's score, as a share of that of a single game without draws, by pair. A pair's own dispersion and that
 * of all pairs, each pair with at most PRIOR_BLOCKS blocks in it, are weighted by blocks: two copies of an agent, whose blocks
 * are all drawn, say nothing of others.
 *
 * @param blocks by pair
 * @param squared by pair: the sum of squares of its block scores about what is expected, as shares of the variance of one game
 */
export function blockDispersions(blocks: Float64Array, squared: Float64Array): Float64Array {
  let [sum, weight] = [PRIOR_BLOCKS * PRIOR_DISPERSION, PRIOR_BLOCKS];
  for (let pair = 0; pair < blocks.length; pair++) {
    const played = blocks[pair]!;
    if (played === 0) continue;
    const counted = Math.min(played, PRIOR_BLOCKS);
    sum += (squared[pair]! * counted) / played;
    weight += counted;
  }
  const common = sum / weight;
  return blocks.map((played, pair) =>
    Math.max(LEAST_DISPERSION, (PRIOR_BLOCKS * common + squared[pair]!) / (PRIOR_BLOCKS + played)),
  );
}
