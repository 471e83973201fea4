import { ExactSum } from "./exact-sum.ts";
import { Z95 } from "./elo/scale.ts";
import { blocksOf, type RatedGame } from "./record.ts";

/** A mean return a game, in the game's units, with its 95% interval; its ends are infinite with one block only. */
export interface MeanReturn {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/**
 * The mean return of each entrant; 0 for one without games. A block's games share their opening and their chance
 * events, so blocks are the sample: each counts once, with the mean over its games (and seats). Sums are exact, so the
 * order of blocks and games changes no bit.
 */
export class ReturnMeans {
  private readonly own: readonly OwnReturns[];
  private readonly present = new Set<number>();

  constructor(entrantCount: number) {
    this.own = Array.from({ length: entrantCount }, () => new OwnReturns());
  }

  addBlock(games: readonly RatedGame[]): void {
    for (const { seats, returns } of games) {
      for (let seat = 0; seat < seats.length; seat++) {
        this.present.add(seats[seat]);
        this.own[seats[seat]].add(returns[seat]);
      }
    }
    for (const entrant of this.present) this.own[entrant].endBlock();
    this.present.clear();
  }

  /** The mean return of each entrant. */
  means(): MeanReturn[] {
    return this.own.map((own) => own.mean());
  }
}

class OwnReturns {
  private blocks = 0;
  private readonly sum = new ExactSum();
  private readonly squares = new ExactSum();
  private readonly blockSum = new ExactSum();
  private blockGames = 0;

  add(value: number): void {
    this.blockSum.add(value);
    this.blockGames++;
  }

  endBlock(): void {
    const mean = this.blockSum.value() / this.blockGames;
    this.sum.add(mean);
    this.squares.addProduct(mean, mean);
    this.blocks++;
    this.blockSum.clear();
    this.blockGames = 0;
  }

  mean(): MeanReturn {
    const { blocks, sum, squares } = this;
    if (blocks === 0) return { mean: 0, low: -Infinity, high: Infinity };
    const mean = sum.value() / blocks;
    // The sum of (value - mean)^2 is that of value^2 - 2 mean value + mean^2.
    const spread = new ExactSum();
    spread.addScaled(squares, 1);
    spread.addScaled(sum, -2 * mean);
    spread.addScaled(productOf(mean, mean), blocks);
    const variance = Math.max(0, spread.value()) / (blocks - 1);
    const margin = blocks < 2 ? Infinity : Z95 * Math.sqrt(variance / blocks);
    return { mean, low: mean - margin, high: mean + margin };
  }
}

function productOf(one: number, other: number): ExactSum {
  const product = new ExactSum();
  product.addProduct(one, other);
  return product;
}

/** The mean returns in games that are in memory. */
export function meanReturns(records: readonly RatedGame[], entrantCount: number): MeanReturn[] {
  const returns = new ReturnMeans(entrantCount);
  for (const block of blocksOf(records)) returns.addBlock(block);
  return returns.means();
}

/** A mean with its 95% interval, which needs three values at least. */
export interface MeanInterval {
  readonly mean: number;
  /** Half the width of the interval, or undefined. */
  readonly margin: number | undefined;
}

/** The fewest values that an interval is calculated from. */
const FEWEST = 3;

/** The mean of a sample of normal values, at least one, with the interval of Student's t. */
export function meanInterval(values: readonly number[]): MeanInterval {
  const count = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  if (count < FEWEST) return { mean, margin: undefined };
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, margin: studentQuantile(count - 1) * Math.sqrt(squares / (count - 1) / count) };
}

/**
 * The 97.5% quantile of Student's t distribution with so many degrees of freedom, a whole number from 1.
 * @internal tests compare it with published tables
 */
export function studentQuantile(degrees: number): number {
  let [low, high] = [1, 13];
  while (high - low > 1e-12 * high) {
    const middle = (low + high) / 2;
    if (withinProbability(middle, degrees) < 0.95) low = middle;
    else high = middle;
  }
  return high;
}

/** P(|T| < t), by the finite sums of Abramowitz and Stegun (1964), 26.7.3 and 26.7.4. */
function withinProbability(t: number, degrees: number): number {
  const angle = Math.atan(t / Math.sqrt(degrees));
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  const isOdd = degrees % 2 === 1;
  let term = isOdd ? cosine : 1;
  let sum = degrees === 1 ? 0 : term;
  for (let power = isOdd ? 3 : 2; power <= degrees - 2; power += 2) {
    term *= ((power - 1) / power) * cosine ** 2;
    sum += term;
  }
  return isOdd ? (2 / Math.PI) * (angle + sine * sum) : sine * sum;
}
