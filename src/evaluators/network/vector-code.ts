import type { DenseLayer, Network } from "./network.ts";
import { padded, VectorMemory, type Place } from "./vector-loops.ts";

/** A layer's numbers, in the memory that the code works on. */
export interface VectorLayer {
  /** First layer: shape [inputs, padded units], others: [units, padded inputs]; filled up with zeros. */
  readonly kernel: Float64Array;
  /** Shape [units]. */
  readonly bias: Float64Array;
  /** The weighted sums; shape [padded units], zeros at the end. */
  readonly sums: Float64Array;
  /** The outputs, which the next layer reads; the sums themselves where it takes the positive part of them. */
  readonly signals: Float64Array;
}

/** A network's numbers, and vector code for it: the same sums and products in a fixed order, two at a time. */
export interface VectorCode {
  readonly layers: readonly VectorLayer[];
  /** Where rows of the first kernel begin, in bytes, and what they are multiplied by. */
  readonly rows: Int32Array;
  readonly factors: Float64Array;
  /** First layer's sums += factors[i] * row at rows[i], for i below `count`, which is at least 1. */
  addRows(count: number): void;
  /** Behind the first layer: sums = bias + kernel * the signals of the layer before. */
  applyLayer(layer: number): void;
}

/** @param maxRows the most rows that are added at once */
export function createVectorCode({ layers }: Network, maxRows: number): VectorCode {
  const memory = new VectorMemory();
  const rows = memory.reserve(maxRows);
  const factors = memory.reserve(maxRows);
  const places = layers.map(({ inputs, units, activation }, at) => {
    const kernel = memory.reserve(at === 0 ? inputs * padded(units) : units * padded(inputs));
    const [bias, sums] = [memory.reserve(units), memory.reserve(units)];
    // The first layer's sums are kept; those of others become the outputs in place.
    const isKept = at > 0 || (activation === "relu" && layers.length > 1);
    return { kernel, bias, sums, signals: isKept ? sums : memory.reserve(units) };
  });
  const { buffer, loops } = memory.create();
  const view = ({ at, count }: Place) => new Float64Array(buffer, at, count);

  const { kernel: firstKernel, sums: firstSums } = places[0]!;
  const unitBytes = firstSums.count * Float64Array.BYTES_PER_ELEMENT;
  const applied = layers.map(({ units, inputs }, at) => {
    const { kernel, bias, sums } = places[at]!;
    const before = Math.max(0, at - 1);
    const input = places[before]!.signals.at;
    const least = layers[before]!.activation === "relu" ? 0 : -Infinity;
    const rowBytes = padded(inputs) * Float64Array.BYTES_PER_ELEMENT;
    return () => loops.applyLayer(units, rowBytes, kernel.at, bias.at, input, least, sums.at);
  });
  return {
    layers: places.map(({ kernel, bias, sums, signals }, at) => ({
      kernel: view(kernel),
      bias: view({ at: bias.at, count: layers[at]!.units }),
      sums: view(sums),
      signals: view(signals),
    })),
    rows: new Int32Array(buffer, rows.at, maxRows),
    factors: view(factors),
    addRows: (count) => loops.addRows(count, rows.at, factors.at, firstKernel.at, firstSums.at, unitBytes),
    applyLayer: (layer) => applied[layer]!(),
  };
}

/** Copies the weights of a layer behind the first one; see VectorLayer. */
export function readLater(
  { inputs, units, kernel, bias }: DenseLayer,
  to: { readonly kernel: Float64Array; readonly bias: Float64Array },
): void {
  const stride = padded(inputs);
  for (let from = 0; from < inputs; from++)
    for (let unit = 0; unit < units; unit++) to.kernel[unit * stride + from] = kernel[from * units + unit];
  to.bias.set(bias);
}
