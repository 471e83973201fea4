import { grown } from "../../../base/hashing.ts";
import type { NetworkEvaluator } from "../../../evaluators/network/network-evaluator.ts";
import type { SampleBatch } from "./batch.ts";

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

  /** Adds a sample: its features are at the places `from` to `to - 1`, `target` has the outputs that are wanted. */
  add(
    { index, value, from, to }: { index: Int32Array; value: Float32Array; from: number; to: number },
    target: Float64Array,
  ): void {
    let end = this.offsets[this.size];
    if (end + to - from > this.index.length) {
      this.index = grown(this.index, end + to - from);
      this.value = grown(this.value, end + to - from);
    }
    for (let at = from; at < to; at++) {
      this.index[end] = index[at];
      this.value[end++] = value[at];
    }
    this.targets.set(target, this.size * this.outputs);
    this.offsets[++this.size] = end;
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

/**
 * The positions of one game, with the features that were read and the outputs that the network gave. Methods allocate
 * only when the arrays must grow.
 */
export class Trajectory {
  count = 0;
  /** For each position: the player from whose point of view it was read. */
  viewer = new Int8Array(64);
  /** For each position: the rewards that this player had collected. */
  collected = new Float64Array(64);
  /** For each position: 1 if the next move was random, so that the position does not learn from what followed. */
  isCut = new Uint8Array(64);
  /** Position p has the places offsets[p] to offsets[p + 1] - 1 of `index` and `value`. */
  offsets = new Int32Array(65);
  index = new Int32Array(2048);
  value = new Float32Array(2048);
  /** The network's outputs; shape [count, number of outputs]. */
  outputs = new Float64Array(512);

  clear(): void {
    this.count = 0;
  }

  /** Adds the position that `evaluator` read last. */
  add(evaluator: NetworkEvaluator, viewer: number, collected: number): void {
    const { count } = this;
    const { active, index, value, outputs } = evaluator;
    const from = this.offsets[count];
    this.grow(count + 1, from + active, outputs.length);
    for (let at = 0; at < active; at++) {
      this.index[from + at] = index[at];
      this.value[from + at] = value[at];
    }
    for (let at = 0; at < outputs.length; at++) this.outputs[count * outputs.length + at] = outputs[at];
    this.viewer[count] = viewer;
    this.collected[count] = collected;
    this.isCut[count] = 0;
    this.offsets[count + 1] = from + active;
    this.count++;
  }

  private grow(count: number, pairs: number, outputs: number): void {
    this.viewer = grown(this.viewer, count);
    this.collected = grown(this.collected, count);
    this.isCut = grown(this.isCut, count);
    this.offsets = grown(this.offsets, count + 1);
    this.index = grown(this.index, pairs);
    this.value = grown(this.value, pairs);
    this.outputs = grown(this.outputs, count * outputs);
  }
}
