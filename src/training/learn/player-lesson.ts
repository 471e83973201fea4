import type { LinearEvaluator, Reading } from "../../evaluators/linear.ts";
import type { Credit } from "./credit.ts";
import type { ErrorTally } from "./learner.ts";

/**
 * The lesson of one player in TdLearner: the present position with its features and estimate from this player's point
 * of view, and the error of the step to the next position.
 */
export class PlayerLesson {
  readonly player: number;
  /** The features of the position just read: index[0..active-1] and value[0..active-1]. */
  active = 0;
  readonly index: Int32Array;
  readonly value: Float32Array;
  /** -1 if the features are from the other player's point of view, so that their sum must be negated; otherwise 1. */
  private sign = 1;
  /** The gradient of the estimate by the weight of a feature is `factor` times its value. */
  factor = 0;
  /** The rewards that the player has collected at the position just read. */
  collected = 0;
  /** True if the position just read ends the game: its return is known, not estimated. */
  isKnown = false;
  /** The final return, estimated at the present position. */
  estimate = 0;
  /** The error of the step to the next position: the difference of the two estimates. */
  error = 0;
  /** True if nothing is learned from the step to the next position. */
  cut = true;
  private readonly unit: boolean;
  /** The square of the output's greatest slope; undefined if steps are not normalized. */
  private readonly scale: number | undefined;
  private readonly credit: Credit;
  private readonly errors: ErrorTally;

  constructor(
    player: number,
    { index, value, features, steepest }: LinearEvaluator,
    { normalized = false, credit, errors }: { normalized?: boolean; credit: Credit; errors: ErrorTally },
  ) {
    this.player = player;
    this.index = new Int32Array(index.length);
    this.value = Float32Array.from(value);
    this.unit = features.unit === true;
    this.scale = normalized ? steepest * steepest : undefined;
    this.credit = credit;
    this.errors = errors;
  }

  /** A game begins. There is no step before its first position. */
  begin(): void {
    this.credit.begin();
    this.cut = true;
  }

  /** Copies the features of a reading. */
  copyActive({ active, index, value, sign }: Reading): void {
    const { index: ours, value: values } = this;
    for (let at = 0; at < active; at++) ours[at] = index[at];
    if (!this.unit) for (let at = 0; at < active; at++) values[at] = value[at];
    this.active = active;
    this.sign = sign;
  }

  /** The weighted sum of the position read last. */
  sum(weights: Float32Array): number {
    const { active, index, value } = this;
    let sum = 0;
    for (let at = 0; at < active; at++) sum += weights[index[at]] * value[at];
    return this.sign * sum;
  }

  /** Makes the position just read the present one. */
  remember(estimate: number, slope: number): void {
    this.estimate = estimate;
    this.factor = this.sign * slope;
    this.cut = false;
    this.credit.add(this, this.scale === undefined ? 1 : this.scale * this.norm());
  }

  /** Learns from the error, unless `cut` is set. */
  learn(stepSize: number): void {
    const { error, errors, credit } = this;
    if (this.cut) {
      credit.cut();
      return;
    }
    errors.count++;
    errors.squares += error * error;
    credit.learn(error, stepSize);
  }

  end(): void {
    this.credit.end();
  }

  /** The sum of the squares of the values, at least 1. */
  private norm(): number {
    const { active, value } = this;
    if (this.unit) return Math.max(active, 1);
    let norm = 0;
    for (let at = 0; at < active; at++) norm += value[at] * value[at];
    return Math.max(norm, 1);
  }
}
