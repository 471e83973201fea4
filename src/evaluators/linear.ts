import { isTracked, SumMemo } from "./tracked-features.ts";
import type { Evaluator, FeatureSet, Game, Phase, State } from "../games/game.ts";

/** How the weighted sum becomes a return: as it is, or squashed into the game's range. */
export const OUTPUTS = ["identity", "tanh", "logistic"] as const;
export type Output = (typeof OUTPUTS)[number];

/** Keeps estimates strictly inside the returns' range, also where a squash saturates. */
const MARGIN = 1e-6;

export interface LinearOptions {
  /** `features.size` for each stage, stage after stage. */
  readonly weights: Float32Array;
  readonly output: Output;
  /** Where a new stage begins, in the game's progress, ascending; each stage has weights of its own. */
  readonly stages?: readonly number[];
}

/** The active features of a position, and their weighted sum. */
export interface Reading {
  index: Int32Array;
  value: Float32Array;
  active: number;
  sign: number;
  last: number;
}

/**
 * E = w1 f1 + ... + wn fn over a sparse feature set, through an output function:
 * `identity` E itself, cut to the range; `tanh` and `logistic` middle + half range * tanh(E) or
 * * (2 / (1 + exp(-E)) - 1). Where rewards come along the way, E estimates what is still to come.
 * In a two-player zero-sum game, mirrored features are read as half the difference of the two
 * players' views. Over n-tuples this is an n-tuple network (Bledsoe and Browning 1959; Lucas 2008).
 */
export class LinearEvaluator implements Evaluator, Reading {
  readonly features: FeatureSet;
  readonly weights: Float32Array;
  readonly output: Output;
  readonly stages: readonly number[];
  /** What `sum` read last: the active features, for learners. */
  index: Int32Array;
  value: Float32Array;
  active = 0;
  /** What their sum is to be multiplied with: -1 where they are another player's view. */
  sign = 1;
  /** What `sum` returned last. */
  last = 0;
  /** What was read last when `hold` was called. */
  readonly held: Reading;
  private readonly middle: number;
  private readonly halfRange: number;
  private readonly addsReturns: boolean;
  private readonly isDuel: boolean;
  /** The other player's view of mirrored features; null where features need no second view. */
  private readonly otherIndex: Int32Array | null;
  private readonly otherValue: Float32Array;
  private readonly unit: boolean;
  /** Of features that tell what changed. */
  private readonly memo: SumMemo | null;
  /** Whether the features say whose view they are; otherwise it is the view of whoever asks. */
  private readonly hasViewer: boolean;
  /** By the phase of the game: where the weights of its stage begin; null where there is one stage. */
  private readonly offsets: Int32Array | null;
  private readonly phase: Phase | undefined;

  constructor(game: Game, features: FeatureSet, { weights, output, stages = [] }: LinearOptions) {
    const needed = features.size * (stages.length + 1);
    if (weights.length !== needed)
      throw new RangeError(
        `${weights.length} weights for ${features.size} features in ${stages.length + 1} stages`,
      );
    this.features = features;
    this.weights = weights;
    this.output = output;
    this.stages = stages;
    this.unit = features.unit === true;
    this.phase = game.phase;
    this.offsets = stages.length === 0 ? null : stageOffsets(game, stages, features.size);
    // Stages move all indexes at once.
    this.memo = isTracked(features) && stages.length === 0 ? new SumMemo(features, weights) : null;
    this.isDuel = game.players === 2 && game.zeroSum;
    const twoViews = this.isDuel && features.symmetry === "mirrored";
    this.hasViewer = this.isDuel && !twoViews && features.viewer !== undefined;
    const maxActive = features.maxActive * (twoViews ? 2 : 1);
    this.index = new Int32Array(maxActive);
    this.value = new Float32Array(maxActive).fill(1);
    this.held = {
      index: new Int32Array(maxActive),
      value: new Float32Array(maxActive).fill(1),
      active: 0,
      sign: 1,
      last: 0,
    };
    this.otherIndex = twoViews ? new Int32Array(features.maxActive) : null;
    this.otherValue = new Float32Array(twoViews ? features.maxActive : 0).fill(1);
    this.middle = (game.maxReturn + game.minReturn) / 2;
    this.halfRange = ((game.maxReturn - game.minReturn) / 2) * (1 - MARGIN);
    this.addsReturns = game.rewardsAlongTheWay;
  }

  evaluate(state: State, player: number): number {
    // In a two-player zero-sum game one view serves both: sums in another order may differ in the last bit.
    if (this.isDuel && player === 1) return 0 - this.evaluate(state, 0);
    const value = this.squash(this.sum(state, player));
    return this.addsReturns ? this.cut(value + state.returns(player)) : value;
  }

  /** The weighted sum; leaves the active features, some perhaps twice, in `index`, `value` and `active`. */
  sum(state: State, player: number): number {
    const { index, value, weights } = this;
    const viewer = this.hasViewer ? this.features.viewer!(state) : player;
    this.sign = viewer === player ? 1 : -1;
    const active = this.features.extract(state, viewer, index, value);
    this.active = active;
    if (this.offsets !== null) this.shift(index, active, this.offsets[this.phase!.of(state)]);
    let sum = 0;
    if (this.memo !== null) sum = this.memo.sum(index, active);
    else if (this.unit) for (let at = 0; at < active; at++) sum += weights[index[at]];
    else for (let at = 0; at < active; at++) sum += weights[index[at]] * value[at];
    if (this.otherIndex !== null) sum = (sum - this.subtractOther(state, 1 - player)) / 2;
    this.last = viewer === player ? sum : 0 - sum;
    return this.last;
  }

  /** The sum of what was read last, by the newest weights. */
  sumAgain(): number {
    const { index, value, weights, active, sign } = this;
    let sum = 0;
    if (this.memo !== null) sum = this.memo.sum(index, active);
    else for (let at = 0; at < active; at++) sum += weights[index[at]] * value[at];
    this.last = sign * sum;
    return this.last;
  }

  /** Says that the weights have changed. */
  touch(): void {
    this.memo?.touch();
  }

  /**
   * Keeps what was read last in `held` while other positions are looked at: a player who compares
   * positions keeps the best, so that a learner need not read it again.
   */
  hold(): void {
    const { held, index, value } = this;
    this.index = held.index;
    this.value = held.value;
    held.index = index;
    held.value = value;
    held.active = this.active;
    held.sign = this.sign;
    held.last = this.last;
  }

  /** The output function. */
  squash(sum: number): number {
    const { middle, halfRange } = this;
    if (this.output === "tanh") return middle + halfRange * Math.tanh(sum);
    // The logistic squash in its odd form, so that opposite sums give exactly opposite values.
    if (this.output === "logistic") return middle + halfRange * Math.tanh(sum / 2);
    return this.cut(sum);
  }

  /** The output function's derivative, at the sum that gave `value`; of `identity` as if it were never cut. */
  slope(value: number): number {
    if (this.output === "identity") return 1;
    const squashed = (value - this.middle) / this.halfRange;
    const slope = this.halfRange * (1 - squashed * squashed);
    return this.output === "tanh" ? slope : slope / 2;
  }

  /** Moves features to the weights of their stage. */
  private shift(index: Int32Array, active: number, offset: number): void {
    if (offset > 0) for (let at = 0; at < active; at++) index[at] += offset;
  }

  private cut(value: number): number {
    const { middle, halfRange } = this;
    return Math.min(middle + halfRange, Math.max(middle - halfRange, value));
  }

  /** Makes the active features half the difference to `other`'s view, whose weighted sum it returns. */
  private subtractOther(state: State, other: number): number {
    const { active, index, value, weights, otherValue } = this;
    const otherIndex = this.otherIndex!;
    const others = this.features.extract(state, other, otherIndex, otherValue);
    if (this.offsets !== null) this.shift(otherIndex, others, this.offsets[this.phase!.of(state)]);
    let sum = 0;
    for (let at = 0; at < active; at++) value[at] = this.unit ? 0.5 : value[at] * 0.5;
    for (let at = 0; at < others; at++) {
      sum += weights[otherIndex[at]] * otherValue[at];
      index[active + at] = otherIndex[at];
      value[active + at] = -0.5 * otherValue[at];
    }
    this.active = active + others;
    return sum;
  }
}

function stageOffsets({ id, phase }: Game, stages: readonly number[], size: number): Int32Array {
  if (phase === undefined) throw new RangeError(`${id} has no measure of progress for stages`);
  return Int32Array.from(
    { length: phase.max + 1 },
    (_, at) => size * stages.filter((begins) => begins <= at).length,
  );
}
