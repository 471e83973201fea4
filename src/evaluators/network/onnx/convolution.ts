import type { NodeReader } from "./node-reader.ts";
import { sizeOf } from "./onnx-model.ts";
import { type Computed, joined, type Value, walk } from "./tensors.ts";

/** The address of the number 0 on the tape, which convolutions read outside of the board. */
const ZERO = 0;

/** One spatial axis of a convolution. */
interface Axis {
  readonly size: number;
  readonly kernel: number;
  readonly stride: number;
  readonly dilation: number;
  readonly padding: number;
  readonly outputs: number;
}

/** Reads a node Conv of any number of spatial axes, with strides, dilations, padding and groups. */
export function readConvolution(node: NodeReader): Value {
  const value = node.computed(0);
  const weights = node.known(1);
  const groups = node.node.attributes.integer("group", 1);
  const [units, channels] = weights.shape;
  const fits =
    value.shape.length === weights.shape.length &&
    value.shape.length > 2 &&
    value.shape[0] === 1 &&
    value.shape[1] === channels * groups &&
    units % groups === 0;
  if (!fits)
    throw new RangeError(
      `applies weights of the shape [${weights.shape.join(", ")}] to the shape [${value.shape.join(", ")}]`,
    );
  const axes = axesOf(node, value.shape.slice(2), weights.shape.slice(2));
  const bias = node.optional(2) && node.known(2).values;
  const [unitsEach, patch] = [units / groups, sizeOf(weights.shape.slice(1))];
  const shape = [1, unitsEach, ...axes.map(({ outputs }) => outputs)];
  const parts = Array.from({ length: groups }, (_, group) => {
    const first = group * unitsEach;
    const kernel = new Float32Array(patch * unitsEach);
    for (let unit = 0; unit < unitsEach; unit++)
      for (let input = 0; input < patch; input++)
        kernel[input * unitsEach + unit] = weights.values[(first + unit) * patch + input];
    const layer = node.builder.add({
      places: sizeOf(shape.slice(2)),
      inputs: patch,
      units: unitsEach,
      kernel,
      ...(bias && { bias: Float32Array.from(bias.slice(first, first + unitsEach)) }),
      reads: readsOf(value, { axes, first: group * channels, channels }),
    });
    return node.builder.outputOf(layer, shape);
  });
  return parts.length === 1 ? parts[0] : joined(parts, 1);
}

function axesOf(node: NodeReader, sizes: readonly number[], kernels: readonly number[]): Axis[] {
  const { attributes } = node.node;
  const strides = attributes.integers("strides");
  const dilations = attributes.integers("dilations");
  const pads = attributes.integers("pads");
  const automatic = attributes.text("auto_pad") ?? "NOTSET";
  return sizes.map((size, axis) => {
    const [kernel, stride, dilation] = [kernels[axis], strides?.[axis] ?? 1, dilations?.[axis] ?? 1];
    const span = (kernel - 1) * dilation + 1;
    const isSame = automatic.startsWith("SAME");
    const needed = Math.max(0, (Math.ceil(size / stride) - 1) * stride + span - size);
    const [before, after] = isSame
      ? [automatic === "SAME_LOWER" ? Math.ceil(needed / 2) : Math.floor(needed / 2), 0]
      : [pads?.[axis] ?? 0, pads?.[axis + sizes.length] ?? 0];
    const outputs = isSame
      ? Math.ceil(size / stride)
      : Math.floor((size + before + after - span) / stride) + 1;
    if (!(outputs > 0 && stride > 0)) throw new RangeError("has strides or pads that leave no output");
    return { size, kernel, stride, dilation, padding: before, outputs };
  });
}

/** For each place, row by row, the addresses of its patch: channel by channel, and row by row in each. */
function readsOf(
  { shape, addresses }: Computed,
  { axes, first, channels }: { axes: readonly Axis[]; first: number; channels: number },
): Int32Array {
  const cells = sizeOf(shape.slice(2));
  const outputs = axes.map((axis) => axis.outputs);
  const kernels = axes.map((axis) => axis.kernel);
  // Coordinates along each axis, by place and by element of the kernel.
  const unit = (of: readonly number[], axis: number) =>
    walk(
      of,
      of.map((_, at) => (at === axis ? 1 : 0)),
    );
  const begins = axes.map(({ stride, padding }, axis) =>
    unit(outputs, axis).map((at) => at * stride - padding),
  );
  const steps = axes.map(({ dilation }, axis) => unit(kernels, axis).map((at) => at * dilation));
  const [places, taps] = [sizeOf(outputs), sizeOf(kernels)];
  const reads = new Int32Array(places * channels * taps).fill(ZERO);
  for (let place = 0; place < places; place++)
    for (let tap = 0; tap < taps; tap++) {
      let cell = 0;
      for (const [axis, { size }] of axes.entries()) {
        const at = begins[axis][place] + steps[axis][tap];
        cell = cell < 0 || at < 0 || at >= size ? -1 : cell * size + at;
      }
      if (cell < 0) continue;
      for (let channel = 0; channel < channels; channel++)
        reads[(place * channels + channel) * taps + tap] = addresses[(first + channel) * cells + cell];
    }
  return reads;
}
