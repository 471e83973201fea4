import type { SampleBatch } from "./batch.ts";

/** Samples collected for a batch, up to `capacity`; all count the same. */
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

  /** Adds a sample: the pairs from `from` to before `to`, and the outputs wanted. */
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

  /** All that is in it, as numbers by name. */
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

  /** Becomes what `save` gave. */
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

/** The same array, or a longer copy that has room for `length`. */
export function grown<A extends Int32Array | Float32Array | Float64Array | Int8Array | Uint8Array>(
  array: A,
  length: number,
): A {
  if (length <= array.length) return array;
  const longer = new (array.constructor as new (length: number) => A)(Math.max(length, 2 * array.length));
  longer.set(array);
  return longer;
}
