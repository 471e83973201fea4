import type { Layers } from "./exact-layers.ts";
import type { Activation, Network } from "./network.ts";

/**
 * A layer that applies one kernel at several places, as a convolution does: each place reads `inputs` numbers of the
 * tape and writes `units`. A dense layer is one of one place.
 */
export interface PlacedLayer {
  readonly places: number;
  readonly inputs: number;
  readonly units: number;
  readonly activation: Exclude<Activation, "softmax">;
  /** With relu: the factor of sums below 0, which leaky relu has. */
  readonly slope: number;
  /** Shape [inputs, units], row by row. */
  readonly kernel: Float32Array;
  /** Shape [units]. */
  readonly bias: Float32Array;
  /** Shape [places, inputs]: the addresses on the tape of the numbers that each place reads. */
  readonly reads: Int32Array;
}

/**
 * A network of any shape, such as convolutions with residual blocks. Its numbers lie on one tape: a 0 (at address 0), the
 * inputs, the constants, and then the outputs of each layer, place by place. A layer reads only what lies before it.
 */
export interface GraphNetwork {
  readonly inputs: number;
  readonly constants: Float32Array;
  readonly layers: readonly PlacedLayer[];
  /** The addresses of the value's outputs, and behind them those of the policy's logits. */
  readonly outputs: Int32Array;
  /** The function that makes the value from its outputs. */
  readonly activation: Activation;
  /** The number of logits; 0 without a policy. */
  readonly logits: number;
}

/** A network that another library computes, such as onnxruntime. */
export interface HostedNetwork extends Pick<GraphNetwork, "inputs" | "activation" | "logits"> {
  /** The number of outputs, logits among them. */
  readonly units: number;
  /** The value's outputs come with the activation applied, and behind them the policy's logits. */
  readonly createLayers: () => Layers;
}

/** The network of an ONNX file. */
export type OnnxNetwork = GraphNetwork | HostedNetwork;

/** The address behind the inputs and the constants, where the outputs of the first layer begin. */
export function firstAddress({ inputs, constants }: Pick<GraphNetwork, "inputs" | "constants">): number {
  return 1 + inputs + constants.length;
}

/** The number of outputs, logits among them. */
export function unitsOf(network: OnnxNetwork): number {
  return "units" in network ? network.units : network.outputs.length;
}

export function isOnnx(network: Network | OnnxNetwork): network is OnnxNetwork {
  return "inputs" in network;
}
