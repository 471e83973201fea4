import { finiteElo } from "../elo/scale.ts";
import { logLikelihoodRatio, type Hypotheses, type ScoreCount } from "./likelihood.ts";

/** A sequential probability ratio test. */
export interface SprtRule extends Hypotheses {
  /** The probability of accepting H1 where H0 holds, at most: 0 to 1. */
  readonly alpha: number;
  /** The probability of accepting H0 where H1 holds, at most: 0 to 1. */
  readonly beta: number;
}

/**
 * The bounds of the logarithm of the likelihood ratio, between which a test goes on (Wald 1945).
 * @internal tests compare them with published values
 */
export function sprtBounds({ alpha, beta }: SprtRule): { readonly lower: number; readonly upper: number } {
  return { lower: Math.log(beta / (1 - alpha)), upper: Math.log((1 - beta) / alpha) };
}

/** A look at the ratio, at the end of a round. */
interface SprtLook {
  /** The number of blocks so far. */
  readonly blocks: number;
  readonly llr: number;
}

/** The blocks of a sequential test, as they are stored. */
export interface SprtCounts {
  /** In order; the last one decides, or is the last so far. */
  readonly looks: readonly SprtLook[];
  /** Up to the round that decided, or all. Ascending by score: 0, 1/4, 1/2, 3/4, 1, and others that a block has. */
  readonly counts: readonly ScoreCount[];
  /** The round that was out already when the test was decided, which decides nothing: the same scores. */
  readonly after: readonly ScoreCount[];
  /** The first entrant's expected score, from the blocks of `counts` in their order. */
  readonly interval: ScoreInterval;
}

export type SprtDecision = "H0" | "H1";

/** A pair of games has the scores 0, 1/4, 1/2, 3/4 and 1. Every test counts them, so that every mean can be reached. */
const PAIR_STEPS = 4;

/**
 * A sequential test that is looked at after each round of blocks. The first round at whose end the ratio is outside of
 * the bounds decides; later rounds change nothing.
 */
export class SequentialTest {
  llr = 0;
  decision: SprtDecision | undefined;
  private readonly rule: SprtRule;
  private readonly games: number;
  private readonly steps: number;
  /** Blocks by step: until the decision, and after it. */
  private readonly before: Map<number, number>;
  private readonly after: Map<number, number>;
  private readonly sequence = new ConfidenceSequence();
  private readonly looks: SprtLook[] = [];
  private blocks = 0;

  /** @param players seats of a game: a block has as many games, one for each rotation */
  constructor(rule: SprtRule, players: number) {
    this.rule = rule;
    this.games = players;
    // A game gives each of the other seats, a half for a tie.
    this.steps = 2 * players * (players - 1);
    const pairs = Array.from(
      { length: PAIR_STEPS + 1 },
      (_, at) => [(at * this.steps) / PAIR_STEPS, 0] as const,
    );
    [this.before, this.after] = [new Map(pairs), new Map(pairs)];
  }

  /** Adds a round and looks at the ratio. @param scores the first entrant's, by block, 0 to 1 */
  addRound(scores: Iterable<number>): void {
    const isOver = this.decision !== undefined;
    const into = isOver ? this.after : this.before;
    for (const score of scores) {
      const step = Math.round(score * this.steps);
      into.set(step, (into.get(step) ?? 0) + 1);
      if (isOver) continue;
      this.sequence.add(step / this.steps);
      this.blocks++;
    }
    if (isOver) return;
    this.llr = logLikelihoodRatio(this.listed(this.before), this.games, this.rule);
    this.decision = decide(this.rule, this.llr);
    this.looks.push({ blocks: this.blocks, llr: this.llr });
  }

  get counts(): SprtCounts {
    return {
      looks: [...this.looks],
      counts: this.listed(this.before),
      after: this.listed(this.after),
      interval: this.sequence.interval,
    };
  }

  private listed(blocks: ReadonlyMap<number, number>): ScoreCount[] {
    return [...blocks]
      .toSorted(([one], [other]) => one - other)
      .map(([step, count]) => ({ score: step / this.steps, blocks: count }));
  }
}

/** The hypothesis that a ratio accepts; undefined between the bounds. */
function decide(rule: SprtRule, llr: number): SprtDecision | undefined {
  const { lower, upper } = sprtBounds(rule);
  if (llr >= upper) return "H1";
  return llr <= lower ? "H0" : undefined;
}

/** A sequential test as data, for reports. Its keys are part of the JSON contract. */
export interface SprtReport extends SprtRule, Omit<SprtCounts, "interval"> {
  /** Two names: the entrant whose Elo is tested, and its opponent. */
  readonly entrants: readonly string[];
  readonly llr: number;
  readonly lower: number;
  readonly upper: number;
  /** The accepted hypothesis; null without a decision. */
  readonly decision: SprtDecision | null;
  /**
   * The ends of a 95% interval of the Elo that holds at all looks together, by the expected score; null where it is open.
   */
  readonly eloLow: number | null;
  readonly eloHigh: number | null;
  /** The number of blocks that the decision, or the ratio so far, comes from. */
  readonly blocks: number;
}

/** The report of a test, from its stored blocks. */
export function reportSprt(
  rule: SprtRule,
  { looks, counts, after, interval }: SprtCounts,
  { entrants, players }: { readonly entrants: readonly string[]; readonly players: number },
): SprtReport {
  const blocks = counts.reduce((sum, count) => sum + count.blocks, 0);
  const llr = blocks === 0 ? 0 : logLikelihoodRatio(counts, players, rule);
  return {
    entrants,
    ...rule,
    llr,
    ...sprtBounds(rule),
    decision: decide(rule, llr) ?? null,
    eloLow: finiteElo(interval.low),
    eloHigh: finiteElo(interval.high),
    blocks,
    looks,
    counts,
    after,
  };
}

/** Ends of an interval of a mean score, 0 to 1. */
export interface ScoreInterval {
  readonly low: number;
  readonly high: number;
}

/** 1 less the coverage. */
const MISS = 0.05;
const MOST_BET = 0.5;

/**
 * A 95% interval of the expected score of a block that holds at all looks together, whenever one stops: the predictable
 * plug-in empirical Bernstein confidence sequence (Waudby-Smith and Ramdas 2024, "Estimating means of bounded random variables
 * by betting", theorem 2). Blocks are independent, and have the same expected score.
 */
export class ConfidenceSequence {
  private low = 0;
  private high = 1;
  private blocks = 0;
  private sum = 0;
  /** The sum of squared distances from the mean so far. */
  private squares = 0;
  private bets = 0;
  private betScores = 0;
  private cost = 0;

  /** Adds the score of a block, 0 to 1. */
  add(score: number): void {
    const { blocks } = this;
    // The estimates before this block begin with a score of a half and a variance of a quarter.
    const before = (0.5 + this.sum) / (blocks + 1);
    const variance = (0.25 + this.squares) / (blocks + 1);
    const time = blocks + 1;
    const wish = Math.sqrt((2 * Math.log(2 / MISS)) / (variance * time * Math.log(1 + time)));
    const bet = Math.min(wish, MOST_BET);
    this.bets += bet;
    this.betScores += bet * score;
    this.cost += (score - before) ** 2 * (-Math.log(1 - bet) - bet);
    this.sum += score;
    this.blocks++;
    this.squares += (score - (0.5 + this.sum) / (time + 1)) ** 2;
    const centre = this.betScores / this.bets;
    const margin = (Math.log(2 / MISS) + this.cost) / this.bets;
    this.low = Math.max(this.low, centre - margin);
    this.high = Math.min(this.high, centre + margin);
  }

  get interval(): ScoreInterval {
    return { low: this.low, high: this.high };
  }
}
