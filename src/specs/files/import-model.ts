import { basename, dirname, join } from "node:path";
import { InputError } from "../../base/errors.ts";
import { networkModel } from "../../evaluators/models.ts";
import { isOnnx, type OnnxNetwork, unitsOf } from "../../evaluators/network/graph-network.ts";
import { headSize, type HeadKind } from "../../evaluators/network/head.ts";
import { namesOfLayers } from "../../evaluators/network/layers-model.ts";
import { layerName } from "../../evaluators/network/layers-topology.ts";
import type { Activation, Network } from "../../evaluators/network/network.ts";
import { NetworkEvaluator } from "../../evaluators/network/network-evaluator.ts";
import { asChain } from "../../evaluators/network/onnx/onnx-network.ts";
import { describeWeights, formatWeights, type WeightsHeader } from "../../evaluators/stored-weights.ts";
import type { FeatureSet, Game, PolicyHead } from "../../games/contract/game.ts";
import { readBytes, readJson } from "./documents.ts";
import { loadLayersModel, saveLayersModel } from "./layers-model-file.ts";
import { loadOnnx, ONNX_NAME } from "./onnx-file.ts";
import { writeWhole } from "./write-file.ts";

/** A network that another program trained, and how messages name its ends. */
interface Foreign {
  /** A chain of dense layers where it can be one. */
  readonly network: Network | OnnxNetwork;
  /** The names of the layers of a chain. */
  readonly names: readonly string[];
  readonly inputs: { readonly named: string; readonly count: number };
  readonly value: { readonly named: string; readonly units: number; readonly activation: Activation };
  /** The number of logits of its policy; 0 without one. */
  readonly logits: number;
}

/**
 * Makes a weights file of a network that another program trained: a TensorFlow.js layers model, or a file whose name ends in
 * .onnx. The inputs are the features of a feature set, in its order. The output is the expected return from the viewer's point of
 * view, or with softmax the probability of each outcome. A second output has the logits of a policy, by the game's numbers of
 * actions. Writes `out` and, beside it, a copy of the model. Throws InputError that names the model and the faulty layer or node.
 * @param features name of the feature set; by default the only one with as many features as the model has inputs
 * @param date for the header
 */
export function importModel(
  path: string,
  game: Game,
  { features, out, date }: { features?: string | undefined; out: string; date: Date },
): WeightsHeader {
  const foreign = ONNX_NAME.test(path) ? readOnnx(path) : readLayersModel(path);
  const { network, names, inputs, logits } = foreign;
  const refuse = (message: string) => new InputError(message, path);
  const name = features ?? fittingFeatures(game, foreign, refuse);
  const set = featuresNamed(game, name);
  if (set.size !== inputs.count)
    throw refuse(`${inputsOf(inputs)}, where the feature set ${name} of ${game.id} has ${set.size}`);
  const head = headOf(game, foreign, refuse);
  const policyHead = logits === 0 ? undefined : policyOf(game, logits, refuse);
  // The evaluator checks the rest.
  new NetworkEvaluator(game, set, { network, head, policyHead });
  const policy = policyHead && ({ policy: true, policyVersion: policyHead.version } as const);
  const shape = isOnnx(network) ? ({ kind: "onnx" } as const) : chainOf(network, names, refuse);
  const header = describeWeights(
    game,
    { ...shape, features: name, head, ...policy, featuresVersion: set.version, size: set.size },
    { method: "imported", seed: "", games: 0, date: date.toISOString().slice(0, 10), model: basename(path) },
  );
  const model = `${basename(out, ".json")}${isOnnx(network) ? ".onnx" : ".model.json"}`;
  const copy = join(dirname(out), model);
  if (isOnnx(network)) writeWhole(copy, readBytes(path));
  else saveLayersModel(copy, network);
  writeWhole(out, formatWeights(header, { weights: { model } }));
  return header;
}

function readLayersModel(path: string): Foreign {
  const network = loadLayersModel(path);
  const names = namesOfLayers(readJson(path), path);
  const { layers, logits = 0 } = network;
  const { units, activation } = layers.at(-1)!;
  return {
    network,
    names,
    inputs: { named: `layer "${names[0]}"`, count: layers[0]!.inputs },
    value: { named: `layer "${names.at(-1)}", the last one,`, units: units - logits, activation },
    logits,
  };
}

function readOnnx(path: string): Foreign {
  const graph = loadOnnx(path);
  const chain = "createLayers" in graph ? undefined : asChain(graph);
  const { inputs, logits, activation } = graph;
  return {
    network: chain ?? graph,
    names: chain?.layers.map((_, at) => layerName(at)) ?? [],
    inputs: { named: "the network", count: inputs },
    value: { named: "the first output", units: unitsOf(graph) - logits, activation },
    logits,
  };
}

type Refuse = (message: string) => InputError;

function inputsOf({ named, count }: Foreign["inputs"]): string {
  return `${named} has ${count} inputs`;
}

function featuresNamed({ id, featureSets }: Game, name: string): FeatureSet {
  if (Object.hasOwn(featureSets, name)) return featureSets[name]!;
  throw new InputError(
    `--features: ${id} has no feature set ${name}; allowed: ${Object.keys(featureSets).join(", ")}`,
  );
}

function fittingFeatures({ id, featureSets }: Game, { inputs }: Foreign, refuse: Refuse): string {
  const fitting = Object.keys(featureSets).filter((name) => featureSets[name]!.size === inputs.count);
  if (fitting.length === 1) return fitting[0]!;
  if (fitting.length > 1)
    throw refuse(`${inputsOf(inputs)}, as have ${fitting.join(" and ")} of ${id}: say which with --features`);
  const sizes = Object.entries(featureSets).map(([name, { size }]) => `${name} (${size})`);
  throw refuse(
    `${inputsOf(inputs)}, which no feature set of ${id} has: ${sizes.join(", ") || "it has none"}; ` +
      "a file of your own can be one, --features ./my-features.ts",
  );
}

/** The meaning of the value's outputs. */
function headOf(game: Game, { value }: Foreign, refuse: Refuse): HeadKind {
  const { named, units, activation } = value;
  const outcomes = outcomesOf(game);
  if (activation === "softmax" && units === outcomes?.length) return "outcomes";
  if (activation !== "softmax" && activation !== "relu" && units === 1) return "value";
  const probabilities =
    outcomes === undefined
      ? ""
      : `, or ${outcomes.length} with softmax for the returns ${outcomes.join(", ")}`;
  throw refuse(
    `${named} has ${units} units with ${activation}; ` +
      `${game.id} takes 1 with linear, tanh or sigmoid${probabilities}`,
  );
}

/** The numbers of actions of the second output. */
function policyOf({ id, policyHead }: Game, logits: number, refuse: Refuse): PolicyHead {
  if (policyHead?.size === logits) return policyHead;
  const wanted =
    policyHead === undefined
      ? "which has no numbers for its actions"
      : `whose policies have ${policyHead.size}`;
  throw refuse(`the second output has ${logits} units, for ${id}, ${wanted}`);
}

function outcomesOf(game: Game): readonly number[] | undefined {
  try {
    headSize(game, "outcomes");
    return game.outcomes;
  } catch {
    return undefined;
  }
}

/** The chain as the header describes it. A header has one activation for all hidden layers: that of the first. */
function chainOf({ layers }: Network, names: readonly string[], refuse: Refuse) {
  const hidden = layers.slice(0, -1).map((layer, at) => ({ ...layer, name: names[at]! }));
  const { hidden: units, activation } = networkModel.shape;
  for (const layer of hidden) {
    if (!activation.safeParse(layer.activation).success)
      throw refuse(`layer "${layer.name}" has ${layer.activation}, which only the last layer may have`);
    if (!units.safeParse([layer.units]).success)
      throw refuse(`layer "${layer.name}" has ${layer.units} units; at most 4096 can be read`);
  }
  return {
    kind: "network",
    hidden: hidden.map((layer) => layer.units),
    activation: networkModel.shape.activation.parse(hidden[0]?.activation),
  } as const;
}
