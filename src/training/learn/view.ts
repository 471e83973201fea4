import type { LinearEvaluator, Reading } from "../../evaluators/linear.ts";
import type { Credit } from "./credit.ts";

/** What one player sees of the present position. */
export class View {
  readonly player: number;
  /** The active features of the position just read, and what their sum is to be multiplied with. */
  active = 0;
  readonly index: Int32Array;
  readonly value: Float32Array;
  private sign = 1;
  /** The factor of their gradient. */
  factor = 0;
  /** Rewards so far. */
  collected = 0;
  /** Whether the return is known rather than estimated. */
  isKnown = false;
  /** The final return, as estimated. */
  estimate = 0;
  error = 0;
  /** Whether the step to the next position teaches nothing. */
  cut = true;
  private readonly unit: boolean;
  private readonly normalized: boolean;
  private readonly credit: Credit;

  constructor(
    player: number,
    { index, value, features }: LinearEvaluator,
    { normalized = false, credit }: { normalized?: boolean; credit: Credit },
  ) {
    this.player = player;
    this.index = new Int32Array(index.length);
    this.value = Float32Array.from(value);
    this.unit = features.unit === true;
    this.normalized = normalized;
    this.credit = credit;
  }

  /** Nothing is known, and nothing can be learnt before the first position. */
  begin(): void {
    this.credit.begin();
    this.cut = true;
  }

  /** Takes over what the evaluator read last. */
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

  /** The position just read is the present one. */
  remember(estimate: number, slope: number): void {
    this.estimate = estimate;
    this.factor = this.sign * slope;
    this.cut = false;
    this.credit.add(this, this.normalized ? this.norm() : 1);
  }

  /** Learns from the error, unless it was cut off. */
  learn(stepSize: number): void {
    if (this.cut) this.credit.cut();
    else this.credit.learn(this.error, stepSize);
  }

  end(): void {
    this.credit.end();
  }

  /** The sum of the squared values, at least 1. */
  private norm(): number {
    const { active, value } = this;
    let norm = 0;
    for (let at = 0; at < active; at++) norm += value[at] * value[at];
    return Math.max(norm, 1);
  }
}
