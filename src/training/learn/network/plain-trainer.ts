import type { Network } from "../../../evaluators/network/network.ts";
import {
  ADAM_DEFAULTS,
  type AdamOptions,
  type AdamState,
  type BatchTrainer,
  type SampleBatch,
  type Loss,
  checkLoss,
} from "./batch.ts";
import { BatchGradient, type LayerGradient } from "./batch-gradient.ts";

/**
 * Trains a network in place, with Adam, in this thread and without a framework. The same batches give the
 * same weights, to the last bit. Throws RangeError if the loss does not fit the last layer's activation.
 */
export class PlainTrainer implements BatchTrainer {
  private readonly trained: Network;
  private readonly gradient: BatchGradient;
  private readonly adam: Adam;
  private readonly loss: Loss;

  constructor(network: Network, options: AdamOptions = {}) {
    this.trained = network;
    this.gradient = new BatchGradient(network);
    this.adam = new Adam(network, options);
    this.loss = options.loss ?? ADAM_DEFAULTS.loss;
    checkLoss(this.loss, network);
  }

  get stepSize(): number {
    return this.adam.stepSize;
  }

  set stepSize(stepSize: number) {
    this.adam.stepSize = stepSize;
  }

  trainBatch(batch: SampleBatch): number {
    const loss = this.gradient.ofBatch(batch, this.loss);
    this.adam.step(this.gradient.layers);
    return loss;
  }

  /** The loss of samples with the present weights; nothing is learned. */
  lossOf(batch: SampleBatch): number {
    return this.gradient.lossOf(batch, this.loss);
  }

  /** The part of the last loss that is the policy's; 0 without one. */
  get policyLoss(): number {
    return this.gradient.policyLoss;
  }

  /** The network that the trainer was made for. */
  network(): Network {
    return this.trained;
  }

  save(): AdamState {
    return this.adam.save();
  }

  restore(state: AdamState): void {
    this.adam.restore(state);
  }
}

/** Adam (Kingma and Ba 2015, algorithm 1); changes a network's weights in place. */
export class Adam {
  stepSize: number;
  private steps = 0;
  private readonly beta1: number;
  private readonly beta2: number;
  private readonly epsilon: number;
  /** The kernel and then the bias of each layer; the moments have the same order. */
  private readonly weights: readonly Float32Array[];
  private readonly first: readonly Float32Array[];
  private readonly second: readonly Float32Array[];

  constructor(network: Network, options: AdamOptions) {
    const { stepSize, beta1, beta2, epsilon } = { ...ADAM_DEFAULTS, ...options };
    this.stepSize = stepSize;
    this.beta1 = beta1;
    this.beta2 = beta2;
    this.epsilon = epsilon;
    this.weights = network.layers.flatMap(({ kernel, bias }) => [kernel, bias]);
    this.first = this.weights.map(({ length }) => new Float32Array(length));
    this.second = this.weights.map(({ length }) => new Float32Array(length));
  }

  /** Does one step; `gradient` holds the derivatives of the loss, layer by layer. */
  step(gradient: readonly LayerGradient[]): void {
    const { beta1, beta2, weights, first, second } = this;
    this.steps++;
    const firstScale = this.stepSize / (1 - beta1 ** this.steps);
    const secondScale = 1 / (1 - beta2 ** this.steps);
    for (let at = 0; at < weights.length; at++) {
      const layer = gradient[at >> 1]!;
      this.stepOne((at & 1) === 0 ? layer.kernel : layer.bias, {
        weights: weights[at]!,
        first: first[at]!,
        second: second[at]!,
        firstScale,
        secondScale,
      });
    }
  }

  private stepOne(
    gradient: Float64Array,
    {
      weights,
      first,
      second,
      firstScale,
      secondScale,
    }: {
      weights: Float32Array;
      first: Float32Array;
      second: Float32Array;
      firstScale: number;
      secondScale: number;
    },
  ): void {
    const { beta1, beta2, epsilon } = this;
    for (let at = 0; at < weights.length; at++) {
      const slope = gradient[at];
      const m = (first[at] = beta1 * first[at] + (1 - beta1) * slope);
      const v = (second[at] = beta2 * second[at] + (1 - beta2) * slope * slope);
      if (m !== 0) weights[at] -= (firstScale * m) / (Math.sqrt(v * secondScale) + epsilon);
    }
  }

  save(): AdamState {
    return {
      steps: this.steps,
      first: this.first.map((moments) => moments.slice()),
      second: this.second.map((moments) => moments.slice()),
    };
  }

  restore({ steps, first, second }: AdamState): void {
    this.steps = steps;
    this.first.forEach((moments, at) => moments.set(first[at]!));
    this.second.forEach((moments, at) => moments.set(second[at]!));
  }
}
