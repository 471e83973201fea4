import type { Network } from "../../../evaluators/network/network.ts";
import { padded, VectorMemory, type Slot } from "../../../evaluators/network/vector-loops.ts";

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

/** @param maxRows upper bound of the features in `rows`; there is room for one more row, the bias */
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
