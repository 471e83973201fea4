import { backActivate, type Activation } from "../../../evaluators/network/network.ts";
import type { SampleBatch } from "./batch.ts";

/**
 * What training makes small, as Keras defines it. The loss of a batch is the sum of weight * loss over its
 * samples, divided by the number of samples (not by the sum of the weights). With y an output and t its
 * target, the loss of a sample is
 * - `mean-squared-error`: the mean over the outputs of (y - t)^2
 * - `cross-entropy`: after sigmoid the mean over the outputs of -(t log y + (1 - t) log(1 - y)), after
 *   softmax the sum over the outputs of -t log y; only for networks that end in one of these two
 */
const LOSSES = ["mean-squared-error", "cross-entropy"] as const;
export type Loss = (typeof LOSSES)[number];

/** A lower probability counts as this one, so that its logarithm is finite. */
const LEAST_PROBABILITY = 1e-7;

/**
 * What one sample adds to the loss of its batch: its loss times its weight, divided by the number of samples.
 * Writes the derivatives of this number by the last layer's weighted sums to `gradient`.
 * @param activation of the last layer
 * @param outputs of the network for this sample
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
  // The derivative of either cross-entropy by a weighted sum is output - target.
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
