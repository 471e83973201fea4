import type { Random } from "../../base/random.ts";

/** The functions that make a unit's output from its weighted sum. */
export const ACTIVATIONS = ["linear", "relu", "sigmoid", "tanh", "softmax"] as const;
export type Activation = (typeof ACTIVATIONS)[number];

/** A fully connected layer: activation(input x kernel + bias). */
export interface DenseLayer {
  readonly inputs: number;
  readonly units: number;
  readonly activation: Activation;
  /** Shape [inputs, units], row by row: the weights from one input to all units lie side by side. */
  readonly kernel: Float32Array;
  /** Shape [units]. */
  readonly bias: Float32Array;
}

/** A multi-layer perceptron, first layer first. Each layer has as many inputs as the layer before it has units. */
export interface Network {
  readonly layers: readonly DenseLayer[];
  /** The last so many units of the last layer are the logits of a policy, which its activation leaves alone. Default: 0. */
  readonly logits?: number;
}

/** The shape of a network for `createNetwork`. */
export interface NetworkShape {
  readonly inputs: number;
  /** Units of each hidden layer. */
  readonly hidden: readonly number[];
  readonly hiddenActivation: Activation;
  readonly outputs: number;
  readonly outputActivation: Activation;
  /** The number of the outputs that are logits of a policy; see Network. Default: 0. */
  readonly logits?: number;
}

/**
 * Makes a network with random weights, uniform within +-sqrt(6 / (inputs + units)) (Glorot and Bengio 2010); biases are
 * 0.
 */
export function createNetwork(shape: NetworkShape, random: Random): Network {
  const sizes = [shape.inputs, ...shape.hidden, shape.outputs];
  const layers = sizes.slice(1).map((units, at): DenseLayer => {
    const inputs = sizes[at];
    const limit = Math.sqrt(6 / (inputs + units));
    const isLast = at === sizes.length - 2;
    return {
      inputs,
      units,
      activation: isLast ? shape.outputActivation : shape.hiddenActivation,
      kernel: Float32Array.from({ length: inputs * units }, () => (2 * random.float() - 1) * limit),
      bias: new Float32Array(units),
    };
  });
  return shape.logits === undefined ? { layers } : { layers, logits: shape.logits };
}

/** Turns the weighted sums of a layer's units, values[0..length-1], into their outputs, in place. */
export function activate(activation: Activation, values: Float64Array, length: number): void {
  switch (activation) {
    case "linear":
      return;
    case "relu":
      // (x + |x|) / 2 has no branch, which the processor would predict wrongly half of the time.
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

/** Computes exp(x) / sum of exp(x); it subtracts the highest x from all first, so that nothing overflows. */
function softmax(values: Float64Array, length: number): void {
  let highest = values[0];
  for (let at = 1; at < length; at++) if (values[at] > highest) highest = values[at];
  let sum = 0;
  for (let at = 0; at < length; at++) sum += values[at] = Math.exp(values[at] - highest);
  const scale = 1 / sum;
  for (let at = 0; at < length; at++) values[at] *= scale;
}

/**
 * Back-propagation through an activation, in place: `gradient` holds the derivatives by the outputs before,
 * and the derivatives by the weighted sums after.
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
