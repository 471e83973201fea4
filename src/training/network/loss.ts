import { backActivate, type Activation } from "../../evaluators/network/network.ts";
import type { SampleBatch } from "./batch.ts";

/**
 * What training makes small, as Keras defines it: the mean over the batch of weight * loss of a sample,
 * divided by the number of samples, not by the sum of weights.
 * - `mean-squared-error`: mean over the outputs of (output - target)^2
 * - `cross-entropy`: after sigmoid the mean over the outputs of -(t log y + (1 - t) log(1 - y)), after
 *   softmax the sum over the outputs of -t log y; no other activation has it
 */
export const LOSSES = ["mean-squared-error", "cross-entropy"] as const;
export type Loss = (typeof LOSSES)[number];

/** Keeps the logarithm of a probability finite. */
const LEAST_PROBABILITY = 1e-7;

/**
 * The loss of one sample of a batch, given the outputs for it, as a part of the batch's loss: times its
 * weight, over the number of samples. Writes the derivatives by the last layer's weighted sums to `gradient`.
 */
export function sampleLoss(
  { targets, weights, size }: SampleBatch,
  sample: number,
  {
    loss,
    activation,
    outputs,
    gradient,
  }: {
    loss: Loss;
    activation: Activation;
    outputs: Float64Array;
    gradient: Float64Array;
  },
): number {
  const { length } = outputs;
  const first = sample * length;
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
  // The derivatives of both cross-entropies by the weighted sums are output - target.
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

function logarithm(probability: number): number {
  return Math.log(Math.max(probability, LEAST_PROBABILITY));
}
