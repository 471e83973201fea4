import {
  activate,
  backActivate,
  type DenseLayer,
  type Network,
} from "../../../evaluators/network/network.ts";
import { readLater, padded, VectorMemory, type Slot } from "../../../evaluators/network/vector-loops.ts";
import { type Loss, policyLoss, type SampleBatch, sampleLoss } from "./batch.ts";

/** Derivatives of the loss with respect to the weights of one layer, in the shapes of DenseLayer. */
export interface LayerGradient {
  readonly kernel: Float64Array;
  readonly bias: Float64Array;
}

/** The largest number of features for one call of the loops. */
const MAX_ROWS = 256;

/**
 * Back-propagation (Rumelhart, Hinton and Williams 1986) of the loss of a batch. Only the rows of active features are
 * read and computed in the first layer, which may have no biases: an empty array. The same batch and weights give the same
 * derivatives, to the last bit.
 */
export class BatchGradient {
  /** The derivatives of the last batch's loss. */
  readonly layers: readonly LayerGradient[];
  private readonly network: Network;
  private readonly code: GradientCode;
  /** The features that are active in any sample of the batch: rows[0..rowCount-1]. */
  private readonly rows: Int32Array;
  private rowCount = 0;
  private readonly isListed: Uint8Array;
  /** The part of the last batch's loss that is the policy's; 0 without one. */
  policyLoss = 0;
  private readonly outputs: Float64Array;
  private readonly outputGradient: Float64Array;
  private readonly logits: Float64Array;
  private readonly logitGradient: Float64Array;

  /** The network's weights may change in place: each batch reads them again. */
  constructor(network: Network) {
    const { layers, logits = 0 } = network;
    this.network = network;
    this.code = createGradientCode(network, MAX_ROWS);
    this.layers = layers.map(({ kernel, bias }) => ({
      kernel: new Float64Array(kernel.length),
      bias: new Float64Array(bias.length),
    }));
    this.rows = new Int32Array(layers[0]!.inputs);
    this.isListed = new Uint8Array(layers[0]!.inputs);
    const { signals, errors } = this.code.layers.at(-1)!;
    const { units } = layers.at(-1)!;
    this.outputs = signals.subarray(0, units - logits);
    this.outputGradient = errors.subarray(0, units - logits);
    this.logits = signals.subarray(units - logits, units);
    this.logitGradient = errors.subarray(units - logits, units);
  }

  /** Computes the derivatives of a batch's loss; returns the loss. */
  ofBatch(batch: SampleBatch, loss: Loss): number {
    const { offsets } = batch;
    const total = this.lossOf(batch, loss, (sample) =>
      this.backward(batch, offsets[sample], offsets[sample + 1]),
    );
    this.finish();
    return total;
  }

  /** Returns a batch's loss; the derivatives are lost. `onSample` is called after each sample. */
  lossOf(batch: SampleBatch, loss: Loss, onSample?: (sample: number) => void): number {
    const { outputs, outputGradient: gradient, logits, logitGradient } = this;
    const { size, offsets } = batch;
    const { activation } = this.network.layers.at(-1)!;
    this.begin(batch);
    let total = 0;
    this.policyLoss = 0;
    for (let sample = 0; sample < size; sample++) {
      this.forward(batch, offsets[sample], offsets[sample + 1]);
      total += sampleLoss(batch, sample, { loss, activation, outputs, gradient, logits: logits.length });
      if (logits.length > 0)
        this.policyLoss += policyLoss(batch, sample, {
          outputs: outputs.length,
          logits,
          gradient: logitGradient,
        });
      onSample?.(sample);
    }
    return total + this.policyLoss;
  }

  /** Lists the rows of the batch's features, and reads the weights that the batch needs. */
  private begin({ size, offsets, index }: SampleBatch): void {
    const { network, code, rows, isListed, layers } = this;
    const { units } = network.layers[0]!;
    for (let at = 0; at < this.rowCount; at++) {
      layers[0]!.kernel.fill(0, rows[at] * units, (rows[at] + 1) * units);
      isListed[rows[at]] = 0;
    }
    this.rowCount = 0;
    for (let at = offsets[0]; at < offsets[size]; at++) {
      const feature = index[at];
      if (isListed[feature] !== 0) continue;
      isListed[feature] = 1;
      rows[this.rowCount++] = feature;
    }
    for (const { bias } of layers) bias.fill(0);
    readFirst(network.layers[0]!, code.layers[0]!.kernel, rows.subarray(0, this.rowCount));
    for (let at = 1; at < layers.length; at++) readLater(network.layers[at]!, code.layers[at]!);
  }

  private forward({ index, value }: SampleBatch, from: number, to: number): void {
    const { code, network } = this;
    const { layers } = network;
    code.layers[0]!.signals.fill(0);
    for (let at = from; at < to || at === from; at += MAX_ROWS) code.addRows(this.fill(index, value, at, to));
    activate(layers[0]!.activation, code.layers[0]!.signals, layers[0]!.units);
    for (let at = 1; at < layers.length; at++) {
      code.applyLayer(at);
      const units = at === layers.length - 1 ? this.outputs.length : layers[at]!.units;
      activate(layers[at]!.activation, code.layers[at]!.signals, units);
    }
  }

  private backward({ index, value }: SampleBatch, from: number, to: number): void {
    const { code, network } = this;
    const { layers } = network;
    for (let at = layers.length - 1; at > 0; at--) {
      code.backLayer(at);
      const { bias } = this.layers[at]!;
      const { errors } = code.layers[at]!;
      for (let unit = 0; unit < bias.length; unit++) bias[unit] += errors[unit];
      const before = code.layers[at - 1]!;
      // For relu, `backLayer` has done it.
      if (layers[at - 1]!.activation !== "relu")
        backActivate(layers[at - 1]!.activation, before.signals, before.errors);
    }
    for (let at = from; at < to || at === from; at += MAX_ROWS)
      code.spreadRows(this.fill(index, value, at, to));
  }

  /**
   * Lists the rows of the features from place `at` to `end - 1`, at most MAX_ROWS of them; after the last feature also
   * the row of the bias. Returns the number of rows.
   */
  private fill(index: Int32Array, value: Float32Array, at: number, end: number): number {
    const { code, network } = this;
    const rowBytes = code.rowBytes;
    const count = Math.min(end - at, MAX_ROWS);
    for (let row = 0; row < count; row++) {
      code.rows[row] = index[at + row] * rowBytes;
      code.factors[row] = value[at + row];
    }
    if (at + count < end) return count;
    code.rows[count] = network.layers[0]!.inputs * rowBytes;
    code.factors[count] = 1;
    return count + 1;
  }

  /** Moves the derivatives out of the loops' memory, and clears it. */
  private finish(): void {
    const { network, code, layers, rows } = this;
    const { units, inputs } = network.layers[0]!;
    const { kernelGradient } = code.layers[0]!;
    const stride = padded(units);
    const { kernel, bias } = layers[0]!;
    for (let at = 0; at < this.rowCount; at++)
      take(kernelGradient, rows[at] * stride, kernel, { at: rows[at] * units, units });
    take(kernelGradient, inputs * stride, bias, { at: 0, units: bias.length });
    for (let at = 1; at < layers.length; at++)
      takeLater(network.layers[at]!, code.layers[at]!.kernelGradient, layers[at]!.kernel);
  }
}

function readFirst({ inputs, units, kernel, bias }: DenseLayer, to: Float64Array, rows: Int32Array): void {
  const stride = padded(units);
  for (const row of rows)
    for (let unit = 0; unit < units; unit++) to[row * stride + unit] = kernel[row * units + unit];
  for (let unit = 0; unit < bias.length; unit++) to[inputs * stride + unit] = bias[unit];
}

/** Copies `units` numbers, from place `first` of `from` to place `at` of `to`, and sets the originals to 0. */
function take(
  from: Float64Array,
  first: number,
  to: Float64Array,
  { at, units }: { at: number; units: number },
): void {
  for (let unit = 0; unit < units; unit++) {
    to[at + unit] = from[first + unit];
    from[first + unit] = 0;
  }
}

/** The same for a whole layer after the first, whose kernel is transposed in the memory of the loops. */
function takeLater({ inputs, units }: DenseLayer, from: Float64Array, to: Float64Array): void {
  const stride = padded(inputs);
  for (let input = 0; input < inputs; input++)
    for (let unit = 0; unit < units; unit++) to[input * units + unit] = from[unit * stride + input];
  from.fill(0);
}

/** The numbers of a layer, in the memory of the loops. Zeros fill each array up to a multiple of the block length. */
interface GradientLayer {
  /** Shape [inputs + 1, padded units] in the first layer, its last row the bias; [units, padded inputs] in the others. */
  readonly kernel: Float64Array;
  /** Shape [units]; the first layer's is not used. */
  readonly bias: Float64Array;
  /** The weighted sums; the caller replaces them by the outputs. Shape [padded units]. */
  readonly signals: Float64Array;
  /** Derivatives of the loss with respect to the weighted sums. */
  readonly errors: Float64Array;
  /** Derivatives with respect to the kernel, summed over samples; the shape of `kernel`. */
  readonly kernelGradient: Float64Array;
}

/** The numbers of a network, their derivatives, and the loops of back-propagation. The order of all additions is fixed. */
export interface GradientCode {
  readonly layers: readonly GradientLayer[];
  /** The size of a row of the first kernel, in bytes. */
  readonly rowBytes: number;
  /** The offset of each row in the first kernel, in bytes, and the value of its feature. */
  readonly rows: Int32Array;
  readonly factors: Float64Array;
  /** First layer: signals += factors[i] * the row at rows[i], for each i from 0 to count - 1. */
  addRows(count: number): void;
  /** First layer: the row of derivatives at rows[i] += factors[i] * errors, for each i from 0 to count - 1. */
  spreadRows(count: number): void;
  /** Any other layer: signals = bias + kernel * the signals of the layer before it. */
  applyLayer(layer: number): void;
  /**
   * Any layer but the first: derivatives += errors x the signals of the layer before it, and the errors of the layer
   * before it = kernel * errors. The error of a relu unit whose signal is 0 is 0.
   */
  backLayer(layer: number): void;
}

/**
 * @param maxRows upper bound of the features in `rows`; there is room for one more row, the bias
 * @internal a test compares the code with plain loops
 */
export function createGradientCode({ layers }: Network, maxRows: number): GradientCode {
  const memory = new VectorMemory();
  const rows = memory.reserve(maxRows + 1);
  const factors = memory.reserve(maxRows + 1);
  const places = layers.map(({ inputs, units }, at) => {
    const size = at === 0 ? (inputs + 1) * padded(units) : units * padded(inputs);
    return {
      kernel: memory.reserve(size),
      bias: memory.reserve(units),
      signals: memory.reserve(units),
      errors: memory.reserve(units),
      kernelGradient: memory.reserve(size),
    };
  });
  const { buffer, loops } = memory.create();
  const view = ({ at, count }: Slot) => new Float64Array(buffer, at, count);

  const first = places[0]!;
  const unitBytes = first.signals.count * Float64Array.BYTES_PER_ELEMENT;
  const later = layers.map(({ units, inputs }, at) => {
    const { kernel, bias, signals, errors, kernelGradient } = places[at]!;
    const before = Math.max(0, at - 1);
    const { signals: input, errors: errorsBefore } = places[before]!;
    const isRectified = layers[before]!.activation === "relu" ? 1 : 0;
    const rowBytes = padded(inputs) * Float64Array.BYTES_PER_ELEMENT;
    return {
      apply: () => loops.applyLayer(units, rowBytes, kernel.at, bias.at, input.at, -Infinity, signals.at),
      back: () =>
        loops.backLayer(
          units,
          rowBytes,
          kernel.at,
          kernelGradient.at,
          input.at,
          errors.at,
          errorsBefore.at,
          isRectified,
        ),
    };
  });
  return {
    layers: places.map(({ kernel, bias, signals, errors, kernelGradient }) => ({
      kernel: view(kernel),
      bias: view(bias),
      signals: view(signals),
      errors: view(errors),
      kernelGradient: view(kernelGradient),
    })),
    rowBytes: unitBytes,
    rows: new Int32Array(buffer, rows.at, maxRows + 1),
    factors: view(factors),
    addRows: (count) =>
      loops.addRows(count, rows.at, factors.at, first.kernel.at, first.signals.at, unitBytes),
    spreadRows: (count) =>
      loops.spreadRows(count, rows.at, factors.at, first.kernelGradient.at, first.errors.at, unitBytes),
    applyLayer: (layer) => later[layer]!.apply(),
    backLayer: (layer) => later[layer]!.back(),
  };
}
