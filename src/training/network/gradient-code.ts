import {
  assemble,
  createMemory,
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
import type { Network } from "../../evaluators/network/network.ts";
import { addRowsCode, applyLayerCode, BLOCK, BYTES, padded } from "../../evaluators/network/vector-code.ts";

/** Units whose errors are held in registers at a time. */
const UNITS = 4;

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
  /** First layer's signals += factors[i] * row at rows[i], for i below `count`, which is at least 1. */
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
  let end = 0;
  const reserve = (count: number): { at: number; count: number } => {
    const place = { at: end, count: padded(count) };
    end += place.count * BYTES;
    return place;
  };
  const rows = reserve(maxRows + 1);
  const factors = reserve(maxRows + 1);
  const places = layers.map(({ inputs, units }, at) => {
    const size = at === 0 ? (inputs + 1) * padded(units) : units * padded(inputs);
    return {
      kernel: reserve(size),
      bias: reserve(units),
      signals: reserve(units),
      errors: reserve(units),
      kernelGradient: reserve(size),
    };
  });

  const [first] = places;
  const functions: WasmFunction[] = [
    addRowsCode({
      rows: rows.at,
      factors: factors.at,
      kernel: first!.kernel.at,
      sums: first!.signals.at,
      units: layers[0]!.units,
    }),
    spreadRowsCode({
      rows: rows.at,
      factors: factors.at,
      gradient: first!.kernelGradient.at,
      errors: first!.errors.at,
      units: layers[0]!.units,
    }),
    ...layers.slice(1).flatMap(({ inputs, units }, before) => {
      const place = places[before + 1]!;
      const { signals, errors } = places[before]!;
      const shape = { kernel: place.kernel.at, input: signals.at, inputs, units };
      const name = `layer${before + 1}`;
      return [
        applyLayerCode({
          ...shape,
          name,
          isRectified: false,
          bias: place.bias.at,
          sums: place.signals.at,
        }),
        backLayerCode({
          ...shape,
          name: `${name}back`,
          isRectified: layers[before]!.activation === "relu",
          errors: place.errors.at,
          errorsBefore: errors.at,
          gradient: place.kernelGradient.at,
        }),
      ];
    }),
  ];
  const memory = createMemory(end);
  const exported = assemble(functions, memory);
  const applied = layers.map((_, at) => exported[`layer${at}`]!);
  const taken = layers.map((_, at) => exported[`layer${at}back`]!);
  const view = ({ at, count }: { at: number; count: number }) => new Float64Array(memory.buffer, at, count);
  return {
    layers: places.map(({ kernel, bias, signals, errors, kernelGradient }) => ({
      kernel: view(kernel),
      bias: view(bias),
      signals: view(signals),
      errors: view(errors),
      kernelGradient: view(kernelGradient),
    })),
    rowBytes: padded(layers[0]!.units) * BYTES,
    rows: new Int32Array(memory.buffer, rows.at, maxRows + 1),
    factors: view(factors),
    addRows: exported["addRows"]!,
    spreadRows: exported["spreadRows"]!,
    applyLayer: (layer) => applied[layer]!(),
    backLayer: (layer) => taken[layer]!(),
  };
}

/** For each block of units: its errors in registers, then row after row. All places are addresses. */
function spreadRowsCode(place: {
  rows: number;
  factors: number;
  gradient: number;
  errors: number;
  units: number;
}): WasmFunction {
  const [count, unit, at, row, factor, first] = [0, 1, 2, 3, 4, 5];
  const parts = [0, 1, 2, 3];
  const step = 2 * BYTES;
  const spreadRow: Code = [
    [get(at), i32.load(place.rows), get(unit), i32.add, set(row)],
    [get(at), get(at), i32.add, v128.load64Splat(place.factors), set(factor)],
    parts.map((part) => [
      [get(row), get(row), v128.load(place.gradient + part * step)],
      [get(factor), get(first + part), f64x2.mul, f64x2.add, v128.store(place.gradient + part * step)],
    ]),
    [get(at), i32.const(4), i32.add, set(at)],
    [get(at), get(count), i32.lessThan],
  ];
  return {
    name: "spreadRows",
    parameters: 1,
    locals: [I32, I32, I32, V128, V128, V128, V128, V128],
    code: [
      // From here on `count` is the bytes of so many rows.
      [get(count), get(count), i32.add, set(count), get(count), get(count), i32.add, set(count)],
      repeatWhile([
        parts.map((part) => [get(unit), v128.load(place.errors + part * step), set(first + part)]),
        [i32.const(0), set(at)],
        repeatWhile(spreadRow),
        [get(unit), i32.const(BLOCK * BYTES), i32.add, set(unit)],
        [get(unit), i32.const(padded(place.units) * BYTES), i32.lessThan],
      ]),
    ],
  };
}

/** A few units at a time, their errors in registers, over all inputs. All places are addresses. */
function backLayerCode(place: {
  name: string;
  input: number;
  isRectified: boolean;
  kernel: number;
  errors: number;
  errorsBefore: number;
  gradient: number;
  inputs: number;
  units: number;
}): WasmFunction {
  const [at, signal, sum, first] = [0, 1, 2, 3];
  const rowBytes = padded(place.inputs) * BYTES;
  const pass = (from: number): Code => {
    const units = Array.from({ length: Math.min(UNITS, place.units - from) }, (_, unit) => unit);
    const isLast = from + UNITS >= place.units;
    return [
      units.map((unit) => [
        i32.const(0),
        v128.load64Splat(place.errors + (from + unit) * BYTES),
        set(first + unit),
      ]),
      [i32.const(0), set(at)],
      repeatWhile([
        [get(at), v128.load(place.input), set(signal)],
        from === 0 ? v128.zero : [get(at), v128.load(place.errorsBefore)],
        set(sum),
        units.map((unit) => {
          const row = (from + unit) * rowBytes;
          return [
            [get(sum), get(first + unit), get(at), v128.load(place.kernel + row)],
            [f64x2.mul, f64x2.add, set(sum)],
            [get(at), get(at), v128.load(place.gradient + row), get(first + unit), get(signal)],
            [f64x2.mul, f64x2.add, v128.store(place.gradient + row)],
          ];
        }),
        [get(at), get(sum)],
        isLast && place.isRectified ? [get(signal), v128.zero, f64x2.greater, v128.and] : [],
        v128.store(place.errorsBefore),
        [get(at), i32.const(2 * BYTES), i32.add, set(at)],
        [get(at), i32.const(rowBytes), i32.lessThan],
      ]),
    ];
  };
  const passes = Array.from({ length: Math.ceil(place.units / UNITS) }, (_, number) => pass(number * UNITS));
  return {
    name: place.name,
    parameters: 0,
    locals: [I32, V128, V128, ...Array.from({ length: UNITS }, () => V128)],
    code: passes,
  };
}
