import { z } from "zod";
import { InputError } from "../base/errors.ts";
import type { Random } from "../base/random.ts";
import type { Game } from "../games/game.ts";
import { namedFeatures } from "./linear-model.ts";
import { defaultActivation, HEADS, headSize } from "./network/head.ts";
import { ACTIVATIONS, createNetwork, type DenseLayer, type Network } from "./network/network.ts";
import { NetworkEvaluator } from "./network/network-evaluator.ts";

/** A small multi-layer network over a feature set, as data. */
export const networkModel = z.strictObject({
  kind: z.literal("network").describe("a multi-layer network"),
  features: z.string().describe("a feature set of the game"),
  hidden: z.array(z.int().min(1).max(4096)).default([80]).describe("units of each hidden layer"),
  activation: z.enum(ACTIVATIONS).exclude(["softmax"]).default("relu").describe("of the hidden units"),
  head: z
    .enum(HEADS)
    .default("value")
    .describe("what the outputs say: the expected return, or how probable each possible return is"),
});
export type NetworkModel = z.output<typeof networkModel>;

/** A network of the model's shape with random weights; throws InputError where the game does not fit. */
export function randomNetwork(game: Game, model: NetworkModel, random: Random): Network {
  const { hidden, activation, head, features } = model;
  return createNetwork(
    {
      inputs: namedFeatures(game, features).size,
      hidden,
      hiddenActivation: activation,
      outputs: outputsOf(game, model),
      outputActivation: defaultActivation(head),
    },
    random,
  );
}

/** Throws InputError where the network does not fit the model or the game. */
export function createNetworkEvaluator(game: Game, model: NetworkModel, network: Network): NetworkEvaluator {
  const { features, head } = model;
  try {
    return new NetworkEvaluator(game, namedFeatures(game, features), { network, head });
  } catch (error) {
    throw error instanceof RangeError ? new InputError(error.message) : error;
  }
}

/** All weights in one array: of each layer in turn the kernel, then the bias. */
export function flatten({ layers }: Network): Float32Array {
  const flat = new Float32Array(layers.reduce((sum, layer) => sum + sizeOf(layer), 0));
  let at = 0;
  for (const { kernel, bias } of layers) {
    flat.set(kernel, at);
    flat.set(bias, at + kernel.length);
    at += kernel.length + bias.length;
  }
  return flat;
}

/** The network of the model's shape whose weights lie in `flat`; throws InputError where their number differs. */
export function unflatten(game: Game, model: NetworkModel, flat: Float32Array): Network {
  const { features, hidden, activation, head } = model;
  const sizes = [namedFeatures(game, features).size, ...hidden, outputsOf(game, model)];
  const layers: DenseLayer[] = [];
  let at = 0;
  for (let layer = 1; layer < sizes.length; layer++) {
    const [inputs, units] = [sizes[layer - 1]!, sizes[layer]!];
    const end = at + inputs * units;
    layers.push({
      inputs,
      units,
      activation: layer === sizes.length - 1 ? defaultActivation(head) : activation,
      kernel: flat.subarray(at, end),
      bias: flat.subarray(end, end + units),
    });
    at = end + units;
  }
  if (at !== flat.length) throw new InputError(`${flat.length} weights where the layers have ${at}`);
  return { layers };
}

function sizeOf({ kernel, bias }: DenseLayer): number {
  return kernel.length + bias.length;
}

function outputsOf(game: Game, { head }: NetworkModel): number {
  try {
    return headSize(game, head);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new InputError([{ path: "head", message: error.message }]);
  }
}
