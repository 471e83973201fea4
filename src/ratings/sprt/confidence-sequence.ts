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
