import type { Loss, SampleBatch } from "./batch.ts";
import { backActivate, type Activation, type Network } from "../../../evaluators/network/network.ts";

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

function logarithm(probability: number): number {
  return Math.log(Math.max(probability, LEAST_PROBABILITY));
}
