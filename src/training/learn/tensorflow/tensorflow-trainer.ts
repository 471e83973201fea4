import type { Network } from "../../../evaluators/network/network.ts";
import type { CheckedConfig } from "../../plan/config.ts";
import type { CreateTrainer } from "../learnable.ts";
import { loadTensorFlow, type TensorFlow } from "./backend.ts";
import { layerName } from "../../../evaluators/network/layers-topology.ts";
import {
  checkLoss,
  ADAM_DEFAULTS,
  type AdamOptions,
  type AdamState,
  type BatchTrainer,
  type SampleBatch,
} from "../network/batch.ts";

type Scalar = import("@tensorflow/tfjs-core").Scalar;
type Tensor = import("@tensorflow/tfjs-core").Tensor;
type Tensor2D = import("@tensorflow/tfjs-core").Tensor2D;
type Variable = import("@tensorflow/tfjs-core").Variable;
type Sequential = import("@tensorflow/tfjs-layers").Sequential;

/** Loads what makes the trainer that `learner.engine` of a config names; undefined for `plain`. */
export async function loadEngine({ learner }: CheckedConfig): Promise<CreateTrainer | undefined> {
  if (learner.rule !== "lambda-returns" || learner.engine === "plain") return undefined;
  const { tf } = await loadTensorFlow();
  return ({ network }, loss) => {
    const trainer = new TensorFlowTrainer(tf, network, { loss });
    const theirs = trainer.network.bind(trainer);
    // Self-play and checkpoints read the weights of `network`: they get a copy of TensorFlow's.
    trainer.network = () => {
      for (const [at, { kernel, bias }] of theirs().layers.entries()) {
        network.layers[at]!.kernel.set(kernel);
        network.layers[at]!.bias.set(bias);
      }
      return network;
    };
    return trainer;
  };
}

/**
 * Trains a copy of a network in batches, with TensorFlow.js: it computes outputs, loss, derivatives and the
 * steps of Adam. The same batches give the same weights on the same backend and machine; other backends
 * round differently. Throws RangeError if the loss does not fit the last layer's activation.
 */
export class TensorFlowTrainer implements BatchTrainer {
  stepSize: number;
  private readonly tf: TensorFlow;
  private readonly shape: Network;
  private readonly options: Required<AdamOptions>;
  /** The network. With a cross-entropy its last layer is linear, because the loss applies the activation itself. */
  private readonly model: Sequential;
  private readonly weights: readonly Variable[];
  private readonly first: readonly Variable[];
  private readonly second: readonly Variable[];
  private steps = 0;
  private dense = new Float32Array(0);

  constructor(tf: TensorFlow, network: Network, options: AdamOptions = {}) {
    this.tf = tf;
    this.shape = network;
    this.options = { ...ADAM_DEFAULTS, ...options };
    this.stepSize = this.options.stepSize;
    const takesSums = this.options.loss === "cross-entropy";
    checkLoss(this.options.loss, network);
    this.model = toLayersModel(tf, takesSums ? withLinearOutput(network) : network);
    // These are variables, though their declared type does not say so.
    this.weights = this.model.trainableWeights.map((weight) => weight.read() as Variable);
    const zeros = () => this.weights.map(({ shape }) => tf.tidy(() => tf.variable(tf.zeros(shape), false)));
    this.first = zeros();
    this.second = zeros();
  }

  trainBatch(batch: SampleBatch): number {
    const { tf } = this;
    return tf.tidy(() => {
      const { value, grads } = tf.variableGrads(() => this.lossOf(batch), [...this.weights]);
      this.steps++;
      for (const [at, weight] of this.weights.entries()) this.step(at, weight, grads[weight.name]!);
      return value.dataSync()[0];
    });
  }

  /** One step of Adam on one tensor of weights. */
  private step(at: number, weight: Variable, gradient: Tensor): void {
    const { tf, steps, stepSize } = this;
    const { beta1, beta2, epsilon } = this.options;
    const first = this.first[at]!;
    const second = this.second[at]!;
    first.assign(tf.add(tf.mul(first, beta1), tf.mul(gradient, 1 - beta1)));
    second.assign(tf.add(tf.mul(second, beta2), tf.mul(tf.square(gradient), 1 - beta2)));
    // stepSize * m / (sqrt(v) + epsilon), with the bias corrections of both moments in numbers, not in tensors.
    const correction = Math.sqrt(1 - beta2 ** steps);
    const scale = (stepSize * correction) / (1 - beta1 ** steps);
    const root = tf.add(tf.sqrt(second), epsilon * correction);
    weight.assign(tf.sub(weight, tf.mul(tf.div(first, root), scale)));
  }

  private lossOf(batch: SampleBatch): Scalar {
    const { tf, options } = this;
    const { size } = batch;
    const { units, activation } = this.shape.layers.at(-1)!;
    const outputs = this.model.apply(this.inputs(batch)) as Tensor2D;
    const targets = tf.tensor2d(batch.targets.subarray(0, size * units), [size, units]);
    const weights = batch.weights.subarray(0, size);
    const { SUM } = tf.Reduction;
    if (options.loss === "cross-entropy" && activation === "softmax") {
      const sum = tf.losses.softmaxCrossEntropy(targets, outputs, tf.tensor1d(weights), 0, SUM);
      return tf.div(sum, size);
    }
    const column = tf.tensor2d(weights, [size, 1]);
    const sum =
      options.loss === "cross-entropy"
        ? tf.losses.sigmoidCrossEntropy(targets, outputs, column, 0, SUM)
        : tf.losses.meanSquaredError(targets, outputs, column, SUM);
    return tf.div(sum, size * units);
  }

  /** The batch's features as dense rows, one number for each input. */
  private inputs({ size, offsets, index, value }: SampleBatch): Tensor2D {
    const { inputs } = this.shape.layers[0]!;
    const length = size * inputs;
    if (this.dense.length < length) this.dense = new Float32Array(length);
    const rows = this.dense.subarray(0, length).fill(0);
    for (let sample = 0, row = 0; sample < size; sample++, row += inputs)
      for (let at = offsets[sample]; at < offsets[sample + 1]; at++) rows[row + index[at]] += value[at];
    return this.tf.tensor2d(rows, [size, inputs]);
  }

  /** A copy of the network as it is now. */
  network(): Network {
    const values = copies(this.weights);
    return {
      layers: this.shape.layers.map((layer, at) => ({
        ...layer,
        kernel: values[2 * at]!,
        bias: values[2 * at + 1]!,
      })),
    };
  }

  save(): AdamState {
    return { steps: this.steps, first: copies(this.first), second: copies(this.second) };
  }

  restore({ steps, first, second }: AdamState): void {
    const { tf } = this;
    this.steps = steps;
    const write = (variables: readonly Variable[], values: readonly Float32Array[]) =>
      variables.forEach((variable, at) =>
        tf.tidy(() => variable.assign(tf.tensor(values[at]!.slice(), variable.shape))),
      );
    write(this.first, first);
    write(this.second, second);
  }
}

/** A TensorFlow.js model with a copy of the network's weights. The caller must dispose of it. */
export function toLayersModel(tf: TensorFlow, { layers }: Network): Sequential {
  const weights = layers.map(({ inputs, units, kernel, bias }) => [
    // A tensor may keep the array that it is given, so it gets a copy.
    tf.tensor2d(kernel.slice(), [inputs, units]),
    tf.tensor1d(bias.slice()),
  ]);
  const model = tf.sequential({
    layers: layers.map(({ inputs, units, activation }, at) =>
      tf.layers.dense({
        name: layerName(at),
        ...(at === 0 ? { inputShape: [inputs] } : {}),
        units,
        activation,
        kernelInitializer: "zeros",
        weights: weights[at]!,
      }),
    ),
  });
  tf.dispose(weights);
  return model;
}

function copies(variables: readonly Variable[]): Float32Array[] {
  return variables.map((variable) => Float32Array.from(variable.dataSync()));
}

function withLinearOutput({ layers }: Network): Network {
  return { layers: [...layers.slice(0, -1), { ...layers.at(-1)!, activation: "linear" }] };
}
