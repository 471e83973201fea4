import type { FeatureSet } from "../games/game.ts";

/** Features that tell which of them changed, so that sums over them need not look everything up again. */
export interface TrackedFeatures extends FeatureSet {
  /** Which of the pairs that `extract` wrote last differ from those at the base: changed[0...changedCount-1]. */
  readonly changed: Int32Array;
  readonly changedCount: number;
  /** Makes the position that was extracted last the base. */
  rebase(): void;
}

/** A position that has more than this share of its features in common with no base becomes the base. */
const FAR = 0.9;

/** Whether a feature set tells what changed. */
export function isTracked(features: FeatureSet): features is TrackedFeatures {
  return "changed" in features;
}

/**
 * Sums weights that lie all over large tables, by keeping those of a base position: of a position near it
 * only the weights of the features that differ are looked up. The weights of all features are added in the
 * same order each time, so that a sum depends on the position alone, to the last bit.
 */
export class SumMemo {
  private readonly features: TrackedFeatures;
  private readonly weights: Float32Array;
  private readonly base: Float32Array;
  private readonly present: Float32Array;
  private isStale = true;

  constructor(features: TrackedFeatures, weights: Float32Array) {
    this.features = features;
    this.weights = weights;
    this.base = new Float32Array(features.maxActive);
    this.present = new Float32Array(features.maxActive);
  }

  /** Says that weights have changed: those kept are looked up again. */
  touch(): void {
    this.isStale = true;
  }

  /** The sum of the weights of what was extracted last. */
  sum(index: Int32Array, active: number): number {
    const { features, weights, base, present } = this;
    const { changed, changedCount } = features;
    if (this.isStale || changedCount > FAR * active) {
      features.rebase();
      for (let at = 0; at < active; at++) base[at] = weights[index[at]];
      this.isStale = false;
      return sumOf(base);
    }
    present.set(base);
    for (let at = 0; at < changedCount; at++) present[changed[at]] = weights[index[changed[at]]];
    return sumOf(present);
  }
}

/** Four sums side by side, so that one addition need not wait for another. */
function sumOf(values: Float32Array): number {
  let first = 0;
  let second = 0;
  let third = 0;
  let fourth = 0;
  let at = 0;
  for (const last = values.length - 3; at < last; at += 4) {
    first += values[at];
    second += values[at + 1];
    third += values[at + 2];
    fourth += values[at + 3];
  }
  for (; at < values.length; at++) first += values[at];
  return first + second + (third + fourth);
}
