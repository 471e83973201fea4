import { createRandom } from "../base/random.ts";

/*
 * Simultaneous perturbation stochastic approximation: Spall, "Multivariate stochastic approximation using a simultaneous
 * perturbation gradient approximation" (1992). The gains are those of Spall, "Implementation of the simultaneous perturbation
 * algorithm" (1998), given by their values in the last round, as the testing framework of Stockfish (fishtest) does. The
 * answer is the mean of the later values: Polyak and Juditsky, "Acceleration of stochastic approximation by averaging" (1992).
 */

/** Spall's exponents, and his offset as a share of the rounds. */
const ALPHA = 0.602;
const GAMMA = 0.101;
const OFFSET = 0.1;

/** Perturbed values have so many digits: the last bits of a power differ between machines. */
const DIGITS = 6;

/** A number that is tuned. */
export interface TunedNumber {
  readonly start: number;
  readonly min: number;
  readonly max: number;
  /** The distance of a perturbation from the value in the last round; it begins up to twice as large. */
  readonly step: number;
  /** True if play takes whole numbers alone. The value between them moves on as others do. */
  readonly isWhole: boolean;
}

/** A tuning: all that its values depend on besides results. */
export interface SpsaRule {
  readonly numbers: readonly TunedNumber[];
  readonly rounds: number;
  /** Pairs of perturbations in a round. */
  readonly pairs: number;
  /** The share of a step by which a won block moves the values in the last round. */
  readonly rate: number;
  readonly seed: string;
}

/** Two opposite perturbations of the values. */
export interface Perturbations {
  readonly plus: readonly number[];
  readonly minus: readonly number[];
}

/** The result of a tuning for one number. */
export interface TunedValue {
  /** The mean over the later half of the rounds, rounded if the number is whole. */
  readonly value: number;
  /** The value after the last round. */
  readonly last: number;
  /** The standard deviation that the mean would have if the number did not matter. */
  readonly noise: number;
}

/** The values of a tuning, round by round. They are a pure function of the rule and the results. */
export class Spsa {
  /** The values at the start, and after each round that was added. */
  readonly path: readonly number[][];
  private readonly rule: SpsaRule;
  /** By round: the share of a step by which a won block moved the values, and the sum of the squared results. */
  private readonly moves: { readonly move: number; readonly squares: number }[] = [];

  constructor(rule: SpsaRule) {
    this.rule = rule;
    this.path = [rule.numbers.map(({ start }) => start)];
  }

  /**
   * The pairs of round `number` around the present values. They stay within the bounds: near a bound the whole pair is
   * moved inwards. Whole numbers are rounded at random, so that their mean is the value between them.
   */
  perturb(number: number): Perturbations[] {
    const values = this.path.at(-1)!;
    return this.directions(number).map((directions) => {
      const side = (sign: 1 | -1) =>
        this.rule.numbers.map((one, at) => {
          const { direction, fraction } = directions[at]!;
          const distance = Math.min(this.distance(one, number), (one.max - one.min) / 2);
          const centre = clamp(values[at]!, one.min + distance, one.max - distance);
          const value = centre + sign * direction * distance;
          const played = one.isWhole ? Math.floor(value + fraction) : Number(value.toPrecision(DIGITS));
          return clamp(played, one.min, one.max);
        });
      return { plus: side(1), minus: side(-1) };
    });
  }

  /**
   * Moves the values by the results of the next round. A round moves a number by the distance of its perturbation at most.
   * @param results by pair: the sum over its blocks of wins less losses of `plus`, each block from -1 to 1
   */
  add(results: readonly number[]): void {
    const number = this.path.length - 1;
    const directions = this.directions(number);
    const move = this.rule.rate * this.gain(number);
    const values = this.rule.numbers.map((one, at) => {
      const slope = results.reduce((sum, result, pair) => sum + result * directions[pair]![at]!.direction, 0);
      const moved = clamp(move * slope, -1, 1) * this.distance(one, number);
      return clamp(this.path.at(-1)![at]! + moved, one.min, one.max);
    });
    (this.path as number[][]).push(values);
    this.moves.push({ move, squares: results.reduce((sum, result) => sum + result * result, 0) });
  }

  /** The answer after the rounds so far. */
  get answer(): TunedValue[] {
    const later = this.path.slice(Math.ceil(this.moves.length / 2));
    const first = this.path.length - later.length;
    return this.rule.numbers.map((one, at) => {
      const mean = later.reduce((sum, values) => sum + values[at]!, 0) / later.length;
      const variance = this.moves.reduce((sum, { move, squares }, round) => {
        // The part of the mean that came after the round.
        const share = Math.min(1, (this.path.length - (round + 1)) / (this.path.length - first));
        return sum + (share * move * this.distance(one, round)) ** 2 * squares;
      }, 0);
      const value = one.isWhole ? Math.round(mean) : Number(mean.toPrecision(DIGITS));
      return { value, last: this.path.at(-1)![at]!, noise: Math.sqrt(variance) };
    });
  }

  /** By pair and number: the side of `plus`, and the fraction from which on whole numbers are rounded up. */
  private directions(number: number): { direction: number; fraction: number }[][] {
    const { numbers, pairs, seed } = this.rule;
    const random = createRandom(seed, "spsa", number);
    return Array.from({ length: pairs }, () =>
      numbers.map(() => ({ direction: 2 * random.below(2) - 1, fraction: random.float() })),
    );
  }

  /** The distance of perturbations in a round: Spall's c. */
  private distance({ step }: TunedNumber, number: number): number {
    return step * (this.rule.rounds / (number + 1)) ** GAMMA;
  }

  /** The move of a won block in units of `rate`, which is 1 in the last round: Spall's a / c^2. */
  private gain(number: number): number {
    const { rounds } = this.rule;
    const offset = OFFSET * rounds;
    return ((offset + rounds) / (offset + number + 1)) ** ALPHA * ((number + 1) / rounds) ** (2 * GAMMA);
  }
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}
