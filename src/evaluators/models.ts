import { z } from "zod";
import { InputError } from "../base/errors.ts";
import { unknownName } from "../base/text.ts";
import type { Random } from "../base/random.ts";
import type { FeatureSet, Game, PolicyHead } from "../games/contract/game.ts";
import { LinearEvaluator, OUTPUTS } from "./linear.ts";
import { entriesOf, MAX_ENTRIES, tupleCells, tupleFeatures } from "./n-tuple.ts";
import { defaultActivation, HEADS, headSize } from "./network/head.ts";
import { ACTIVATIONS, createNetwork, type DenseLayer, type Network } from "./network/network.ts";
import type { OnnxNetwork } from "./network/graph-network.ts";
import { NetworkEvaluator } from "./network/network-evaluator.ts";

const stages = z
  .array(z.int().min(1))
  .default([])
  .describe("the beginnings of new stages, in the game's progress; each stage has weights of its own");

const policy = z
  .literal(true)
  .optional()
  .describe(
    "a policy beside the value: each action's logit is a weighted sum, too, over the features of the position after it",
  );

const output = z.enum(OUTPUTS).default("tanh").describe("the function from the sum to a return");

/** A weighted sum over a feature set, as a config describes it. */
export const linearModel = z.strictObject({
  kind: z.literal("linear").optional().default("linear").describe("a weighted sum of features"),
  features: z.string().describe("a feature set of the game, or a file of your own"),
  output,
  stages,
  policy,
});

/** An n-tuple network, as a config describes it. */
export const nTupleModel = z.strictObject({
  kind: z.literal("n-tuple").describe("tables over the contents of cells"),
  tuples: z
    .array(z.array(z.int().min(0)).min(1))
    .min(1)
    .describe("the cells of each tuple"),
  output,
  stages,
  policy,
});

export type LinearModel = z.output<typeof linearModel>;
export type NTupleModel = z.output<typeof nTupleModel>;

/**
 * Returns the features that a model reads; throws InputError, with a path relative to the model, if the game does not
 * fit.
 */
export function modelFeatures(game: Game, model: LinearModel | NTupleModel): FeatureSet {
  checkStages(game, model.stages);
  return model.kind === "linear" ? namedFeatures(game, model.features) : tuplesOf(game, model.tuples);
}

/** Returns the game's feature set of that name; throws InputError if there is none. */
export function namedFeatures(game: Game, name: string): FeatureSet {
  if (Object.hasOwn(game.featureSets, name)) return game.featureSets[name]!;
  throw at("features", unknownName("feature set", name, Object.keys(game.featureSets)));
}

/**
 * Makes the evaluator of a model from the features' weights, stage after stage; throws InputError if the game does not
 * fit.
 */
export function createLinear(
  game: Game,
  model: LinearModel | NTupleModel,
  weights: Float32Array,
): LinearEvaluator {
  return new LinearEvaluator(game, modelFeatures(game, model), { ...model, weights });
}

/** Returns the number of weights of a model with `size` features: all stages, and as many for a policy. */
export function countWeights({ stages, policy }: LinearModel | NTupleModel, size: number): number {
  return size * (stages.length + 1) * (policy === undefined ? 1 : 2);
}

function tuplesOf(game: Game, tuples: readonly (readonly number[])[]): FeatureSet {
  const { tupleBoard: board } = game;
  if (board === undefined) throw at("kind", `${game.id} has no board that n-tuples could read`);
  for (const [index, cells] of tuples.entries()) {
    const beyond = cells.find((cell) => cell >= tupleCells(board));
    if (beyond !== undefined)
      throw at(`tuples[${index}]`, `there is no cell ${beyond}; cells are 0 to ${tupleCells(board) - 1}`);
    if (new Set(cells).size < cells.length) throw at(`tuples[${index}]`, "holds a cell twice");
  }
  const entries = entriesOf(board, tuples);
  if (entries > MAX_ENTRIES)
    throw at("tuples", `their tables would have ${entries} entries; at most ${MAX_ENTRIES}`);
  return tupleFeatures(board, tuples);
}

function checkStages({ id, phase }: Game, begins: readonly number[]): void {
  if (begins.length === 0) return;
  if (phase === undefined) throw at("stages", `${id} has no measure of progress for stages`);
  const { unit, max } = phase;
  if (begins.some((begin, index) => begin > max || (index > 0 && begin <= begins[index - 1]!)))
    throw at("stages", `must be ascending numbers of ${unit}, at most ${max}`);
}

function at(path: string, message: string): InputError {
  return new InputError([{ path, message }]);
}

/** A small multi-layer network over a feature set, as a config describes it. */
export const networkModel = z.strictObject({
  kind: z.literal("network").describe("a multi-layer network"),
  features: z.string().describe("a feature set of the game, or a file of your own"),
  hidden: z.array(z.int().min(1).max(4096)).max(32).default([80]).describe("units of each hidden layer"),
  activation: z
    .enum(ACTIVATIONS)
    .exclude(["softmax"])
    .default("relu")
    .describe("activation of the hidden units"),
  head: z
    .enum(HEADS)
    .default("value")
    .describe("the meaning of the outputs: the expected return, or the probability of each possible return"),
  policy: z
    .literal(true)
    .optional()
    .describe("outputs for a policy over the game's actions, too, beside the value"),
});
export type NetworkModel = z.output<typeof networkModel>;

/** A network of any shape that another program trained: an ONNX file with convolutions, residual blocks and so on. */
export const onnxModel = z.strictObject({
  kind: z.literal("onnx").describe("a network of another program, such as one with convolutions"),
  ...networkModel.pick({ features: true, head: true, policy: true }).shape,
});

/** The most weights of a network that is trained here: 128 MB, and several times that while it learns. */
const MAX_WEIGHTS = 2 ** 25;

/** Makes a network of the model's shape with random weights; throws InputError if the game does not fit. */
export function randomNetwork(game: Game, model: NetworkModel, random: Random): Network {
  const { hidden, activation, head, features } = model;
  const inputs = namedFeatures(game, features).size;
  const outputs = outputsOf(game, model);
  const units = [inputs, ...hidden, outputs];
  const weights = units.slice(1).reduce((sum, count, layer) => sum + count * (units[layer]! + 1), 0);
  if (weights > MAX_WEIGHTS)
    throw at("hidden", `the network would have ${weights} weights; at most ${MAX_WEIGHTS}`);
  return createNetwork(
    {
      inputs,
      hidden,
      hiddenActivation: activation,
      outputs,
      outputActivation: defaultActivation(head),
      ...logitsOf(game, model),
    },
    random,
  );
}

/**
 * Makes the evaluator of a model and its network; throws InputError if the network does not fit the model or the game.
 */
export function createNetworkEvaluator(
  game: Game,
  model: Pick<NetworkModel, "features" | "head" | "policy">,
  network: Network | OnnxNetwork,
): NetworkEvaluator {
  const { features, head, policy } = model;
  try {
    return new NetworkEvaluator(game, namedFeatures(game, features), {
      network,
      head,
      ...(policy && { policyHead: headOfPolicy(game) }),
    });
  } catch (error) {
    throw error instanceof RangeError ? new InputError(error.message) : error;
  }
}

/** Returns all weights of a network in one array: the kernel and then the bias of each layer, first layer first. */
export function flatten({ layers }: Network): Float32Array {
  const flat = new Float32Array(
    layers.reduce((sum, { kernel, bias }) => sum + kernel.length + bias.length, 0),
  );
  let at = 0;
  for (const { kernel, bias } of layers) {
    flat.set(kernel, at);
    flat.set(bias, at + kernel.length);
    at += kernel.length + bias.length;
  }
  return flat;
}

/**
 * Makes the network of the model's shape whose weights lie in `flat` as `flatten` writes them; throws InputError if
 * their number differs. The network shares the memory of `flat`.
 */
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
  if (at !== flat.length)
    throw new InputError(
      `number of weights: there are ${flat.length}, layers of ${sizes.join(", ")} units need ${at}`,
    );
  return { layers, ...logitsOf(game, model) };
}

/** The numbers of actions that a policy has outputs for; throws InputError if the game has none. */
export function headOfPolicy({ id, policyHead }: Game): PolicyHead {
  if (policyHead === undefined)
    throw at(
      "policy",
      `${id} has no numbers for its actions (the facet \`policyHead\`), which networks need: leave it out, or take \`kind: n-tuple\` or \`linear\`, whose policies need none`,
    );
  return policyHead;
}

function logitsOf(game: Game, { policy }: NetworkModel): { logits?: number } {
  return policy === undefined ? {} : { logits: headOfPolicy(game).size };
}

function outputsOf(game: Game, { head, policy }: NetworkModel): number {
  try {
    return headSize(game, head) + (policy === undefined ? 0 : headOfPolicy(game).size);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new InputError([{ path: "head", message: error.message }]);
  }
}
