import { basename, dirname, join } from "node:path";
import { InputError } from "../../base/errors.ts";
import { networkModel } from "../../evaluators/models.ts";
import { headSize, type HeadKind } from "../../evaluators/network/head.ts";
import {
  formatLayersModel,
  namesOfLayers,
  parseLayersModel,
  weightsOf,
} from "../../evaluators/network/layers-model.ts";
import type { DenseLayer, Network } from "../../evaluators/network/network.ts";
import { NetworkEvaluator } from "../../evaluators/network/network-evaluator.ts";
import { describeWeights, formatWeights, type WeightsHeader } from "../../evaluators/stored-weights.ts";
import type { FeatureSet, Game, PolicyHead } from "../../games/contract/game.ts";
import { beside, readBytes, readJson } from "./documents.ts";
import { writeWhole } from "./write-file.ts";

/**
 * Writes the model `x.model.json` and, beside it, its weights `x.weights.bin`. Each file is written whole or not at all,
 * the weights first. If only the weights of a model of another shape were written, loading throws.
 */
export function saveLayersModel(path: string, network: Network): void {
  const name = basename(path).replace(/(\.model)?\.json$/, "");
  const { json, bin } = formatLayersModel(network, name);
  writeWhole(join(dirname(path), json.weightsManifest[0]!.paths[0]!), bin);
  writeWhole(path, `${JSON.stringify(json, null, 2)}\n`);
}

/** The paths of the weights files that a model.json names. Throws InputError if it is no layers model. */
export function filesOfLayersModel(path: string): string[] {
  return weightsOf(readJson(path), path).paths.map((name) => beside(path, name));
}

/** Reads a model.json and the weights files that it names, beside it; throws InputError. */
export function loadLayersModel(path: string): Network {
  const json = readJson(path);
  const { paths, bytes } = weightsOf(json, path);
  const bins = paths.map((name) => readBytes(beside(path, name), bytes));
  return parseLayersModel(json, bins, path);
}

/** A layer with the name that the program gave it which trained the network. */
interface NamedLayer extends DenseLayer {
  readonly name: string;
}

/**
 * Makes a weights file of a TensorFlow.js layers model that another program trained. The inputs of the model are the
 * features of a feature set, in its order. Its output is the expected return from the viewer's point of view, or with
 * softmax the probability of each outcome. A second output has the logits of a policy, by the game's numbers of actions. Writes `out` and, beside it, a copy of the model. Throws InputError that names
 * the model and the faulty layer.
 * @param features name of the feature set; by default the only one with as many features as the model has inputs
 * @param date for the header
 */
export function importModel(
  path: string,
  game: Game,
  { features, out, date }: { features?: string | undefined; out: string; date: Date },
): WeightsHeader {
  const network = loadLayersModel(path);
  const names = namesOfLayers(readJson(path), path);
  const layers = network.layers.map((layer, at): NamedLayer => ({ ...layer, name: names[at]! }));
  const refuse = (message: string) => new InputError(message, path);
  const name = features ?? fittingFeatures(game, layers[0]!, refuse);
  const set = featuresNamed(game, name);
  if (set.size !== layers[0]!.inputs)
    throw refuse(`${inputsOf(layers[0]!)}, where the feature set ${name} of ${game.id} has ${set.size}`);
  const { logits = 0 } = network;
  const head = headOf(game, layers, { logits, refuse });
  const policyHead = logits === 0 ? undefined : policyOf(game, logits, refuse);
  // The evaluator checks the rest.
  new NetworkEvaluator(game, set, { network, head, policyHead });
  const policy = policyHead && ({ policy: true, policyVersion: policyHead.version } as const);
  const header = describeWeights(
    game,
    { ...modelOf(layers, name, head, refuse), ...policy, featuresVersion: set.version, size: set.size },
    { method: "imported", seed: "", games: 0, date: date.toISOString().slice(0, 10), model: basename(path) },
  );
  const model = `${basename(out, ".json")}.model.json`;
  saveLayersModel(join(dirname(out), model), network);
  writeWhole(out, formatWeights(header, { weights: { model } }));
  return header;
}

type Refuse = (message: string) => InputError;

function inputsOf({ name, inputs }: NamedLayer): string {
  return `layer "${name}" has ${inputs} inputs`;
}

function featuresNamed({ id, featureSets }: Game, name: string): FeatureSet {
  if (Object.hasOwn(featureSets, name)) return featureSets[name]!;
  throw new InputError(
    `--features: ${id} has no feature set ${name}; allowed: ${Object.keys(featureSets).join(", ")}`,
  );
}

function fittingFeatures({ id, featureSets }: Game, first: NamedLayer, refuse: Refuse): string {
  const fitting = Object.keys(featureSets).filter((name) => featureSets[name]!.size === first.inputs);
  if (fitting.length === 1) return fitting[0]!;
  if (fitting.length > 1)
    throw refuse(`${inputsOf(first)}, as have ${fitting.join(" and ")} of ${id}: say which with --features`);
  const sizes = Object.entries(featureSets).map(([name, { size }]) => `${name} (${size})`);
  throw refuse(
    `${inputsOf(first)}, which no feature set of ${id} has: ${sizes.join(", ") || "it has none"}; ` +
      "a file of your own can be one, --features ./my-features.ts",
  );
}

/** The meaning of the outputs, which the last layer tells. */
function headOf(
  game: Game,
  layers: readonly NamedLayer[],
  { logits, refuse }: { logits: number; refuse: Refuse },
): HeadKind {
  const { name, units: all, activation } = layers.at(-1)!;
  const units = all - logits;
  const outcomes = outcomesOf(game);
  if (activation === "softmax" && units === outcomes?.length) return "outcomes";
  if (activation !== "softmax" && activation !== "relu" && units === 1) return "value";
  const probabilities =
    outcomes === undefined
      ? ""
      : `, or ${outcomes.length} with softmax for the returns ${outcomes.join(", ")}`;
  throw refuse(
    `layer "${name}", the last one, has ${units} units with ${activation}; ` +
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

/** The model as the header describes it. A header has one activation for all hidden layers: that of the first. */
function modelOf(layers: readonly NamedLayer[], features: string, head: HeadKind, refuse: Refuse) {
  const hidden = layers.slice(0, -1);
  const { hidden: units, activation } = networkModel.shape;
  for (const layer of hidden) {
    if (!activation.safeParse(layer.activation).success)
      throw refuse(`layer "${layer.name}" has ${layer.activation}, which only the last layer may have`);
    if (!units.safeParse([layer.units]).success)
      throw refuse(`layer "${layer.name}" has ${layer.units} units; at most 4096 can be read`);
  }
  return networkModel.parse({
    kind: "network",
    features,
    hidden: hidden.map((layer) => layer.units),
    head,
    ...(hidden.length > 0 && { activation: hidden[0]!.activation }),
  });
}
