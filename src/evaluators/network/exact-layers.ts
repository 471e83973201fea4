import { FirstLayer } from "./first-layer.ts";
import { activate, type Network } from "./network.ts";
import { createVectorCode, readLater, type VectorCode } from "./vector-loops.ts";

/** Computes a network's answer to a position. */
export interface Layers {
  /** The outputs of the last layer that `look` computed last, none of them activated yet. */
  readonly answer: Float64Array;
  /** Copies the weights of a network of the same shape. */
  load(network: Network): void;
  /** Computes the next answer without what was computed before. */
  forget(): void;
  /** Computes the answer to the features at 0..active-1, as `player` sees them. */
  look(position: {
    readonly index: Int32Array;
    readonly value: Float32Array;
    readonly active: number;
    readonly player: number;
  }): void;
}

/** A network over any features, in float64, with the exact sums of FirstLayer. */
export class ExactLayers implements Layers {
  readonly answer: Float64Array;
  private network: Network;
  private readonly first: FirstLayer;
  private readonly code: VectorCode;

  constructor(network: Network, maxActive: number) {
    this.network = network;
    this.code = createVectorCode(network, 2 * maxActive);
    this.first = new FirstLayer(network.layers[0]!, this.code, maxActive);
    this.answer = this.code.layers.at(-1)!.signals;
  }

  load(network: Network): void {
    this.network = network;
    this.first.load(network.layers[0]!);
    for (let at = 1; at < network.layers.length; at++) readLater(network.layers[at]!, this.code.layers[at]!);
  }

  forget(): void {
    this.first.forget();
  }

  look({ index, value, active }: Parameters<Layers["look"]>[0]): void {
    const { first, code } = this;
    first.update(index, value, active);
    const { layers } = this.network;
    for (let at = 0; at < layers.length; at++) {
      if (at > 0) code.applyLayer(at);
      const { activation, units } = layers[at]!;
      const isLast = at === layers.length - 1;
      // The next layer takes the positive part when it reads the sums.
      if (activation === "relu" && !isLast) continue;
      const { sums, signals } = code.layers[at]!;
      if (signals !== sums) for (let unit = 0; unit < units; unit++) signals[unit] = sums[unit];
      if (!isLast) activate(activation, signals, units);
    }
  }
}
