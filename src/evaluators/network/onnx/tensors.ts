import { sizeOf, type OnnxTensor } from "./onnx-model.ts";

/** A value that depends on the input: the address on the tape of each of its elements, row by row. */
export interface Computed {
  readonly shape: readonly number[];
  readonly addresses: Int32Array;
}

/** A value of a graph: known, or computed. */
export type Value = OnnxTensor | Computed;

export function isKnown(value: Value): value is OnnxTensor {
  return "values" in value;
}

/** The value with another shape of as many elements. */
export function reshaped<V extends Value>(value: V, shape: readonly number[]): V {
  return { ...value, shape };
}

/** The value of that shape whose elements are those at `from`. */
function picked(value: Value, shape: readonly number[], from: Int32Array): Value {
  if (!isKnown(value)) return { shape, addresses: from.map((at) => value.addresses[at]!) };
  return { shape, values: Float64Array.from(from, (at) => value.values[at]!) };
}

/** The number of elements between neighbours along each axis. */
function stridesOf(shape: readonly number[]): number[] {
  return shape.map((_, axis) => sizeOf(shape.slice(axis + 1)));
}

/** Lists for each element of `shape`, row by row, `begin` and its indices times the strides. */
export function walk(shape: readonly number[], strides: readonly number[], begin = 0): Int32Array {
  let places = Int32Array.of(begin);
  for (const [axis, size] of shape.entries()) {
    const next = new Int32Array(places.length * size);
    for (const [at, place] of places.entries())
      for (let index = 0; index < size; index++) next[at * size + index] = place + index * strides[axis]!;
    places = next;
  }
  return places;
}

export function transposed(value: Value, order: readonly number[]): Value {
  const strides = stridesOf(value.shape);
  const shape = order.map((axis) => value.shape[axis]!);
  return picked(
    value,
    shape,
    walk(
      shape,
      order.map((axis) => strides[axis]!),
    ),
  );
}

/** The elements whose index along `axis` is in the list, in its order. */
export function taken(value: Value, axis: number, indices: readonly number[]): Value {
  const strides = stridesOf(value.shape);
  const shape = value.shape.with(axis, 1);
  const one = walk(shape, strides);
  const inner = strides[axis]!;
  const from = new Int32Array(one.length * indices.length);
  // Each index along the outer axes has `inner` elements in a row.
  for (const [at, place] of one.entries()) {
    const outer = Math.floor(at / inner);
    for (const [index, wanted] of indices.entries())
      from[(outer * indices.length + index) * inner + (at % inner)] = place + wanted * inner;
  }
  return picked(value, value.shape.with(axis, indices.length), from);
}

/** Joins computed values, or known ones, along an axis. */
export function joined(values: readonly Value[], axis: number): Value {
  const shape = values[0]!.shape.with(
    axis,
    values.reduce((sum, value) => sum + value.shape[axis]!, 0),
  );
  const outer = sizeOf(shape.slice(0, axis));
  const elements: number[] = [];
  for (let row = 0; row < outer; row++)
    for (const value of values) {
      const list = isKnown(value) ? value.values : value.addresses;
      const length = list.length / outer;
      for (let at = row * length; at < (row + 1) * length; at++) elements.push(list[at]!);
    }
  return values.every(isKnown)
    ? { shape, values: Float64Array.from(elements) }
    : { shape, addresses: Int32Array.from(elements) };
}

/** The shape that both shapes are broadcast to, as in NumPy; undefined if they do not fit. */
export function commonShape(one: readonly number[], other: readonly number[]): number[] | undefined {
  const rank = Math.max(one.length, other.length);
  const [a, b] = [one, other].map((shape) => [
    ...Array.from({ length: rank - shape.length }, () => 1),
    ...shape,
  ]);
  if (a!.some((size, axis) => size !== b![axis] && size !== 1 && b![axis] !== 1)) return undefined;
  return a!.map((size, axis) => (size === 1 ? b![axis]! : size));
}

/** The value broadcast to a shape that `commonShape` gave. */
export function broadcast<V extends Value>(value: V, shape: readonly number[]): V {
  const missing = shape.length - value.shape.length;
  const strides = stridesOf(value.shape);
  const steps = shape.map((_, axis) => {
    const own = axis - missing;
    return own < 0 || value.shape[own] === 1 ? 0 : strides[own]!;
  });
  return picked(value, shape, walk(shape, steps)) as V;
}
