import type { Random } from "../../base/random.ts";

/** What a unit makes of its weighted sum. */
export const ACTIVATIONS = ["linear", "relu", "sigmoid", "tanh", "softmax"] as const;
export type Activation = (typeof ACTIVATIONS)[number];

/** A fully connected layer: activation(input x kernel + bias). */
export interface DenseLayer {
  readonly inputs: number;
  readonly units: number;
  readonly activation: Activation;
  /** Shape [inputs, units], row by row: the weights that one input sends to all units lie side by side. */
  readonly kernel: Float32Array;
  /** Shape [units]. */
  readonly bias: Float32Array;
}

/** A multi-layer perceptron, first layer first; each layer has as many inputs as the one before has units. */
export interface Network {
  readonly layers: readonly DenseLayer[];
}

export interface NetworkShape {
  readonly inputs: number;
  /** Units of each hidden layer. */
  readonly hidden: readonly number[];
  readonly hiddenActivation: Activation;
  readonly outputs: number;
  readonly outputActivation: Activation;
}

/** A network with weights drawn as Glorot and Bengio (2010) do: uniform within sqrt(6 / (inputs + units)); no bias. */
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
  return { layers };
}
