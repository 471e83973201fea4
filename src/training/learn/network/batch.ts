import { type Network, backActivate, type Activation } from "../../../evaluators/network/network.ts";

/**
 * The function that training minimizes, as Keras defines it. The loss of a batch is the sum of weight * loss over its
 * samples, divided by the number of samples (not by the sum of the weights). With y an output and t its
 * target, the loss of a sample is
 * - `mean-squared-error`: the mean over the outputs of (y - t)^2
 * - `cross-entropy`: after sigmoid the mean over the outputs of -(t log y + (1 - t) log(1 - y)), after
 *   softmax the sum over the outputs of -t log y; only for networks that end in one of these two
 */
const LOSSES = ["mean-squared-error", "cross-entropy"] as const;
export type Loss = (typeof LOSSES)[number];

/** The target of a number whose action is not legal: the policy is a softmax over the others. */
export const ILLEGAL = -1;

/**
 * Samples to learn from. A sample has the features of a position (sparse), the target outputs, and a
 * weight. The arrays may be longer than needed, so that they can be used again for other batches.
 */
export interface SampleBatch {
  readonly size: number;
  /** Sample s has the places offsets[s] to offsets[s + 1] - 1 of `index` and `value`; length at least size + 1. */
  readonly offsets: Int32Array;
  /** A feature and its value at each place. If a feature occurs twice in a sample, its values are added. */
  readonly index: Int32Array;
  readonly value: Float32Array;
  /**
   * The target outputs; shape [size, outputs], row by row. Those of logits are the probabilities that the policy should have,
   * and ILLEGAL for the numbers of actions that are not legal.
   */
  readonly targets: Float32Array;
  /** The weight of each sample in the loss, usually 1; shape [size]. */
  readonly weights: Float32Array;
}

/**
 * Options of Adam (Kingma and Ba 2015, algorithm 1). Its step is stepSize * m / (sqrt(v) + epsilon), where m
 * and v are the bias-corrected moments.
 */
export interface AdamOptions {
  readonly stepSize?: number;
  readonly beta1?: number;
  readonly beta2?: number;
  readonly epsilon?: number;
  readonly loss?: Loss;
}

/** The defaults of AdamOptions; `epsilon` as in TensorFlow. */
export const ADAM_DEFAULTS = {
  stepSize: 0.001,
  beta1: 0.9,
  beta2: 0.999,
  epsilon: 1e-7,
  loss: "mean-squared-error",
} as const satisfies Required<AdamOptions>;

/** Adam's state besides the weights; the state of a training keeps it. */
export interface AdamState {
  readonly steps: number;
  /** First and second moments, not bias-corrected: layer after layer, the kernel's and then the bias's. */
  readonly first: readonly Float32Array[];
  readonly second: readonly Float32Array[];
}

/** A trainer's state as arrays by name. */
export function adamMemory({ steps, first, second }: AdamState): Record<string, Float32Array> {
  const memory: Record<string, Float32Array> = { "adam/steps": Float32Array.of(steps) };
  for (const [at, moments] of first.entries()) memory[`adam/first/${at}`] = moments;
  for (const [at, moments] of second.entries()) memory[`adam/second/${at}`] = moments;
  return memory;
}

/** The state in arrays by name, as `adamMemory` writes them; throws if one is missing. */
export function adamState(memory: Readonly<Record<string, Float32Array>>): AdamState {
  const list = (name: string): Float32Array[] => {
    const found: Float32Array[] = [];
    for (let at = 0; memory[`${name}/${at}`] !== undefined; at++) found.push(memory[`${name}/${at}`]!);
    return found;
  };
  return { steps: memory["adam/steps"]![0], first: list("adam/first"), second: list("adam/second") };
}

/** Trains a network in batches: each batch is one step of Adam. */
export interface BatchTrainer {
  /** The step size. It begins with AdamOptions and may be changed between batches. */
  stepSize: number;
  /** Does one step. Returns the loss of the batch before the step: NaN or infinite if the weights diverged. */
  trainBatch(batch: SampleBatch): number;
  /** The network with its present weights. The next step may change it; the caller must not. */
  network(): Network;
  /** A copy of the state. A new trainer with this state and this network goes on exactly like this one. */
  save(): AdamState;
  restore(state: AdamState): void;
}

/** Throws RangeError if a loss does not fit the activation of a network's last layer. */
export function checkLoss(loss: Loss, { layers }: Network): void {
  const { activation } = layers.at(-1)!;
  if (loss === "cross-entropy" && activation !== "softmax" && activation !== "sigmoid")
    throw new RangeError(`cross-entropy is for networks that end in softmax or sigmoid, not ${activation}`);
}

/** Lower probabilities are raised to this one, so that the logarithm is finite. */
const LEAST_PROBABILITY = 1e-7;

/**
 * The share of one sample in the loss of its batch: its loss times its weight, divided by the number of samples.
 * Writes the derivatives of this number with respect to the last layer's weighted sums to `gradient`.
 * @param activation of the last layer
 * @param outputs of the network for this sample, without the logits, of which there are `logits`
 */
export function sampleLoss(
  { targets, weights, size }: SampleBatch,
  sample: number,
  {
    loss,
    activation,
    outputs,
    gradient,
    logits = 0,
  }: {
    loss: Loss;
    activation: Activation;
    outputs: Float64Array;
    gradient: Float64Array;
    logits?: number;
  },
): number {
  const { length } = outputs;
  const first = sample * (length + logits);
  const scale = weights[sample] / size;
  let sum = 0;
  if (loss === "mean-squared-error") {
    for (let at = 0; at < length; at++) {
      const error = outputs[at] - targets[first + at];
      sum += error * error;
      gradient[at] = (2 * scale * error) / length;
    }
    backActivate(activation, outputs, gradient);
    return (scale * sum) / length;
  }
  // For both kinds of cross-entropy the derivative with respect to a weighted sum is output - target.
  const isSoftmax = activation === "softmax";
  const share = isSoftmax ? scale : scale / length;
  for (let at = 0; at < length; at++) {
    const target = targets[first + at];
    const output = outputs[at];
    sum -= target * logarithm(output);
    if (!isSoftmax) sum -= (1 - target) * logarithm(1 - output);
    gradient[at] = share * (output - target);
  }
  return share * sum;
}

/**
 * The same for the logits of a policy, which stand behind `outputs` outputs: a sample's loss is the Kullback-Leibler
 * divergence of the target from the softmax over the legal actions. Its gradient is that of the cross-entropy.
 */
export function policyLoss(
  { targets, weights, size }: Pick<SampleBatch, "targets" | "weights" | "size">,
  sample: number,
  { outputs, logits, gradient }: { outputs: number; logits: Float64Array; gradient: Float64Array },
): number {
  const { length } = logits;
  const first = sample * (outputs + length) + outputs;
  let highest = -Infinity;
  for (let at = 0; at < length; at++)
    if (targets[first + at] !== ILLEGAL && logits[at] > highest) highest = logits[at];
  let sum = 0;
  for (let at = 0; at < length; at++) {
    gradient[at] = targets[first + at] === ILLEGAL ? 0 : Math.exp(logits[at] - highest);
    sum += gradient[at];
  }
  const scale = weights[sample] / size;
  const level = highest + Math.log(sum);
  let loss = 0;
  for (let at = 0; at < length; at++) {
    const target = targets[first + at];
    if (target === ILLEGAL) continue;
    if (target > 0) loss += target * (Math.log(target) + level - logits[at]);
    gradient[at] = scale * (gradient[at] / sum - target);
  }
  return scale * loss;
}

function logarithm(probability: number): number {
  return Math.log(Math.max(probability, LEAST_PROBABILITY));
}
