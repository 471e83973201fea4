import type { Activation } from "./network.ts";

/** Turns the weighted sums of a layer's units, values[0..length-1], into their outputs, in place. */
export function activate(activation: Activation, values: Float64Array, length: number): void {
  switch (activation) {
    case "linear":
      return;
    case "relu":
      // Without a branch, which would go wrong every other time.
      for (let at = 0; at < length; at++) values[at] = 0.5 * (values[at] + Math.abs(values[at]));
      return;
    case "sigmoid":
      for (let at = 0; at < length; at++) values[at] = 1 / (1 + Math.exp(0 - values[at]));
      return;
    case "tanh":
      for (let at = 0; at < length; at++) values[at] = Math.tanh(values[at]);
      return;
    case "softmax":
      softmax(values, length);
  }
}

/** exp(x) / sum of exp(x), the highest x taken off first so that nothing overflows. */
function softmax(values: Float64Array, length: number): void {
  let highest = values[0];
  for (let at = 1; at < length; at++) if (values[at] > highest) highest = values[at];
  let sum = 0;
  for (let at = 0; at < length; at++) sum += values[at] = Math.exp(values[at] - highest);
  const scale = 1 / sum;
  for (let at = 0; at < length; at++) values[at] *= scale;
}

/**
 * Takes a gradient back through an activation, in place: from the derivatives by the outputs to those by
 * the weighted sums, given the outputs.
 */
export function backActivate(activation: Activation, outputs: Float64Array, gradient: Float64Array): void {
  const { length } = outputs;
  switch (activation) {
    case "linear":
      return;
    case "relu":
      for (let at = 0; at < length; at++) if (outputs[at] <= 0) gradient[at] = 0;
      return;
    case "sigmoid":
      for (let at = 0; at < length; at++) gradient[at] *= outputs[at] * (1 - outputs[at]);
      return;
    case "tanh":
      for (let at = 0; at < length; at++) gradient[at] *= 1 - outputs[at] * outputs[at];
      return;
    case "softmax": {
      let mean = 0;
      for (let at = 0; at < length; at++) mean += outputs[at] * gradient[at];
      for (let at = 0; at < length; at++) gradient[at] = outputs[at] * (gradient[at] - mean);
    }
  }
}
