import {
  activate,
  backActivate,
  type DenseLayer,
  type Network,
} from "../../src/evaluators/network/network.ts";
import { type Loss, type SampleBatch, sampleLoss } from "../../src/training/learn/network/batch.ts";
import type { LayerGradient } from "../../src/training/learn/network/batch-gradient.ts";

/**
 * Back-propagation (Rumelhart, Hinton and Williams 1986) in plain loops; tests compare BatchGradient with it.
 * Derivatives add up until they are cleared.
 */
export class PlainGradient {
  readonly layers: readonly LayerGradient[];
  /** The outputs that `forward` computed last. */
  readonly outputs: Float64Array;
  /** To be filled before `backward`: the derivatives by the outputs; afterwards it holds others. */
  readonly outputGradient: Float64Array;
  private readonly network: Network;
  /** By layer: its outputs, and the derivatives by its outputs, then by its weighted sums. */
  private readonly signals: readonly Float64Array[];
  private readonly errors: readonly Float64Array[];

  /** Follows the network as its weights change in place. */
  constructor(network: Network) {
    this.network = network;
    const { layers } = network;
    this.layers = layers.map(({ kernel, bias }) => ({
      kernel: new Float64Array(kernel.length),
      bias: new Float64Array(bias.length),
    }));
    this.signals = layers.map(({ units }) => new Float64Array(units));
    this.errors = layers.map(({ units }) => new Float64Array(units));
    this.outputs = this.signals.at(-1)!;
    this.outputGradient = this.errors.at(-1)!;
  }

  /** Computes the outputs for the pairs from `from` to before `to`. */
  forward(index: Int32Array, value: Float32Array, from: number, to: number): void {
    const { signals } = this;
    const { layers } = this.network;
    addRows(layers[0]!, signals[0]!, { index, value, from, to });
    activate(layers[0]!.activation, signals[0]!, signals[0]!.length);
    for (let at = 1; at < layers.length; at++) {
      addSignals(layers[at]!, signals[at - 1]!, signals[at]!);
      activate(layers[at]!.activation, signals[at]!, signals[at]!.length);
    }
  }

  /** Takes `outputGradient` back to all weights; the pairs are those of the last `forward`. */
  backward(index: Int32Array, value: Float32Array, from: number, to: number): void {
    const last = this.network.layers.length - 1;
    backActivate(this.network.layers[last]!.activation, this.outputs, this.outputGradient);
    this.backwardSums(index, value, from, to);
  }

  /** The same from the derivatives by the last layer's weighted sums. */
  backwardSums(index: Int32Array, value: Float32Array, from: number, to: number): void {
    const { signals, errors } = this;
    const { layers } = this.network;
    for (let at = layers.length - 1; at > 0; at--) {
      backLayer(layers[at]!, this.layers[at]!, signals[at - 1]!, {
        error: errors[at]!,
        errorBefore: errors[at - 1]!,
      });
      backActivate(layers[at - 1]!.activation, signals[at - 1]!, errors[at - 1]!);
    }
    const { units } = layers[0]!;
    const { kernel, bias } = this.layers[0]!;
    const error = errors[0]!;
    for (let unit = 0; unit < units; unit++) bias[unit] += error[unit];
    for (let at = from; at < to; at++) {
      const row = index[at] * units;
      const factor = value[at];
      for (let unit = 0; unit < units; unit++) kernel[row + unit] += factor * error[unit];
    }
  }

  /** Adds the derivatives of a batch's loss, clears what was there before; returns the loss. */
  ofBatch(batch: SampleBatch, loss: Loss): number {
    const { size, offsets, index, value } = batch;
    const { outputs, outputGradient: gradient } = this;
    const { activation } = this.network.layers.at(-1)!;
    this.clear();
    let total = 0;
    for (let sample = 0; sample < size; sample++) {
      const from = offsets[sample];
      const to = offsets[sample + 1];
      this.forward(index, value, from, to);
      total += sampleLoss(batch, sample, { loss, activation, outputs, gradient });
      this.backwardSums(index, value, from, to);
    }
    return total;
  }

  clear(): void {
    for (const { kernel, bias } of this.layers) {
      kernel.fill(0);
      bias.fill(0);
    }
  }
}

/** Pairs from..to-1 of sparse features. */
interface Pairs {
  readonly index: Int32Array;
  readonly value: Float32Array;
  readonly from: number;
  readonly to: number;
}

/** out = bias + sum of value * row. */
function addRows(
  { kernel, bias, units }: DenseLayer,
  out: Float64Array,
  { index, value, from, to }: Pairs,
): void {
  out.set(bias);
  let at = from;
  for (; at + 1 < to; at += 2) {
    const rowA = index[at] * units;
    const rowB = index[at + 1] * units;
    const a = value[at];
    const b = value[at + 1];
    for (let unit = 0; unit < units; unit++) out[unit] += a * kernel[rowA + unit] + b * kernel[rowB + unit];
  }
  if (at === to) return;
  const row = index[at] * units;
  const factor = value[at];
  for (let unit = 0; unit < units; unit++) out[unit] += factor * kernel[row + unit];
}

/** out = bias + input x kernel. */
function addSignals({ kernel, bias, units }: DenseLayer, input: Float64Array, out: Float64Array): void {
  out.set(bias);
  for (let from = 0, row = 0; from < input.length; from++, row += units) {
    const signal = input[from];
    if (signal === 0) continue;
    for (let to = 0; to < units; to++) out[to] += signal * kernel[row + to];
  }
}

/** From the derivatives by a layer's weighted sums to those by its weights, added, and by its inputs. */
function backLayer(
  { kernel, units }: DenseLayer,
  gradient: LayerGradient,
  input: Float64Array,
  { error, errorBefore }: { error: Float64Array; errorBefore: Float64Array },
): void {
  const { kernel: kernelGradient, bias: biasGradient } = gradient;
  for (let to = 0; to < units; to++) biasGradient[to] += error[to];
  for (let from = 0, row = 0; from < input.length; from++, row += units) {
    const signal = input[from];
    let sum = 0;
    for (let to = 0; to < units; to++) {
      sum += kernel[row + to] * error[to];
      kernelGradient[row + to] += signal * error[to];
    }
    errorBefore[from] = sum;
  }
}
