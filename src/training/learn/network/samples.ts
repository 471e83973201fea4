import { grown } from "../../../base/hashing.ts";
import type { NetworkEvaluator } from "../../../evaluators/network/network-evaluator.ts";
import type { FeatureSet } from "../../../games/contract/game.ts";
import { restoreArrays } from "../learner.ts";
import type { SampleBatch } from "./batch.ts";

/** An image of positions: the feature, and the number of an action, that each one becomes. */
export interface Image {
  readonly features: Int32Array;
  readonly actions: Int32Array;
}

/** A batch that is filled sample by sample, up to `capacity` samples. All samples have weight 1. */
export class SampleBuffer implements SampleBatch {
  size = 0;
  readonly offsets: Int32Array;
  index = new Int32Array(1024);
  value = new Float32Array(1024);
  readonly targets: Float32Array;
  readonly weights: Float32Array;
  private readonly outputs: number;

  constructor(capacity: number, outputs: number) {
    this.offsets = new Int32Array(capacity + 1);
    this.targets = new Float32Array(capacity * outputs);
    this.weights = new Float32Array(capacity).fill(1);
    this.outputs = outputs;
  }

  get isFull(): boolean {
    return this.size === this.weights.length;
  }

  clear(): void {
    this.size = 0;
  }

  /**
   * Adds a sample: its features are at the places `from` to `to - 1`, without `value` of value 1; `target` has the outputs
   * that are wanted.
   */
  add(
    {
      index,
      value,
      from,
      to,
    }: { index: Int32Array | Uint16Array; value: Float32Array | undefined; from: number; to: number },
    target: Float64Array | Float32Array,
  ): void {
    let end = this.offsets[this.size];
    if (end + to - from > this.index.length) {
      this.index = grown(this.index, end + to - from);
      this.value = grown(this.value, end + to - from);
    }
    for (let at = from; at < to; at++) {
      this.index[end] = index[at];
      this.value[end++] = value === undefined ? 1 : value[at];
    }
    this.targets.set(target, this.size * this.outputs);
    this.offsets[++this.size] = end;
  }

  /** Changes the last sample to an image of it. */
  turnLast({ features, actions }: Image): void {
    const { index, offsets, size, outputs } = this;
    for (let at = offsets[size - 1]; at < offsets[size]; at++) index[at] = features[index[at]];
    const target = this.targets.subarray((size - 1) * outputs, size * outputs);
    const logits = target.subarray(outputs - actions.length);
    const before = logits.slice();
    for (let at = 0; at < actions.length; at++) logits[actions[at]] = before[at];
  }

  /** A copy of all samples, as arrays by name. */
  save(): Readonly<Record<string, Float32Array>> {
    const { size, offsets, index, value, targets, outputs } = this;
    const pairs = offsets[size];
    return {
      offsets: Float32Array.from(offsets.subarray(0, size + 1)),
      index: Float32Array.from(index.subarray(0, pairs)),
      value: value.slice(0, pairs),
      targets: targets.slice(0, size * outputs),
    };
  }

  /** Replaces all samples by those that `save` returned. */
  restore({ offsets, index, value, targets }: Readonly<Record<string, Float32Array>>): void {
    this.size = offsets!.length - 1;
    this.offsets.set(offsets!);
    this.index = grown(this.index, index!.length);
    this.value = grown(this.value, value!.length);
    this.index.set(index!);
    this.value.set(value!);
    this.targets.set(targets!);
  }
}

/** The most bytes of a window. */
export const MAX_WINDOW_BYTES = 2 ** 31;

/** The shape of a window's positions. */
interface WindowShape {
  readonly features: Pick<FeatureSet, "size" | "maxActive" | "unit">;
  /** Targets of a position. */
  readonly outputs: number;
}

/** The last positions of self-play with their targets: a ring, in which a new position takes the place of the oldest. */
export class SampleWindow {
  /** Positions that were ever added. */
  added = 0;
  readonly capacity: number;
  /** By place: the features. Place p has those at stride * p and behind. */
  private readonly index: Uint16Array | Int32Array;
  /** Undefined where all features have the value 1. */
  private readonly value: Float32Array | undefined;
  private readonly active: Int32Array;
  /** By place: the targets, see SampleBatch. */
  readonly targets: Float32Array;
  readonly outputs: number;
  private readonly stride: number;

  constructor(capacity: number, { features, outputs }: WindowShape) {
    this.capacity = capacity;
    this.outputs = outputs;
    // An even number of uint16 is a whole number of float32, as which they are saved.
    this.stride = features.maxActive + (features.maxActive & 1);
    this.index = new (isShort(features) ? Uint16Array : Int32Array)(capacity * this.stride);
    this.value = features.unit === true ? undefined : new Float32Array(capacity * this.stride);
    this.active = new Int32Array(capacity);
    this.targets = new Float32Array(capacity * outputs);
  }

  /** The memory that a window would take. */
  static bytes(capacity: number, { features, outputs }: WindowShape): number {
    const each = (isShort(features) ? 2 : 4) + (features.unit === true ? 0 : 4);
    return capacity * (each * (features.maxActive + 1) + 4 * (1 + outputs));
  }

  /** The number of positions. */
  get size(): number {
    return Math.min(this.added, this.capacity);
  }

  /** Adds the position that an evaluator read last, and returns its place; its targets are still those of another one. */
  add({ index, value, active }: Pick<NetworkEvaluator, "index" | "value" | "active">): number {
    const place = this.added++ % this.capacity;
    const first = place * this.stride;
    for (let at = 0; at < active; at++) this.index[first + at] = index[at];
    if (this.value !== undefined) for (let at = 0; at < active; at++) this.value[first + at] = value[at];
    this.active[place] = active;
    return place;
  }

  /** Adds the position at a place to a batch, or an image of it. */
  copyTo(batch: SampleBuffer, place: number, image?: Image): void {
    const from = place * this.stride;
    const to = from + this.active[place];
    const first = place * this.outputs;
    const target = this.targets.subarray(first, first + this.outputs);
    batch.add({ index: this.index, value: this.value, from, to }, target);
    if (image !== undefined) batch.turnLast(image);
  }

  /** All positions as arrays by name, which share the memory of the window; bits that are no numbers among them. */
  get memory(): Readonly<Record<string, Float32Array>> {
    const { index, value, active, targets, size, stride, outputs, added } = this;
    const bits = (array: Uint16Array | Int32Array, length: number) =>
      new Float32Array(array.buffer, 0, (length * array.BYTES_PER_ELEMENT) / 4);
    return {
      // Two halves of a number that float32 could not hold.
      added: Float32Array.of(Math.floor(added / 2 ** 20), added % 2 ** 20),
      index: bits(index, size * stride),
      active: bits(active, size),
      targets: targets.subarray(0, size * outputs),
      ...(value && { value: value.subarray(0, size * stride) }),
    };
  }

  restore({ added, ...arrays }: Readonly<Record<string, Float32Array>>): void {
    this.added = added![0] * 2 ** 20 + added![1];
    restoreArrays(this.memory, { added: added!, ...arrays });
  }
}

function isShort({ size }: Pick<FeatureSet, "size">): boolean {
  return size <= 2 ** 16;
}
