import { readConvolution } from "./convolution.ts";
import { fromFront, type NodeReader } from "./node-reader.ts";
import { sizeOf, type OnnxTensor } from "./onnx-model.ts";
import {
  broadcast,
  commonShape,
  type Computed,
  isKnown,
  joined,
  reshaped,
  taken,
  transposed,
  type Value,
} from "./tensors.ts";

/** Computes the only output of a node. Throws RangeError with what is wrong with the node. */
type Operator = (node: NodeReader) => Value;

/** The operators of ONNX that can be read. Softmax may be the last one only: onnx-network.ts has it. */
export const OPERATORS: Readonly<Record<string, Operator>> = {
  Add: (node) => sum(node, 1),
  BatchNormalization: batchNormalization,
  Cast: (node) => node.input(0),
  Concat: concat,
  Constant: constant,
  Conv: readConvolution,
  Div: (node) => product(node, (one, other) => one / other),
  Dropout: (node) => node.input(0),
  Flatten: flatten,
  Gather: gather,
  Gemm: gemm,
  GlobalAveragePool: (node) => mean(node.computed(0), node, true),
  Identity: (node) => node.input(0),
  LeakyRelu: (node) =>
    node.builder.activate(node.computed(0), "relu", node.node.attributes.float("alpha", 0.01)),
  MatMul: matMul,
  Mul: (node) => product(node, (one, other) => one * other),
  ReduceMean: reduceMean,
  Relu: (node) => node.builder.activate(node.computed(0), "relu"),
  Reshape: reshape,
  Shape: shapeOf,
  Sigmoid: (node) => node.builder.activate(node.computed(0), "sigmoid"),
  Slice: slice,
  Squeeze: squeeze,
  Sub: (node) => sum(node, -1),
  Tanh: (node) => node.builder.activate(node.computed(0), "tanh"),
  Transpose: transpose,
  Unsqueeze: unsqueeze,
};

function constant({ node }: NodeReader): Value {
  const tensor = node.attributes.tensor("value");
  if (tensor !== undefined) return tensor;
  const list = node.attributes.integers("value_ints");
  if (list !== undefined) return { shape: [list.length], values: Float64Array.from(list) };
  const single = node.attributes.float("value_float", NaN);
  const value = Number.isNaN(single) ? node.attributes.integer("value_int", NaN) : single;
  if (Number.isNaN(value)) throw new RangeError("has no value, value_int, value_ints or value_float");
  return { shape: [], values: Float64Array.of(value) };
}

/** Adds two values, the second one times `sign`. */
function sum(node: NodeReader, sign: number): Value {
  const [one, other] = both(node);
  if (isKnown(one) && isKnown(other)) return elementwise(one, other, (a, b) => a + sign * b);
  const { builder } = node;
  if (isKnown(other) || (isKnown(one) && sign === 1)) {
    const [value, shift] = isKnown(other) ? [one as Computed, other] : [other, one as OnnxTensor];
    const factor = { ...shift, values: shift.values.map(() => 1) };
    return builder.scale(value, factor, { ...shift, values: shift.values.map((by) => sign * by) });
  }
  return builder.combine([builder.computed(one), builder.computed(other)], [1, sign]);
}

function product(node: NodeReader, by: (one: number, other: number) => number): Value {
  const [one, other] = both(node);
  if (isKnown(one) && isKnown(other)) return elementwise(one, other, by);
  const [value, factors] = isKnown(one) ? [other as Computed, one] : [one, other];
  if (!isKnown(factors)) throw new RangeError("multiplies or divides two values that depend on the position");
  if (isKnown(one) && by(1, 2) !== 2) throw new RangeError("divides by a value that depends on the position");
  const factor = { ...factors, values: factors.values.map((factor) => by(1, factor)) };
  return node.builder.scale(value, factor, { ...factor, values: factor.values.map(() => 0) });
}

/** Both inputs, broadcast to one shape. */
function both(node: NodeReader): [Value, Value] {
  const [one, other] = [node.input(0), node.input(1)];
  const shape = commonShape(one.shape, other.shape);
  if (shape === undefined)
    throw new RangeError(`joins the shapes [${one.shape.join(", ")}] and [${other.shape.join(", ")}]`);
  return [broadcast(one, shape), broadcast(other, shape)];
}

function elementwise(one: OnnxTensor, other: OnnxTensor, by: (a: number, b: number) => number): OnnxTensor {
  return {
    shape: one.shape,
    values: Float64Array.from(one.values, (value, at) => by(value, other.values[at])),
  };
}

function batchNormalization(node: NodeReader): Value {
  const value = node.computed(0);
  const [scale, shift, means, variances] = [1, 2, 3, 4].map((at) => node.known(at).values);
  const epsilon = node.node.attributes.float("epsilon", 1e-5);
  const [, channels = 0] = value.shape;
  if (scale.length !== channels)
    throw new RangeError(`has ${scale.length} channels for the shape [${value.shape.join(", ")}]`);
  const factors = Float64Array.from(scale, (one, at) => one / Math.sqrt(variances[at] + epsilon));
  const shifts = factors.map((factor, at) => shift[at] - means[at] * factor);
  const inner = [channels, ...value.shape.slice(2).map(() => 1)];
  const spread = (values: Float64Array) => broadcast({ shape: inner, values }, value.shape);
  return node.builder.scale(value, spread(factors), spread(shifts));
}

function gemm(node: NodeReader): Value {
  const { attributes } = node.node;
  const flag = (name: string) => attributes.integer(name, 0) !== 0;
  const [a, b] = [node.computed(0), node.known(1)];
  if (a.shape.length !== 2 || b.shape.length !== 2) throw new RangeError("multiplies what are no matrices");
  const left = flag("transA") ? (transposed(a, [1, 0]) as Computed) : a;
  const right = flag("transB") ? (transposed(b, [1, 0]) as OnnxTensor) : b;
  const [alpha, beta] = [attributes.float("alpha", 1), attributes.float("beta", 1)];
  const added = node.optional(2);
  const result = multiplied(node, left, { ...right, values: right.values.map((one) => alpha * one) });
  if (added === undefined) return result;
  const shift = broadcast(node.known(2), result.shape);
  const ones = { ...shift, values: shift.values.map(() => 1) };
  return node.builder.scale(result, ones, { ...shift, values: shift.values.map((one) => beta * one) });
}

function matMul(node: NodeReader): Value {
  return multiplied(node, node.computed(0), node.known(1));
}

/** A dense layer over the last axis. */
function multiplied({ builder }: NodeReader, value: Computed, kernel: OnnxTensor): Computed {
  const [inputs, units] = kernel.shape;
  if (kernel.shape.length !== 2 || value.shape.at(-1) !== inputs)
    throw new RangeError(
      `multiplies the shape [${value.shape.join(", ")}] by weights of the shape [${kernel.shape.join(", ")}]`,
    );
  const places = value.addresses.length / inputs;
  const { at } = builder.add({
    places,
    inputs,
    units,
    kernel: Float32Array.from(kernel.values),
    reads: value.addresses,
  });
  return {
    shape: value.shape.with(-1, units),
    addresses: Int32Array.from({ length: places * units }, (_, unit) => at + unit),
  };
}

function reduceMean(node: NodeReader): Value {
  const value = node.computed(0);
  const axes = node.integers("axes", 1) ?? value.shape.map((_, axis) => axis);
  const fronts = axes.map((axis) => fromFront(axis, value.shape.length)).sort((a, b) => a - b);
  const isSpatial =
    fronts.join() ===
    value.shape
      .map((_, axis) => axis)
      .slice(2)
      .join();
  if (!isSpatial)
    throw new RangeError(
      `takes the mean over axes ${axes.join(", ")}; all axes behind the channels can be read`,
    );
  return mean(value, node, node.node.attributes.integer("keepdims", 1) !== 0);
}

/** The mean of each channel. */
function mean({ shape, addresses }: Computed, { builder }: NodeReader, keepsAxes: boolean): Value {
  const channels = shape[0] * shape[1];
  const inputs = addresses.length / channels;
  const layer = builder.add({
    places: channels,
    inputs,
    units: 1,
    kernel: new Float32Array(inputs).fill(1 / inputs),
    reads: addresses,
  });
  return builder.outputOf(layer, [...shape.slice(0, 2), ...(keepsAxes ? shape.slice(2).map(() => 1) : [])]);
}

function concat(node: NodeReader): Value {
  const values = node.node.inputs.map((_, at) => node.input(at));
  const axis = node.axis(values[0].shape.length, 0);
  const rest = (value: Value) => value.shape.toSpliced(axis, 1).join();
  if (values.some((value) => rest(value) !== rest(values[0])))
    throw new RangeError("joins shapes that do not fit");
  return joined(values.every(isKnown) ? values : values.map((value) => node.builder.computed(value)), axis);
}

function flatten(node: NodeReader): Value {
  const value = node.input(0);
  const axis = node.node.attributes.integer("axis", 1);
  const front = axis < 0 ? axis + value.shape.length : axis;
  return reshaped(value, [sizeOf(value.shape.slice(0, front)), sizeOf(value.shape.slice(front))]);
}

function reshape(node: NodeReader): Value {
  const value = node.input(0);
  const keeps = node.node.attributes.integer("allowzero", 0) === 0;
  const wanted = [...node.known(1).values].map((size, axis) =>
    size === 0 && keeps ? value.shape[axis] : size,
  );
  const rest = sizeOf(value.shape) / sizeOf(wanted.filter((size) => size !== -1));
  const shape = wanted.map((size) => (size === -1 ? rest : size));
  if (!(sizeOf(shape) === sizeOf(value.shape) && shape.every((size) => Number.isInteger(size) && size >= 0)))
    throw new RangeError(`makes the shape [${wanted.join(", ")}] of [${value.shape.join(", ")}]`);
  return reshaped(value, shape);
}

function shapeOf(node: NodeReader): Value {
  const { shape } = node.input(0);
  const { attributes } = node.node;
  const part = shape.slice(attributes.integer("start", 0), attributes.integer("end", shape.length));
  return { shape: [part.length], values: Float64Array.from(part) };
}

function transpose(node: NodeReader): Value {
  const value = node.input(0);
  const order = node.node.attributes.integers("perm") ?? value.shape.map((_, axis) => axis).reverse();
  if (order.toSorted((a, b) => a - b).some((axis, at) => axis !== at) || order.length !== value.shape.length)
    throw new RangeError(`has the axes ${order.join(", ")} for the shape [${value.shape.join(", ")}]`);
  return transposed(value, order);
}

function squeeze(node: NodeReader): Value {
  const value = node.input(0);
  const axes = node.integers("axes", 1)?.map((axis) => fromFront(axis, value.shape.length));
  return reshaped(
    value,
    value.shape.filter((size, axis) => size !== 1 || (axes !== undefined && !axes.includes(axis))),
  );
}

function unsqueeze(node: NodeReader): Value {
  const value = node.input(0);
  const axes = node.integers("axes", 1) ?? [];
  const rank = value.shape.length + axes.length;
  const shape = [...value.shape];
  for (const axis of axes.map((one) => fromFront(one, rank)).sort((a, b) => a - b)) shape.splice(axis, 0, 1);
  return reshaped(value, shape);
}

function gather(node: NodeReader): Value {
  const value = node.input(0);
  const axis = node.axis(value.shape.length, 0);
  const { shape, values } = node.known(1);
  const indices = [...values].map((index) => fromFront(index, value.shape[axis]));
  return reshaped(taken(value, axis, indices), value.shape.toSpliced(axis, 1, ...shape));
}

function slice(node: NodeReader): Value {
  let value = node.input(0);
  const begins = node.integers("starts", 1) ?? [];
  const ends = node.integers("ends", 2) ?? [];
  const axes = node.integers("axes", 3) ?? begins.map((_, axis) => axis);
  const steps = node.optional(4) && node.known(4).values;
  if (steps?.some((step) => step !== 1)) throw new RangeError("has steps other than 1");
  for (const [at, given] of axes.entries()) {
    const axis = fromFront(given, value.shape.length);
    const all = Array.from({ length: value.shape[axis] }, (_, index) => index);
    value = taken(value, axis, all.slice(begins[at], ends[at]));
  }
  return value;
}
