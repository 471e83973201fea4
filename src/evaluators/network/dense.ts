import { activate } from "./activate.ts";
import type { DenseLayer } from "./network.ts";

/** The next multiple of four: what arrays are filled up to, so that loops may take four at a time. */
export function padded(count: number): number {
  return (count + 3) & ~3;
}

/** A layer behind the first one, made ready for one position at a time. */
export class Dense {
  /** Shape [units], then zeros up to a multiple of four. */
  readonly outputs: Float64Array;
  private layer: DenseLayer;
  /** Shape [units, inputs], unlike DenseLayer's; rows filled up with zeros to a multiple of four. */
  private readonly kernel: Float64Array;
  private readonly stride: number;

  constructor(layer: DenseLayer) {
    const { inputs, units } = layer;
    this.layer = layer;
    this.stride = padded(inputs);
    this.kernel = new Float64Array(units * this.stride);
    this.outputs = new Float64Array(padded(units));
    this.load(layer);
  }

  /** Takes over the weights of a layer of the same shape. */
  load(layer: DenseLayer): void {
    const { inputs, units, kernel } = layer;
    this.layer = layer;
    for (let from = 0; from < inputs; from++)
      for (let to = 0; to < units; to++) this.kernel[to * this.stride + from] = kernel[from * units + to];
  }

  /** @param input filled up to a multiple of four */
  apply(input: Float64Array): void {
    const { kernel, stride, outputs, layer } = this;
    const { bias, units } = layer;
    for (let to = 0, at = 0; to < units; to++) {
      let a = 0;
      let b = 0;
      let c = 0;
      let d = 0;
      for (let from = 0; from < stride; from += 4, at += 4) {
        a += input[from] * kernel[at];
        b += input[from + 1] * kernel[at + 1];
        c += input[from + 2] * kernel[at + 2];
        d += input[from + 3] * kernel[at + 3];
      }
      outputs[to] = bias[to] + (a + b + (c + d));
    }
    activate(layer.activation, outputs, units);
  }
}
