import {
  activate,
  backActivate,
  type DenseLayer,
  type Network,
} from "../../../evaluators/network/network.ts";
import { type Slot, VectorMemory, type VectorLoops } from "../../../evaluators/network/vector-loops.ts";
import {
  ADAM_DEFAULTS,
  type AdamOptions,
  type AdamState,
  type BatchTrainer,
  checkLoss,
  policyLoss,
  type SampleBatch,
  sampleLoss,
} from "./batch.ts";

/** Samples that go through the network side by side; an even number. */
const BLOCK = 64;
const BYTES = 4;

/**
 * Trains a network by Adam, in float32. Of the first layer only the rows of features that are active in the batch
 * take a step; the moments of the others stay as they are. So a batch costs what its features cost, whatever the layer has.
 * The same batches give the same weights, to the last bit. Throws RangeError if the loss does not fit the last layer's
 * activation.
 */
export class RowTrainer implements BatchTrainer {
  stepSize: number;
  /** The part of the last batch's loss that is the policy's; 0 without one. */
  policyLoss = 0;
  private steps = 0;
  private readonly trained: Network;
  private readonly options: Required<AdamOptions>;
  private readonly loops: VectorLoops;
  private readonly layers: readonly Layer[];
  /** The beginning of a row in the first kernel, in bytes, for each feature of a sample; then the features' values. */
  private readonly rows: Matrix<Int32Array>;
  private readonly factors: Matrix;
  /** The beginnings of the rows that take a step: those of the features in the batch, and of the bias. */
  private readonly listed: Matrix<Int32Array>;
  private readonly isListed: Uint8Array;
  private listedCount = 0;
  private readonly outputs: Float64Array;
  private readonly outputGradient: Float64Array;
  private readonly logits: Float64Array;
  private readonly logitGradient: Float64Array;

  /** @param maxActive the most features of a sample */
  constructor(network: Network, { maxActive, ...options }: AdamOptions & { maxActive: number }) {
    const { layers, logits = 0 } = network;
    this.trained = network;
    this.options = { ...ADAM_DEFAULTS, ...options };
    this.stepSize = this.options.stepSize;
    checkLoss(this.options.loss, network);
    const memory = new VectorMemory();
    const [rows, factors] = [memory.reserve32(maxActive + 1), memory.reserve32(maxActive + 1)];
    const listed = memory.reserve32(layers[0]!.inputs + 1);
    const makers = layers.map((dense, at) => reserveLayer(memory, dense, at === 0));
    const { buffer, loops } = memory.create();
    this.loops = loops;
    this.layers = makers.map((make) => make(buffer));
    this.rows = { at: rows.at, row: 0, values: new Int32Array(buffer, rows.at, maxActive + 1) };
    this.factors = matrixOf(buffer, factors, 0);
    this.listed = { at: listed.at, row: 0, values: new Int32Array(buffer, listed.at, layers[0]!.inputs + 1) };
    this.isListed = new Uint8Array(layers[0]!.inputs);
    const outputs = layers.at(-1)!.units - logits;
    this.outputs = new Float64Array(outputs);
    this.outputGradient = new Float64Array(outputs);
    this.logits = new Float64Array(logits);
    this.logitGradient = new Float64Array(logits);
    this.read();
  }

  /** Reads the network's weights, which others have changed. */
  read(): void {
    for (const { dense, weights } of this.layers) copyIn([dense.kernel, dense.bias], dense, weights);
  }

  /** Writes the weights to the network that the trainer was made for, and returns it. */
  network(): Network {
    for (const { dense, weights } of this.layers) copyOut(weights, dense, [dense.kernel, dense.bias]);
    return this.trained;
  }

  trainBatch(batch: SampleBatch): number {
    this.listRows(batch);
    for (const layer of this.layers.slice(1)) transpose(layer);
    const loss = this.lossOf(batch, (from, count) => this.backward(batch, from, count));
    this.step();
    return loss;
  }

  /** Returns a batch's loss; nothing is learned. `onBlock` is called after each block of samples. */
  lossOf(batch: SampleBatch, onBlock?: (from: number, count: number) => void): number {
    let total = 0;
    this.policyLoss = 0;
    for (let from = 0; from < batch.size; from += BLOCK) {
      const count = Math.min(BLOCK, batch.size - from);
      this.forward(batch, from, count);
      for (let at = 0; at < count; at++) total += this.lossAt(batch, from + at, at);
      onBlock?.(from, count);
    }
    return total + this.policyLoss;
  }

  /** Lists the rows of the batch's features, and that of the bias. */
  private listRows({ size, offsets, index }: SampleBatch): void {
    const { isListed } = this;
    const { values: listed } = this.listed;
    const { dense, weights } = this.layers[0]!;
    let count = 0;
    for (let at = offsets[0]; at < offsets[size]; at++) {
      const feature = index[at];
      if (isListed[feature] !== 0) continue;
      isListed[feature] = 1;
      listed[count++] = feature * weights.row;
    }
    isListed.fill(0);
    listed[count++] = dense.inputs * weights.row;
    this.listedCount = count;
  }

  /** Computes the signals of `count` samples from number `from` on; the last layer's are not activated. */
  private forward(batch: SampleBatch, from: number, count: number): void {
    const { layers, loops, rows, factors } = this;
    const { weights, signals } = layers[0]!;
    for (let at = 0; at < count; at++) {
      const active = this.fill(batch, from + at);
      const to = signals.at + at * signals.row;
      loops.gatherRows(active, rows.at, factors.at, weights.at, to, weights.row);
    }
    for (let at = 1; at < layers.length; at++) {
      const before = layers[at - 1]!;
      this.activateHidden(before, count);
      const { weights, signals } = layers[at]!;
      signals.values.fill(0);
      this.multiply(even(count), before.dense.units + 1, before.signals, weights, signals, weights.row);
    }
  }

  /** Makes a hidden layer's outputs from the weighted sums, with a 1 behind them for the bias of the next layer. */
  private activateHidden({ dense: { activation, units }, signals }: Layer, count: number): void {
    const { values, row } = signals;
    if (activation === "relu") this.loops.rectify(count * row, signals.at);
    else if (activation !== "linear")
      for (let at = 0; at < count; at++) {
        const outputs = values.subarray((at * row) / BYTES, (at * row) / BYTES + units);
        const exact = Float64Array.from(outputs);
        activate(activation, exact, units);
        outputs.set(exact);
      }
    for (let at = 0; at < count; at++) values[(at * row) / BYTES + units] = 1;
  }

  /** Returns the loss of a sample's value, place `at` of its block, and writes its errors. */
  private lossAt(batch: SampleBatch, sample: number, at: number): number {
    const { outputs, outputGradient, logits, logitGradient } = this;
    const { dense, signals, errors } = this.layers.at(-1)!;
    const from = (at * signals.row) / BYTES;
    for (let output = 0; output < outputs.length; output++) outputs[output] = signals.values[from + output];
    for (let logit = 0; logit < logits.length; logit++)
      logits[logit] = signals.values[from + outputs.length + logit];
    const { activation } = dense;
    activate(activation, outputs, outputs.length);
    const { loss } = this.options;
    const valueLoss = sampleLoss(batch, sample, {
      loss,
      activation,
      outputs,
      gradient: outputGradient,
      logits: logits.length,
    });
    if (logits.length > 0)
      this.policyLoss += policyLoss(batch, sample, {
        outputs: outputs.length,
        logits,
        gradient: logitGradient,
      });
    errors.values.set(outputGradient, (at * errors.row) / BYTES);
    errors.values.set(logitGradient, (at * errors.row) / BYTES + outputs.length);
    return valueLoss;
  }

  /** Adds the derivatives of the losses of a block to the gradient. */
  private backward(batch: SampleBatch, from: number, count: number): void {
    const { layers, loops, rows, factors } = this;
    for (let at = layers.length - 1; at > 0; at--) {
      const { errors, gradient, transposed, dense } = layers[at]!;
      const before = layers[at - 1]!;
      const { signals } = before;
      // The signals as columns: the sum over samples of signal x error.
      const columns = { at: signals.at, row: BYTES, column: signals.row };
      this.multiply(even(dense.inputs + 1), count, columns, errors, gradient, gradient.row);
      before.errors.values.fill(0);
      this.multiply(even(count), dense.units, errors, transposed, before.errors, transposed.row);
      this.backActivateHidden(before, count);
    }
    const { errors, gradient } = layers[0]!;
    for (let at = 0; at < count; at++) {
      const active = this.fill(batch, from + at);
      const errorsAt = errors.at + at * errors.row;
      loops.scatterRows(active, rows.at, factors.at, gradient.at, errorsAt, gradient.row);
    }
  }

  private backActivateHidden({ dense: { activation, units }, signals, errors }: Layer, count: number): void {
    if (activation === "relu") {
      this.loops.backRectify(count, errors.row, signals.at, signals.row, errors.at, errors.row);
      return;
    }
    for (let at = 0; at < count; at++) {
      const part = ({ values, row }: Matrix) =>
        values.subarray((at * row) / BYTES, (at * row) / BYTES + units);
      const gradient = Float64Array.from(part(errors));
      backActivate(activation, Float64Array.from(part(signals)), gradient);
      part(errors).set(gradient);
    }
  }

  /** Lists the rows of a sample's features with their values, and that of the bias; returns their number. */
  private fill({ offsets, index, value }: SampleBatch, sample: number): number {
    const { values: rows } = this.rows;
    const { values: factors } = this.factors;
    const { dense, weights } = this.layers[0]!;
    let count = 0;
    for (let at = offsets[sample]; at < offsets[sample + 1]; at++) {
      rows[count] = index[at] * weights.row;
      factors[count++] = value[at];
    }
    rows[count] = dense.inputs * weights.row;
    factors[count++] = 1;
    return count;
  }

  /** c += a x b; of a row of c, `bytes` are computed. */
  private multiply(rows: number, inner: number, a: Operand, b: Operand, c: Operand, bytes: number): void {
    this.loops.multiply(rows, inner, a.at, a.row, a.column ?? BYTES, b.at, b.row, c.at, c.row, bytes);
  }

  /** Does a step of Adam. */
  private step(): void {
    const [first, ...later] = this.layers as [Layer, ...Layer[]];
    this.steps++;
    this.stepRows(first, this.listedCount, first.weights.row);
    this.listed.values[0] = 0;
    for (const layer of later) this.stepRows(layer, 1, (layer.dense.inputs + 1) * layer.weights.row);
  }

  private stepRows({ weights, first, second, gradient }: Layer, count: number, bytes: number): void {
    const { beta1, beta2, epsilon } = this.options;
    const firstScale = this.stepSize / (1 - beta1 ** this.steps);
    const secondScale = 1 / (1 - beta2 ** this.steps);
    this.loops.adamRows(
      count,
      this.listed.at,
      bytes,
      weights.at,
      first.at,
      second.at,
      gradient.at,
      beta1,
      beta2,
      firstScale,
      secondScale,
      epsilon,
    );
  }

  save(): AdamState {
    const moments = (of: "first" | "second") =>
      this.layers.flatMap(({ dense, [of]: from }) => {
        const arrays = [new Float32Array(dense.kernel.length), new Float32Array(dense.units)] as const;
        copyOut(from, dense, arrays);
        return arrays;
      });
    return { steps: this.steps, first: moments("first"), second: moments("second") };
  }

  restore({ steps, first, second }: AdamState): void {
    this.steps = steps;
    for (const [at, layer] of this.layers.entries()) {
      copyIn([first[2 * at]!, first[2 * at + 1]!], layer.dense, layer.first);
      copyIn([second[2 * at]!, second[2 * at + 1]!], layer.dense, layer.second);
    }
  }
}

/** A matrix in the memory of the loops: its address, and the bytes from a row, or a column, to the next. */
interface Operand {
  readonly at: number;
  readonly row: number;
  readonly column?: number;
}

interface Matrix<A = Float32Array> extends Operand {
  readonly values: A;
}

/** The numbers of a layer. Zeros fill up each row. */
interface Layer {
  readonly dense: DenseLayer;
  /** Weights, moments and gradient; shape [inputs + 1, units], the last row those of the bias. */
  readonly weights: Matrix;
  readonly first: Matrix;
  readonly second: Matrix;
  readonly gradient: Matrix;
  /** The kernel, shape [units, inputs]; empty in the first layer. */
  readonly transposed: Matrix;
  /** The weighted sums and then the outputs; shape [BLOCK, units + 1]. */
  readonly signals: Matrix;
  /** Derivatives of the loss by the weighted sums; shape [BLOCK, units]. */
  readonly errors: Matrix;
}

/** Reserves the memory of a layer; the function that it returns makes the layer there. */
function reserveLayer(
  memory: VectorMemory,
  dense: DenseLayer,
  isFirst: boolean,
): (buffer: ArrayBuffer) => Layer {
  const { inputs, units } = dense;
  const reserve = (rows: number, columns: number) => {
    const row = new VectorMemory().reserve32(columns).count * Float64Array.BYTES_PER_ELEMENT;
    const slot = memory.reserve32((rows * row) / BYTES);
    return (buffer: ArrayBuffer) => matrixOf(buffer, slot, row);
  };
  const rows = even(inputs + 1);
  const made = {
    weights: reserve(rows, units),
    first: reserve(rows, units),
    second: reserve(rows, units),
    gradient: reserve(rows, units),
    transposed: reserve(isFirst ? 0 : units, inputs),
    signals: reserve(BLOCK, units + 1),
    errors: reserve(BLOCK, units),
  };
  return (buffer) =>
    ({
      dense,
      ...Object.fromEntries(Object.entries(made).map(([name, make]) => [name, make(buffer)])),
    }) as unknown as Layer;
}

function matrixOf(buffer: ArrayBuffer, { at, count }: Slot, row: number): Matrix {
  return { at, row, values: new Float32Array(buffer, at, 2 * count) };
}

/** Numbers of a layer's kernel and bias, in the shapes of DenseLayer. */
type Arrays = readonly [kernel: Float32Array, bias: Float32Array];

function copyIn([kernel, bias]: Arrays, { inputs, units }: DenseLayer, { values, row }: Matrix): void {
  const stride = row / BYTES;
  for (let input = 0; input < inputs; input++)
    values.set(kernel.subarray(input * units, (input + 1) * units), input * stride);
  values.set(bias, inputs * stride);
}

function copyOut({ values, row }: Matrix, { inputs, units }: DenseLayer, [kernel, bias]: Arrays): void {
  const stride = row / BYTES;
  for (let input = 0; input < inputs; input++)
    kernel.set(values.subarray(input * stride, input * stride + units), input * units);
  bias.set(values.subarray(inputs * stride, inputs * stride + units));
}

function transpose({ dense: { inputs, units }, weights, transposed }: Layer): void {
  const [from, to] = [weights.row / BYTES, transposed.row / BYTES];
  for (let input = 0; input < inputs; input++)
    for (let unit = 0; unit < units; unit++)
      transposed.values[unit * to + input] = weights.values[input * from + unit];
}

function even(count: number): number {
  return count + (count & 1);
}
