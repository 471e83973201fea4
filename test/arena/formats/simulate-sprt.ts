import { sprt } from "../../../src/arena/formats/sprt.ts";
import type { BlockScore, FormatPlan, Match } from "../../../src/arena/formats/format.ts";
import type { Random } from "../../../src/base/random.ts";
import { expectedScore } from "../../../src/ratings/sprt/likelihood.ts";
import { reportSprt, type SprtDecision, type SprtRule } from "../../../src/ratings/sprt/sequential-test.ts";

/** The truth behind simulated blocks: the first entrant's scores with their shares. */
export interface Truth {
  readonly players: number;
  readonly scores: readonly number[];
  readonly shares: Float64Array;
}

/** The kind of games that blocks have. */
export interface Kind {
  readonly players: 2 | 3;
  /** The share of games that are drawn. */
  readonly draws: number;
  /**
   * In games of two players: what the games of a pair share with probability 0.8. `luck` favours one entrant in both games,
   * as dice do; `opening` favours one seat in both.
   */
  readonly shared: "nothing" | "luck" | "opening";
}

const SHARED = 0.8;
const THIRDS = 3;

/** The truth under which the expected score of a game is `score`. */
function truthOf({ players, draws, shared }: Kind, score: number): Truth {
  if (players === 3) return threePlayers(score);
  const [lost, won] = [1 - score - draws / 2, score - draws / 2];
  const game = [lost, draws, won];
  const shares = new Float64Array(5);
  const weight = shared === "nothing" ? 0 : SHARED;
  for (const [one, first] of game.entries())
    for (const [two, second] of game.entries()) shares[one + two]! += (1 - weight) * first * second;
  if (shared === "luck") for (const [result, share] of game.entries()) shares[2 * result]! += weight * share;
  if (shared === "opening") {
    // One number decides both games. Small ones favour the first seat, which the entrant has in one of them.
    const ends = [won, won + draws, lost, lost + draws, 1].toSorted((a, b) => a - b);
    for (const [at, end] of ends.entries()) {
      const begin = ends[at - 1] ?? 0;
      const number = (begin + end) / 2;
      const first = number < won ? 2 : number < won + draws ? 1 : 0;
      const second = number < lost ? 0 : number < lost + draws ? 1 : 2;
      shares[first + second]! += weight * (end - begin);
    }
  }
  return { players, scores: Array.from(shares, (_, at) => at / 4), shares };
}

/** Three games of one entrant against two equal ones, who rank by strength plus Gumbel noise (Luce 1959). */
function threePlayers(score: number): Truth {
  const strength = score / (1 - score);
  const best = strength / (strength + 2);
  const worst = 2 / ((strength + 2) * (strength + 1));
  const game = [worst, 1 - best - worst, best];
  let shares = [1];
  for (let games = 0; games < THIRDS; games++) {
    const longer = Array.from({ length: shares.length + 2 }, () => 0);
    for (const [sum, share] of shares.entries())
      for (const [rank, chance] of game.entries()) longer[sum + rank]! += share * chance;
    shares = longer;
  }
  return { players: 3, scores: shares.map((_, at) => at / (2 * THIRDS)), shares: Float64Array.from(shares) };
}

/** Mean and standard deviation of a block's score. */
export function moments({ scores, shares }: Truth): { mean: number; deviation: number } {
  const mean = scores.reduce((sum, score, at) => sum + shares[at]! * score, 0);
  const variance = scores.reduce((sum, score, at) => sum + shares[at]! * (score - mean) ** 2, 0);
  return { mean, deviation: Math.sqrt(variance) };
}

/** The truth of an Elo difference, in the meaning that the rule's model gives it. */
export function truthAt(elo: number, kind: Kind, { model }: Pick<SprtRule, "model">): Truth {
  if (model === "logistic") return truthOf(kind, expectedScore(elo));
  let [low, high] = [0.5 * kind.draws, 1 - 0.5 * kind.draws];
  while (high - low > 1e-12) {
    const truth = truthOf(kind, (low + high) / 2);
    const { mean, deviation } = moments(truth);
    const found = ((mean - 0.5) / (Math.sqrt(truth.players) * deviation)) * (800 / Math.LN10);
    if (found < elo) low = (low + high) / 2;
    else high = (low + high) / 2;
  }
  return truthOf(kind, low);
}

/** Plays a test by its format, which asks for rounds and sees the scores of all but the last one. */
function simulateTest(
  plan: FormatPlan,
  { scores, shares }: Truth,
  random: Random,
): { readonly decision: SprtDecision | null; readonly blocks: number } {
  const drawn = scores.map((score) => [score]);
  const past = { matches: [] as (readonly Match[])[], scores: [] as BlockScore[] };
  let played = 0;
  const finish = (round: number) => {
    for (let block = past.matches[round]?.[0]?.blocks ?? 0; block > 0; block--) {
      const at = random.weighted(shares, 0, shares.length);
      past.scores.push({ round, match: 0, block: played++, scores: drawn[at]!, returns: [] });
    }
  };
  for (let number = 0; ; number++) {
    finish(number - sprt.lag);
    const matches = sprt.round(plan, number, past);
    if (matches === undefined) break;
    past.matches.push(matches);
  }
  for (let round = past.scores.at(-1)!.round + 1; round < past.matches.length; round++) finish(round);
  const { type: _, ...rule } = plan.format as FormatPlan["format"] & SprtRule;
  const { players } = plan;
  const { decision } = reportSprt(rule, sprt.sprt!(plan, past), { entrants: [], players });
  return { decision, blocks: played };
}

/** The results of many tests of one truth. */
export interface Rates {
  /** Shares of tests that accepted each hypothesis. */
  readonly accepted: Readonly<Record<SprtDecision, number>>;
  /** Half the width of the 95% interval of a share that is equal to an error rate. */
  readonly margin: number;
  /** Mean blocks of a test, with those of the round that was out. */
  readonly blocks: number;
}

const Z95 = 1.96;

export function simulateTests(
  plan: FormatPlan,
  truth: Truth,
  { tests, random }: { readonly tests: number; readonly random: Random },
): Rates {
  const accepted = { H0: 0, H1: 0 };
  let blocks = 0;
  for (let test = 0; test < tests; test++) {
    const result = simulateTest(plan, truth, random);
    if (result.decision !== null) accepted[result.decision] += 1 / tests;
    blocks += result.blocks / tests;
  }
  return { accepted, margin: Z95 * Math.sqrt((0.05 * 0.95) / tests), blocks };
}

/** The blocks of a test of fixed size that has the error rates of 5% of the sequential one (both one-sided). */
export function fixedSize(zero: Truth, one: Truth): number {
  const [{ mean: low, deviation: before }, { mean: high, deviation: after }] = [moments(zero), moments(one)];
  return Math.ceil(((1.6449 * (before + after)) / (high - low)) ** 2);
}
