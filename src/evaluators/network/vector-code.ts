import {
  assemble,
  createMemory,
  f64,
  f64x2,
  get,
  I32,
  i32,
  repeatWhile,
  set,
  v128,
  V128,
  type Code,
  type WasmFunction,
} from "../../base/wasm.ts";
import type { DenseLayer, Network } from "./network.ts";

export const BYTES = 8;
/** Units that are summed at a time: four registers of two. */
export const BLOCK = 8;
/** Weighted sums that are made in one pass over the inputs. */
const SUMS = 6;

/** Numbers up to the next whole block. */
export function padded(count: number): number {
  return Math.ceil(count / BLOCK) * BLOCK;
}

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
  let end = 0;
  /** The address of so many float64, after all before. */
  const reserve = (count: number): number => {
    const from = end;
    end += padded(count) * BYTES;
    return from;
  };
  const rows = reserve(maxRows);
  const factors = reserve(maxRows);
  const places = layers.map(({ inputs, units, activation }, at) => {
    const kernel = reserve(at === 0 ? inputs * padded(units) : units * padded(inputs));
    const [bias, sums] = [reserve(units), reserve(units)];
    // The first layer's sums are kept; those of others become the outputs in place.
    const isKept = at > 0 || (activation === "relu" && layers.length > 1);
    return { kernel, bias, sums, signals: isKept ? sums : reserve(units) };
  });

  const functions: WasmFunction[] = [
    addRowsCode({ rows, factors, ...places[0]!, units: layers[0]!.units }),
    ...layers.slice(1).map(({ inputs, units }, before) =>
      applyLayerCode({
        ...places[before + 1]!,
        name: `layer${before + 1}`,
        input: places[before]!.signals,
        isRectified: layers[before]!.activation === "relu",
        inputs,
        units,
      }),
    ),
  ];
  const memory = createMemory(end);
  const exported = assemble(functions, memory);
  const applied = layers.map((_, at) => exported[`layer${at}`]!);
  const view = (from: number, count: number) => new Float64Array(memory.buffer, from, count);
  return {
    layers: layers.map(({ inputs, units }, at) => {
      const { kernel, bias, sums, signals } = places[at]!;
      return {
        kernel: view(kernel, at === 0 ? inputs * padded(units) : units * padded(inputs)),
        bias: view(bias, units),
        sums: view(sums, padded(units)),
        signals: view(signals, padded(units)),
      };
    }),
    rows: new Int32Array(memory.buffer, rows, maxRows),
    factors: view(factors, maxRows),
    addRows: exported["addRows"]!,
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

/**
 * `addRows`, given how many: for each block of units its sums in registers, then row after row onto them.
 * All places are addresses.
 */
export function addRowsCode(place: {
  rows: number;
  factors: number;
  kernel: number;
  sums: number;
  units: number;
}): WasmFunction {
  const [count, unit, at, row, factor, first] = [0, 1, 2, 3, 4, 5];
  const parts = [0, 1, 2, 3];
  const step = 2 * BYTES;
  const addRow: Code = [
    [get(at), i32.load(place.rows), get(unit), i32.add, set(row)],
    [get(at), get(at), i32.add, v128.load64Splat(place.factors), set(factor)],
    parts.map((part) => [
      [get(first + part), get(factor), get(row), v128.load(place.kernel + part * step)],
      [f64x2.mul, f64x2.add, set(first + part)],
    ]),
    [get(at), i32.const(4), i32.add, set(at)],
    [get(at), get(count), i32.lessThan],
  ];
  const addBlock: Code = [
    parts.map((part) => [get(unit), v128.load(place.sums + part * step), set(first + part)]),
    [i32.const(0), set(at)],
    repeatWhile(addRow),
    parts.map((part) => [get(unit), get(first + part), v128.store(place.sums + part * step)]),
    [get(unit), i32.const(BLOCK * BYTES), i32.add, set(unit)],
    [get(unit), i32.const(padded(place.units) * BYTES), i32.lessThan],
  ];
  return {
    name: "addRows",
    parameters: 1,
    locals: [I32, I32, I32, V128, V128, V128, V128, V128],
    // From here on `count` is the bytes of so many rows: four times as much.
    code: [
      get(count),
      get(count),
      i32.add,
      set(count),
      get(count),
      get(count),
      i32.add,
      set(count),
      repeatWhile(addBlock),
    ],
  };
}

/** A layer's sums, a few at a time, each in a register of its own, over all inputs. All places are addresses. */
export function applyLayerCode(place: {
  name: string;
  input: number;
  isRectified: boolean;
  kernel: number;
  bias: number;
  sums: number;
  inputs: number;
  units: number;
}): WasmFunction {
  const [at, signal, first] = [0, 1, 2];
  const rowBytes = padded(place.inputs) * BYTES;
  const block = (from: number): Code => {
    const units = Array.from({ length: Math.min(SUMS, place.units - from) }, (_, unit) => unit);
    return [
      units.map((unit) => [v128.zero, set(first + unit)]),
      [i32.const(0), set(at)],
      repeatWhile([
        [get(at), v128.load(place.input), place.isRectified ? [v128.zero, f64x2.pmax] : [], set(signal)],
        units.map((unit) => [
          [get(first + unit), get(signal), get(at), v128.load(place.kernel + (from + unit) * rowBytes)],
          [f64x2.mul, f64x2.add, set(first + unit)],
        ]),
        [get(at), i32.const(2 * BYTES), i32.add, set(at)],
        [get(at), i32.const(rowBytes), i32.lessThan],
      ]),
      units.map((unit) => [
        [i32.const(0), i32.const(0), f64.load(place.bias + (from + unit) * BYTES)],
        [get(first + unit), f64x2.extractLane(0), get(first + unit), f64x2.extractLane(1), f64.add, f64.add],
        f64.store(place.sums + (from + unit) * BYTES),
      ]),
    ];
  };
  const blocks = Array.from({ length: Math.ceil(place.units / SUMS) }, (_, number) => block(number * SUMS));
  return {
    name: place.name,
    parameters: 0,
    locals: [I32, V128, ...Array.from({ length: SUMS }, () => V128)],
    code: blocks,
  };
}
