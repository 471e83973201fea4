import { countHeadToHead, type HeadToHead } from "../counts/head-to-head.ts";
import type { Tally } from "../counts/tally.ts";
import { ELO_SCALE, normalBelow } from "../elo/scale.ts";
import { NormalDraws, findUnexplained, type Unexplained } from "./unexplained.ts";
import { maximalLottery } from "./lottery.ts";
import { countPairs, type MetPair } from "./pairs.ts";

/** The part of the results that one number for each entrant cannot express. Entrants are places in the report, from 0. */
export interface BeyondElo extends Unexplained {
  /** False if there is a sure cycle, or if the p-value is below 0.05 and the share is not next to nothing. */
  readonly isExplained: boolean;
  /** The strongest cycle of three, the best entrant first; null if no three beat each other in a circle. */
  readonly cycle: (Cycle & { readonly scores: readonly number[] }) | null;
  /** The maximal lottery, by entrant; null if a pair did not meet. */
  readonly lottery: readonly LotteryShare[] | null;
}

/** The share of an entrant in the maximal lottery: 0 to 1. */
export interface LotteryShare {
  readonly share: number;
  /** The 95% interval; null if more than MOST_DRAWN entrants have shares. */
  readonly low: number | null;
  readonly high: number | null;
}

const SIGNIFICANT = 0.05;
/** A smaller share is shown as 0.0%. */
const LEAST_SHARE = 0.0005;
/** With more entrants, the answer would take longer than the ratings. */
const MOST_ENTRANTS = 300;
const LOTTERY_DRAWS = 200;
const MOST_DRAWN = 12;

/**
 * Looks beyond the ratings of three or more entrants.
 *
 * @param elo by entrant
 * @param order the entrants by place
 * @returns null if the pairings have no cycle, if too few have several blocks to know the noise, and for more than 300 entrants
 */
export function lookBeyondElo(
  tally: Tally,
  elo: readonly number[],
  order: readonly number[],
): BeyondElo | null {
  if (order.length > MOST_ENTRANTS) return null;
  const strengths = elo.map((value) => value / ELO_SCALE);
  const places = new Map(order.map((entrant, place) => [entrant, place]));
  const pairs = countPairs(tally, strengths).map((pair) => ({
    ...pair,
    one: places.get(pair.one)!,
    other: places.get(pair.other)!,
  }));
  const unexplained = findUnexplained(pairs, order.length);
  if (unexplained === undefined) return null;
  const cycle = findCycle(tally, order);
  return {
    ...unexplained,
    // Without noise, when one entrant won all its games, the smallest rest would be significant.
    isExplained:
      (unexplained.pValue >= SIGNIFICANT || unexplained.high < LEAST_SHARE) && cycle?.isSure !== true,
    cycle,
    lottery: 2 * pairs.length < order.length * (order.length - 1) ? null : findLottery(pairs, order.length),
  };
}

function findCycle(tally: Tally, order: readonly number[]): BeyondElo["cycle"] {
  const { count, z, score, games } = countHeadToHead(tally);
  const at = (one: number, other: number) => order[one] * count + order[other];
  const ranked = Float64Array.from(z, (_, cell) => z[at(Math.floor(cell / count), cell % count)]);
  const cycle = strongestCycle({ count, z: ranked });
  if (cycle === undefined) return null;
  const scores = cycle.entrants.map((one, place) => {
    const cell = at(one, cycle.entrants[(place + 1) % 3]);
    return score[cell] / games[cell];
  });
  return { ...cycle, scores };
}

/** The lottery of the scores, with intervals from lotteries of scores that have their noise a second time. */
function findLottery(pairs: readonly MetPair[], count: number): LotteryShare[] {
  const payoff = new Float64Array(count * count);
  const lotteryWith = (noise: (pair: MetPair) => number): Float64Array => {
    for (const pair of pairs) {
      const won = (pair.points + noise(pair)) / pair.games - 0.5;
      payoff[pair.one * count + pair.other] = won;
      payoff[pair.other * count + pair.one] = 0 - won;
    }
    return maximalLottery(payoff, count);
  };
  const shares = Array.from(lotteryWith(() => 0));
  if (shares.filter((share) => share > 1e-6).length > MOST_DRAWN)
    return shares.map((share) => ({ share, low: null, high: null }));
  const normals = new NormalDraws("maximal lottery");
  const draws = Array.from({ length: LOTTERY_DRAWS }, () =>
    lotteryWith(({ variance }) => Math.sqrt(variance) * normals.next()),
  );
  const cut = Math.floor(0.025 * LOTTERY_DRAWS);
  return shares.map((share, entrant) => {
    const drawn = draws.map((lottery) => lottery[entrant]).toSorted((a, b) => a - b);
    return { share, low: Math.min(share, drawn[cut]), high: Math.max(share, drawn[drawn.length - 1 - cut]) };
  });
}

/** Three entrants: each beat the next one, and the last beat the first. */
interface Cycle {
  readonly entrants: readonly [number, number, number];
  /** The least distance of the three scores from a half, in standard errors over blocks. */
  readonly z: number;
  /** True if chance makes such a cycle in at most one of 100 tournaments of equal entrants. */
  readonly isSure: boolean;
}

/** The largest probability that one result of a sure cycle is chance. */
const MAX_CHANCE = 0.025;
/** The largest expected number of sure cycles if all entrants are equal. */
const FALSE_CYCLES = 0.01;

/**
 * The cycle of three whose weakest result is the most significant. Three independent results have to go one way round or
 * the other, so in a sure cycle each is tested at the cube root of its share.
 * @internal tests plant cycles in scores alone
 */
export function strongestCycle({ count, z }: Pick<HeadToHead, "count" | "z">): Cycle | undefined {
  let best: { entrants: Cycle["entrants"]; z: number } | undefined;
  for (let a = 0; a < count; a++) {
    for (let b = a + 1; b < count; b++) {
      const first = z[a * count + b];
      if (Math.abs(first) <= (best?.z ?? 0)) continue;
      const sign = Math.sign(first);
      for (let c = b + 1; c < count; c++) {
        const weakest = Math.min(sign * first, sign * z[b * count + c], sign * z[c * count + a]);
        if (weakest > (best?.z ?? 0)) best = { entrants: sign > 0 ? [a, b, c] : [a, c, b], z: weakest };
      }
    }
  }
  if (best === undefined) return undefined;
  const triples = (count * (count - 1) * (count - 2)) / 6;
  const level = Math.min(MAX_CHANCE, Math.cbrt(FALSE_CYCLES / (2 * triples)));
  return { ...best, isSure: normalBelow(0 - best.z) <= level };
}
