import type { Network } from "../../evaluators/network/network.ts";
import { padded, VectorMemory, type Place } from "../../evaluators/network/vector-loops.ts";

/** A layer's numbers, in the memory that the code works on; filled up with zeros as `padded` says. */
export interface GradientLayer {
  /** First layer: shape [inputs + 1, padded units], the bias last; others: [units, padded inputs]. */
  readonly kernel: Float64Array;
  /** Shape [units]; the first layer's is not used. */
  readonly bias: Float64Array;
  /** The weighted sums, to be made outputs in place; shape [padded units]. */
  readonly signals: Float64Array;
  /** Derivatives by the weighted sums. */
  readonly errors: Float64Array;
  /** Derivatives by the kernel, added up; its shape. */
  readonly kernelGradient: Float64Array;
}

/** Vector code for back-propagation: two numbers at a time, in a fixed order. */
export interface GradientCode {
  readonly layers: readonly GradientLayer[];
  /** Bytes of a row of the first layer. */
  readonly rowBytes: number;
  /** Where rows of the first layer begin, in bytes, and the values of their features. */
  readonly rows: Int32Array;
  readonly factors: Float64Array;
  /** First layer's signals += factors[i] * row at rows[i], for i below `count`. */
  addRows(count: number): void;
  /** The first layer's derivatives at rows[i] += factors[i] * errors. */
  spreadRows(count: number): void;
  /** Behind the first layer: signals = bias + kernel * signals of the layer before. */
  applyLayer(layer: number): void;
  /**
   * Behind the first layer: derivatives += errors x signals before, and errors before = kernel * errors;
   * 0 where the layer before is rectified and gave nothing.
   */
  backLayer(layer: number): void;
}

/** @param maxRows the most features that are taken at once; there is room for the bias too */
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
  const view = ({ at, count }: Place) => new Float64Array(buffer, at, count);

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
