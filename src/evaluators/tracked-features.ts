import type { FeatureSet } from "../game/game.ts";

/**
 * A feature set that keeps the pairs of one position, the base, and tells which pairs of another position
 * differ from them. A sum over the features then looks up only the weights that differ.
 */
export interface TrackedFeatures extends FeatureSet {
  /** The places of the pairs that `extract` wrote last and that differ from the base: changed[0..changedCount-1]. */
  readonly changed: Int32Array;
  readonly changedCount: number;
  /** Makes the position that `extract` read last the base. */
  rebase(): void;
}

/** If more than this share of the features differs from the base, the position becomes the new base. */
const MOST_CHANGED = 0.9;

/** True if a feature set is a `TrackedFeatures`. */
export function isTracked(features: FeatureSet): features is TrackedFeatures {
  return "changed" in features;
}

/**
 * Sums the weights of a position's features. Reading a weight costs time, as weights lie all over large tables.
 * Therefore it keeps the weights of a base position, and reads only those of the features that differ. It adds all
 * weights each time, in the same order. So a sum depends on the position alone, to the last bit.
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

  /** Tells that weights have changed: the next sum reads all of them again. */
  touch(): void {
    this.isStale = true;
  }

  /**
   * Returns the sum for the position that `extract` read last, from the `index` that it wrote and the `active` that it
   * returned.
   */
  sum(index: Int32Array, active: number): number {
    const { features, weights, base, present } = this;
    const { changed, changedCount } = features;
    if (this.isStale || changedCount > MOST_CHANGED * active) {
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

/** Sums `values` in four parts, as the processor adds to all four at the same time. */
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
