import { VECTORS_WASM } from "./vectors-wasm.ts";
import type { DenseLayer, Network } from "./network.ts";

/** The loops of assembly/vectors.ts. That file describes each loop and its parameters. */
export interface VectorLoops {
  addRows(
    count: number,
    rows: number,
    factors: number,
    kernel: number,
    sums: number,
    unitBytes: number,
  ): void;
  spreadRows(
    count: number,
    rows: number,
    factors: number,
    gradient: number,
    errors: number,
    unitBytes: number,
  ): void;
  applyLayer(
    units: number,
    rowBytes: number,
    kernel: number,
    bias: number,
    input: number,
    least: number,
    sums: number,
  ): void;
  backLayer(
    units: number,
    rowBytes: number,
    kernel: number,
    gradient: number,
    input: number,
    errors: number,
    errorsBefore: number,
    isRectified: number,
  ): void;
  addChanges(count: number, rows: number, changes: number, codes: number, bytes: number): void;
  moveRows(added: number, removed: number, rows: number, kernel: number, sums: number, bytes: number): void;
  scaleSums(bytes: number, sums: number, scale: number, least: number, signals: number): void;
  applyInputs(
    inputs: number,
    input: number,
    kernel: number,
    bias: number,
    list: number,
    sums: number,
    bytes: number,
  ): void;
  gatherRows(count: number, rows: number, factors: number, kernel: number, sums: number, bytes: number): void;
  scatterRows(
    count: number,
    rows: number,
    factors: number,
    gradient: number,
    errors: number,
    bytes: number,
  ): void;
  multiply(
    rows: number,
    inner: number,
    a: number,
    aRow: number,
    aColumn: number,
    b: number,
    bRow: number,
    c: number,
    cRow: number,
    bytes: number,
  ): void;
  rectify(bytes: number, signals: number): void;
  backRectify(
    rows: number,
    bytes: number,
    signals: number,
    signalRow: number,
    errors: number,
    errorRow: number,
  ): void;
  adamRows(
    count: number,
    rows: number,
    bytes: number,
    weights: number,
    first: number,
    second: number,
    gradient: number,
    beta1: number,
    beta2: number,
    firstScale: number,
    secondScale: number,
    epsilon: number,
  ): void;
}

/** Arrays in the loops' memory have a multiple of this many float64: the loops take four pairs at a time. */
const BLOCK = 8;

/** Returns `count`, rounded up to whole blocks. */
export function padded(count: number): number {
  return Math.ceil(count / BLOCK) * BLOCK;
}

/** The used part of the global `WebAssembly`, which TypeScript declares for browsers only. */
declare const WebAssembly: {
  readonly Memory: new (descriptor: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer };
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: { env: { memory: object } },
  ) => { readonly exports: VectorLoops };
};

const PAGE_BYTES = 1 << 16;

/** The compiled loops, which all memories share. */
let compiled: object | undefined;

/** The place of an array of float64 in the loops' memory. */
export interface Slot {
  /** The address of its first byte. */
  readonly at: number;
  /** The number of float64, whole blocks. */
  readonly count: number;
}

/**
 * Lays out the memory that the loops work on. First `reserve` gives every array its slot, one behind the
 * other from address 0; then `create` makes a memory that holds them all.
 */
export class VectorMemory {
  private end = 0;

  /** Reserves a slot for `count` float64, and for the zeros that fill up its last block. */
  reserve(count: number): Slot {
    const slot = { at: this.end, count: padded(count) };
    this.end += slot.count * Float64Array.BYTES_PER_ELEMENT;
    return slot;
  }

  /** Reserves a slot for `count` numbers of 32 bits. */
  reserve32(count: number): Slot {
    return this.reserve(Math.ceil(count / 2));
  }

  /** Makes the memory, all zeros, and the loops that work on it. */
  create(): { readonly buffer: ArrayBuffer; readonly loops: VectorLoops } {
    const pages = Math.ceil(this.end / PAGE_BYTES);
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    compiled ??= new WebAssembly.Module(
      Uint8Array.from(VECTORS_WASM.match(/../g)!, (byte) => Number.parseInt(byte, 16)),
    );
    return { buffer: memory.buffer, loops: new WebAssembly.Instance(compiled, { env: { memory } }).exports };
  }
}

/** A layer's numbers in the memory of the loops. */
interface VectorLayer {
  /** Shape [inputs, padded units] in the first layer, [units, padded inputs] in the others; filled up with zeros. */
  readonly kernel: Float64Array;
  /** Shape [units]. */
  readonly bias: Float64Array;
  /** The weighted sums; shape [padded units], filled up with zeros. */
  readonly sums: Float64Array;
  /**
   * The outputs, which the next layer reads. With relu these are the sums themselves, and the next layer takes their
   * positive part.
   */
  readonly signals: Float64Array;
}

/** A network's numbers, and the loops that compute with them. The order of all additions is fixed. */
export interface VectorCode {
  readonly layers: readonly VectorLayer[];
  /** For `addRows`: the first byte of each row in the first kernel, and the factor of the row. */
  readonly rows: Int32Array;
  readonly factors: Float64Array;
  /** Adds to the first layer: sums += factors[i] * the row at rows[i], for each i from 0 to count - 1. */
  addRows(count: number): void;
  /** Computes any other layer: sums = bias + kernel * the signals of the layer before it. */
  applyLayer(layer: number): void;
}

/** @param maxRows upper bound of `count` in `addRows` */
export function createVectorCode({ layers }: Network, maxRows: number): VectorCode {
  const memory = new VectorMemory();
  const rows = memory.reserve(maxRows);
  const factors = memory.reserve(maxRows);
  const places = layers.map(({ inputs, units, activation }, at) => {
    const kernel = memory.reserve(at === 0 ? inputs * padded(units) : units * padded(inputs));
    const [bias, sums] = [memory.reserve(units), memory.reserve(units)];
    // The first layer's sums are used again for the next position, so its outputs need a slot of their own,
    // unless the next layer makes them from the sums. Other layers' outputs take the place of the sums.
    const isShared = at > 0 || (activation === "relu" && layers.length > 1);
    return { kernel, bias, sums, signals: isShared ? sums : memory.reserve(units) };
  });
  const { buffer, loops } = memory.create();
  const view = ({ at, count }: Slot) => new Float64Array(buffer, at, count);

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

/** Copies the weights of a layer that is not the first into the shapes of VectorLayer. */
export function readLater(
  { inputs, units, kernel, bias }: DenseLayer,
  to: { readonly kernel: Float64Array; readonly bias: Float64Array },
): void {
  const stride = padded(inputs);
  for (let from = 0; from < inputs; from++)
    for (let unit = 0; unit < units; unit++) to.kernel[unit * stride + from] = kernel[from * units + unit];
  to.bias.set(bias);
}
