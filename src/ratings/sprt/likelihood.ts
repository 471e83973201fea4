import { ELO_SCALE } from "../elo/scale.ts";

export const SPRT_MODELS = ["logistic", "normalised"] as const;

/**
 * The meaning of an Elo bound. `logistic`: the expected score is 1 / (1 + 10^(-elo / 400)). `normalised`: the expected score
 * is above a half by elo * ln 10 / 800 standard deviations of one game (Van den Bergh, "Comments on Normalized Elo").
 */
type SprtModel = (typeof SPRT_MODELS)[number];

/** The number of blocks with a score: the mean over the games of the block, 0 to 1. */
export interface ScoreCount {
  readonly score: number;
  readonly blocks: number;
}

/** Two simple hypotheses about the Elo of an entrant over its opponent: H0 says elo0, H1 says elo1. */
export interface Hypotheses {
  readonly elo0: number;
  readonly elo1: number;
  readonly model: SprtModel;
}

/** The count of a score that no block has. Without it the likelihood would have no logarithm. */
const UNSEEN = 0.001;

/**
 * The logarithm of the likelihood ratio of H1 to H0, N sum p_i (ln p1_i - ln p0_i): positive where the results speak for H1.
 * p_i is the share of blocks with score i; p0 and p1 are the distributions of greatest likelihood under each hypothesis. It is
 * the generalised SPRT of Van den Bergh ("A Practical Introduction to the GSPRT"), as fishtest has it for pairs of games.
 * @param counts by score; different scores, 0 and 1 among them
 * @param games the number of games in a block, at least 1
 */
export function logLikelihoodRatio(
  counts: readonly ScoreCount[],
  games: number,
  { elo0, elo1, model }: Hypotheses,
): number {
  const weights = counts.map(({ blocks }) => (blocks === 0 ? UNSEEN : blocks));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const seen: Distribution = {
    scores: counts.map(({ score }) => score),
    shares: weights.map((weight) => weight / total),
  };
  const under = (elo: number) =>
    model === "logistic"
      ? likeliestOfMean(seen, expectedScore(elo))
      : likeliestOfLead(seen, normalisedLead(elo, games));
  const [one, zero] = [under(elo1), under(elo0)];
  return weights.reduce((sum, weight, at) => sum + weight * Math.log(one[at] / zero[at]), 0);
}

/** The expected score of an Elo difference, 0 to 1. @internal tests maximise the likelihood under it in another way. */
export function expectedScore(elo: number): number {
  return 1 / (1 + Math.exp(-elo / ELO_SCALE));
}

/**
 * The lead of a mean over a half that a normalised Elo stands for, in standard deviations of a block.
 * @internal tests maximise the likelihood under it in another way
 */
export function normalisedLead(elo: number, games: number): number {
  return (elo * Math.sqrt(games)) / (2 * ELO_SCALE);
}

/** Scores with their shares, which are above 0 and sum to 1. */
interface Distribution {
  readonly scores: readonly number[];
  readonly shares: readonly number[];
}

/** The shares of greatest likelihood whose mean is `mean`, which lies between the least score and the greatest. */
function likeliestOfMean({ scores, shares }: Distribution, mean: number): readonly number[] {
  const values = scores.map((score) => score - mean);
  return tilted(shares, values)!;
}

/** The largest change of a standard deviation that counts as none. */
const PRECISION = 1e-9;
const FAST_STEPS = 10;
const MOST_STEPS = 60;

/**
 * The shares of greatest likelihood whose mean is `lead` standard deviations above a half; `lead` is between -1.5 and 1.5.
 * Each step makes the constraint linear at a standard deviation, and goes on from that of the shares it finds (fishtest's
 * `LLRcalc.py`). Where this does not settle at once, halving the range finds the largest deviation that fits.
 */
function likeliestOfLead(seen: Distribution, lead: number): readonly number[] {
  const { scores } = seen;
  if (lead === 0) return likeliestOfMean(seen, 0.5);
  let deviation = deviationOf(
    scores,
    scores.map(() => 1 / scores.length),
  );
  let [low, high] = [0, 0.5];
  let found = seen.shares;
  for (let step = 0; step < MOST_STEPS; step++) {
    const shares = likeliestNear(seen, lead, deviation);
    const next = shares === undefined ? high : deviationOf(scores, shares);
    found = shares ?? found;
    if (Math.abs(next - deviation) < PRECISION) break;
    if (next > deviation) low = deviation;
    else high = deviation;
    deviation = step < FAST_STEPS && next > low && next < high ? next : (low + high) / 2;
  }
  return found;
}

/**
 * The shares of greatest likelihood under the constraint made linear at a standard deviation; undefined if there are none.
 * Shares that have this deviation fulfil the constraint itself.
 */
function likeliestNear(
  { scores, shares }: Distribution,
  lead: number,
  deviation: number,
): readonly number[] | undefined {
  const mean = 0.5 + lead * deviation;
  const values = scores.map(
    (score) => score - 0.5 - (lead * (deviation + (score - mean) ** 2 / deviation)) / 2,
  );
  return tilted(shares, values);
}

function deviationOf(scores: readonly number[], shares: readonly number[]): number {
  const mean = scores.reduce((sum, score, at) => sum + shares[at] * score, 0);
  return Math.sqrt(scores.reduce((sum, score, at) => sum + shares[at] * (score - mean) ** 2, 0));
}

/** The most steps to a root; a few are usual. */
const ROOT_STEPS = 100;

/**
 * The shares of greatest likelihood under which `values` have the mean 0: share / (1 + x * value), with the x that does it
 * (Owen 1988, "Empirical likelihood ratio confidence intervals"). Undefined where all values have one sign.
 */
function tilted(shares: readonly number[], values: readonly number[]): readonly number[] | undefined {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  if (least >= 0 || most <= 0) return undefined;
  let [low, high] = [-1 / most, -1 / least];
  let x = 0;
  for (let step = 0; step < ROOT_STEPS; step++) {
    let mean = 0;
    let slope = 0;
    for (let at = 0; at < values.length; at++) {
      const part = values[at] / (1 + x * values[at]);
      mean += shares[at] * part;
      slope -= shares[at] * part * part;
    }
    // The mean falls as x grows.
    if (mean > 0) low = x;
    else high = x;
    const newton = x - mean / slope;
    const next = newton > low && newton < high ? newton : (low + high) / 2;
    if (Math.abs(next - x) <= 1e-15 * Math.abs(x)) break;
    x = next;
  }
  return shares.map((share, at) => share / (1 + x * values[at]));
}
