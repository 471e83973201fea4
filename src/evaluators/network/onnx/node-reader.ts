import type { LayerBuilder } from "./layer-builder.ts";
import type { OnnxNode, OnnxTensor } from "./onnx-model.ts";
import { type Computed, isKnown, type Value } from "./tensors.ts";

/** A node whose inputs have values. The methods throw RangeError for what the node should have and has not. */
export class NodeReader {
  readonly builder: LayerBuilder;
  readonly node: OnnxNode;
  private readonly values: readonly (Value | undefined)[];

  constructor(builder: LayerBuilder, node: OnnxNode, values: readonly (Value | undefined)[]) {
    this.builder = builder;
    this.node = node;
    this.values = values;
  }

  /** Input number `at`; undefined if it is left out. */
  optional(at: number): Value | undefined {
    return this.values[at];
  }

  input(at: number): Value {
    const value = this.values[at];
    if (value === undefined) throw new RangeError(`has no input ${at + 1}`);
    return value;
  }

  computed(at: number): Computed {
    return this.builder.computed(this.input(at));
  }

  known(at: number): OnnxTensor {
    const value = this.input(at);
    if (!isKnown(value))
      throw new RangeError(`input ${at + 1} depends on the position; it must be a constant`);
    return value;
  }

  /** Whole numbers: of an attribute, or of an input that is a constant, as later opsets have them. */
  integers(name: string, at: number): number[] | undefined {
    return this.node.attributes.integers(name) ?? (this.values[at] && [...this.known(at).values]);
  }

  /** The attribute `axis`, counted from the front. */
  axis(rank: number, otherwise: number): number {
    return fromFront(this.node.attributes.integer("axis", otherwise), rank);
  }
}

/** An axis that may be counted from the end, by a negative number. Throws RangeError if there is none. */
export function fromFront(axis: number, rank: number): number {
  const front = axis < 0 ? axis + rank : axis;
  if (!(front >= 0 && front < rank)) throw new RangeError(`names axis ${axis} of ${rank}`);
  return front;
}
