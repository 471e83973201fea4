import { isTuples } from "./n-tuple.ts";
import { TupleCodes } from "./tuple-codes.ts";
import {
  type Evaluator,
  type FeatureSet,
  type Game,
  type Phase,
  type State,
  TERMINAL,
  isDuel,
} from "../games/contract/game.ts";

/** The functions that make a return of the weighted sum: unchanged, or squashed into the game's range. */
export const OUTPUTS = ["identity", "tanh", "logistic"] as const;
export type Output = (typeof OUTPUTS)[number];

/**
 * Estimates stay away from the ends of the range by this share of half the range: a value at an end would be a proof.
 */
const MARGIN = 1e-6;

/** The logit of an action that ends the game with the greatest return; that of the least is its negative. */
const END_LOGIT = 8;

interface LinearOptions {
  /** `features.size` weights for each stage, stage after stage; with a policy, as many for its logits behind them. */
  readonly weights: Float32Array;
  readonly output: Output;
  /** The progress of the game (`Game.progress`) at which each stage but the first begins, ascending. Each stage has weights of its own. */
  readonly stages?: readonly number[];
  /** True for a policy: the logit of an action is a weighted sum, too, over the features of the position after it. */
  readonly policy?: boolean | undefined;
}

/** The active features of a position, and their weighted sum. */
export interface Reading {
  /** The features are index[0..active-1] with the values value[0..active-1]. A feature may be there twice. */
  index: Int32Array;
  value: Float32Array;
  active: number;
  /** -1 if the features are the other player's view, so that their sum must be negated; otherwise 1. */
  sign: number;
  /** The weighted sum, from the point of view of the player who asked. */
  last: number;
}

/**
 * The weighted sum E = w1 f1 + ... + wn fn of sparse features, made a return by an output function:
 * - `identity`: E, cut to the range of returns
 * - `tanh`: middle + half range * tanh(E)
 * - `logistic`: middle + half range * (2 / (1 + exp(-E)) - 1)
 *
 * In games with rewards along the way, E estimates the rewards that are still to come. In a two-player
 * zero-sum game, mirrored features are read as half the difference of the two players' views. Over
 * n-tuple features this is an n-tuple network (Bledsoe and Browning 1959; Lucas 2008).
 */
export class LinearEvaluator implements Evaluator, Reading {
  readonly features: FeatureSet;
  readonly weights: Float32Array;
  readonly output: Output;
  readonly stages: readonly number[];
  /** The reading of the last `sum`; learners use it. */
  index: Int32Array;
  value: Float32Array;
  active = 0;
  sign = 1;
  last = 0;
  /** The reading kept by `hold`. */
  readonly held: Reading;
  /** True if `evaluate` leaves a reading, as `sum` does: the features are not tuples, and `weigh` is not used. */
  readonly leavesReading: boolean;
  /** The weighted sums that are logits, with the same `weights`; undefined without a policy. */
  readonly logits: LinearEvaluator | undefined;
  readonly prefer?: NonNullable<Evaluator["prefer"]>;
  /** The greatest derivative of the output function, in points of return. */
  readonly steepest: number;
  private readonly middle: number;
  private readonly halfRange: number;
  private readonly addsReturns: boolean;
  private readonly isDuel: boolean;
  /** The other player's view of mirrored features; null where features need no second view. */
  private readonly otherIndex: Int32Array | null;
  private readonly otherValue: Float32Array;
  private readonly unit: boolean;
  /** The features of an n-tuple network; null for others. */
  private readonly tuples: TupleCodes | null;
  /** True if the feature set chooses the player whose view is read; otherwise the player who asks is read. */
  private readonly hasViewer: boolean;
  /** By the game's progress: the index at which the weights of its stage begin. Null if there is one stage. */
  private readonly offsets: Int32Array | null;
  private readonly phase: Phase | undefined;
  /** The place of the first weight. */
  private readonly begins: number;

  /** @param begins the place of the first weight; others have those before it */
  constructor(
    game: Game,
    features: FeatureSet,
    { weights, output, stages = [], policy = false }: LinearOptions,
    begins = 0,
  ) {
    const size = features.size * (stages.length + 1);
    if (weights.length - begins !== (policy ? 2 : 1) * size)
      throw new RangeError(
        `${weights.length - begins} weights for ${features.size} features in ${stages.length + 1} stages${policy ? ", and a policy" : ""}`,
      );
    this.begins = begins;
    this.logits = policy
      ? new LinearEvaluator(game, features, { weights, output: "identity", stages }, size)
      : undefined;
    if (this.logits !== undefined) this.prefer = preferenceBy(game, this.logits);
    this.features = features;
    this.weights = weights;
    this.output = output;
    this.stages = stages;
    this.unit = features.unit === true;
    this.phase = game.phase;
    this.offsets = stages.length === 0 ? null : stageOffsets(game, stages, features.size);
    this.tuples = isTuples(features) ? new TupleCodes(features) : null;
    this.isDuel = isDuel(game);
    const twoViews = this.isDuel && features.symmetry === "mirrored";
    this.leavesReading = this.tuples === null && (twoViews || features.weigh === undefined);
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
    const reach = (game.maxReturn - game.minReturn) / 2;
    this.middle = (game.maxReturn + game.minReturn) / 2;
    this.halfRange = reach * (1 - MARGIN);
    this.steepest = output === "identity" ? 1 : output === "tanh" ? reach : reach / 2;
    this.addsReturns = game.rewardsAlongTheWay;
  }

  evaluate(state: State, player: number): number {
    // Player 1's value is player 0's, negated: a sum in another order might differ in the last bit.
    if (this.isDuel && player === 1) return 0 - this.evaluate(state, 0);
    const value = this.squash(this.weigh(state, player));
    return this.addsReturns ? this.cut(value + state.returns(player)) : value;
  }

  /** Returns the weighted sum from `player`'s point of view, the quickest way. */
  weigh(state: State, player: number): number {
    return this.leavesReading ? this.sum(state, player) : this.sumAlone(state, player);
  }

  /**
   * Returns the weighted sum from `player`'s point of view; leaves the reading in `index`, `value`, `active`, `sign`
   * and `last`.
   */
  sum(state: State, player: number): number {
    const { index, value, weights, tuples } = this;
    const viewer = this.hasViewer ? this.features.viewer!(state) : player;
    this.sign = viewer === player ? 1 : -1;
    if (tuples !== null) {
      this.last = this.sumAlone(state, player);
      this.active = index.length;
      const { codes } = tuples;
      const offset = this.offsetOf(state);
      for (let at = 0; at < index.length; at++) index[at] = offset + codes[at];
      return this.last;
    }
    const active = this.features.extract(state, viewer, index, value);
    this.active = active;
    this.shift(index, active, this.offsetOf(state));
    let sum = 0;
    if (this.unit) for (let at = 0; at < active; at++) sum += weights[index[at]];
    else for (let at = 0; at < active; at++) sum += weights[index[at]] * value[at];
    if (this.otherIndex !== null) sum = (sum - this.subtractOther(state, 1 - player)) / 2;
    this.last = viewer === player ? sum : 0 - sum;
    return this.last;
  }

  /** The sum alone, without a reading. */
  private sumAlone(state: State, player: number): number {
    const { features, tuples, weights } = this;
    const viewer = this.hasViewer ? features.viewer!(state) : player;
    const offset = this.offsetOf(state);
    if (tuples !== null) tuples.read(state, viewer);
    const sum =
      tuples === null
        ? features.weigh!(state, viewer, weights, offset)
        : sumOf(weights, offset, tuples.codes);
    return viewer === player ? sum : 0 - sum;
  }

  /** Computes the sum of the last reading again with the present weights. */
  sumAgain(): number {
    const { index, value, weights, active, sign } = this;
    let sum = 0;
    if (this.tuples !== null) sum = sumOf(weights, 0, index);
    else for (let at = 0; at < active; at++) sum += weights[index[at]] * value[at];
    this.last = sign * sum;
    return this.last;
  }

  /**
   * Keeps the reading of the last `sum` in `held`, or of the last `evaluate` if it leaves one. A player who compares
   * positions keeps the best one, so that a learner need not read it again.
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

  /** Applies the output function: returns the return for a weighted sum. */
  squash(sum: number): number {
    const { middle, halfRange } = this;
    if (this.output === "tanh") return middle + halfRange * Math.tanh(sum);
    // 2 / (1 + exp(-x)) - 1 = tanh(x / 2); with tanh, opposite sums give exactly opposite values.
    if (this.output === "logistic") return middle + halfRange * Math.tanh(sum / 2);
    return this.cut(sum);
  }

  /**
   * Returns the derivative of the output function at the sum that gave `value`; for `identity` always 1, also where the
   * value was cut.
   */
  slope(value: number): number {
    if (this.output === "identity") return 1;
    const squashed = (value - this.middle) / this.halfRange;
    const slope = this.halfRange * (1 - squashed * squashed);
    return this.output === "tanh" ? slope : slope / 2;
  }

  /** The start of the weights of the position's stage. */
  private offsetOf(state: State): number {
    return this.offsets === null ? this.begins : this.begins + this.offsets[this.phase!.of(state)];
  }

  /** Adds `offset`, the start of the stage's weights, to the indexes. */
  private shift(index: Int32Array, active: number, offset: number): void {
    if (offset > 0) for (let at = 0; at < active; at++) index[at] += offset;
  }

  private cut(value: number): number {
    const { middle, halfRange } = this;
    return Math.min(middle + halfRange, Math.max(middle - halfRange, value));
  }

  /**
   * Changes the reading to half the difference of the present view and `other`'s view: halves the values,
   * and appends `other`'s features with negative halves. Returns the weighted sum of `other`'s view.
   */
  private subtractOther(state: State, other: number): number {
    const { active, index, value, weights, otherValue } = this;
    const otherIndex = this.otherIndex!;
    const others = this.features.extract(state, other, otherIndex, otherValue);
    this.shift(otherIndex, others, this.offsetOf(state));
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

/** Preference for the actions whose next positions have the highest logits for the player who takes them. */
function preferenceBy(
  { minReturn, maxReturn }: Game,
  logits: LinearEvaluator,
): NonNullable<Evaluator["prefer"]> {
  const middle = (maxReturn + minReturn) / 2;
  const scale = END_LOGIT / (maxReturn - middle);
  return (state, actions, at, end, out) => {
    const mover = state.toMove;
    for (let place = at; place < end; place++) {
      state.apply(actions[place]);
      out[place] =
        state.toMove === TERMINAL ? (state.returns(mover) - middle) * scale : logits.weigh(state, mover);
      state.undo();
    }
  };
}

function stageOffsets({ id, phase }: Game, stages: readonly number[], size: number): Int32Array {
  if (phase === undefined) throw new RangeError(`${id} has no measure of progress for stages`);
  return Int32Array.from(
    { length: phase.max + 1 },
    (_, at) => size * stages.filter((begins) => begins <= at).length,
  );
}

/** Sums the weights of an n-tuple network in four parts, as the processor adds to all four at the same time. */
function sumOf(weights: Float32Array, offset: number, codes: Int32Array): number {
  let first = 0;
  let second = 0;
  let third = 0;
  let fourth = 0;
  let at = 0;
  for (const last = codes.length - 3; at < last; at += 4) {
    first += weights[offset + codes[at]];
    second += weights[offset + codes[at + 1]];
    third += weights[offset + codes[at + 2]];
    fourth += weights[offset + codes[at + 3]];
  }
  for (; at < codes.length; at++) first += weights[offset + codes[at]];
  return first + second + (third + fourth);
}
