import { InputError } from "../../base/errors.ts";
import { createRandom } from "../../base/random.ts";
import {
  createLinear,
  modelFeatures,
  namedFeatures,
  createNetworkEvaluator,
  flatten,
  randomNetwork,
  unflatten,
} from "../../evaluators/models.ts";
import type { LinearEvaluator } from "../../evaluators/linear.ts";
import { writeTuples } from "../../evaluators/tuple-shapes.ts";
import type { NetworkEvaluator } from "../../evaluators/network/network-evaluator.ts";
import type { Network } from "../../evaluators/network/network.ts";
import { loadWeightsOf } from "../../specs/weights-file.ts";
import type { StoredModel } from "../../evaluators/stored-weights.ts";
import type { FeatureSet, Game } from "../../games/game.ts";
import type { CheckedConfig } from "../plan/config.ts";

type Model = CheckedConfig["evaluator"];

/** Makes an array of zeros, by its name: of its own, or one that several threads share. */
export type Allocate = (name: string, length: number) => Float32Array;

/** An evaluator that learns, and its weights in one array, where they change as it learns. */
export type Learnable = LinearLearnable | NetworkLearnable;

export interface LinearLearnable {
  readonly kind: "linear";
  readonly evaluator: LinearEvaluator;
  readonly weights: Float32Array;
}

export interface NetworkLearnable {
  readonly kind: "network";
  readonly evaluator: NetworkEvaluator;
  /** Its layers lie in `weights`. */
  readonly network: Network;
  readonly weights: Float32Array;
}

/** The model as it is stored with its weights: tuples written out, with the size of what it reads. */
export function storedModel(game: Game, given: Model): StoredModel {
  const { initial: _, ...model } = given;
  if (model.kind === "n-tuple") {
    const { tupleBoard: board } = game;
    if (board === undefined) throw at("kind", `${game.id} has no board that n-tuples could read`);
    const written = { ...model, tuples: writeTuples(board, model.tuples) };
    return { ...written, size: modelFeatures(game, written).size };
  }
  const features = model.kind === "linear" ? modelFeatures(game, model) : namedFeatures(game, model.features);
  return { ...model, featuresVersion: features.version, size: features.size };
}

/** The evaluator with the weights that are in the array; see `initialWeights`. */
export function createLearnable(game: Game, model: StoredModel, weights: Float32Array): Learnable {
  if (model.kind !== "network")
    return { kind: "linear", evaluator: createLinear(game, model, weights), weights };
  const network = unflatten(game, model, weights);
  return { kind: "network", evaluator: createNetworkEvaluator(game, model, network), network, weights };
}

/**
 * The weights to begin with; throws InputError, its paths relative to the config's `evaluator`. Relative
 * file names must be absolute by now.
 */
export function initialWeights(
  game: Game,
  config: Pick<CheckedConfig, "evaluator" | "seed">,
  allocate: Allocate,
): Float32Array {
  const { initial } = config.evaluator;
  const model = storedModel(game, config.evaluator);
  if (model.kind === "network") {
    if (initial !== undefined && !("file" in initial))
      throw at("initial", "a network begins with random weights, or with those of a file");
    const drawn = initial
      ? loadInitial(initial.file, game, model)
      : flatten(randomNetwork(game, model, createRandom(config.seed, "network")));
    const weights = allocate("weights", drawn.length);
    weights.set(drawn);
    return weights;
  }
  const weights = allocate("weights", model.size * (model.stages.length + 1));
  if (initial === undefined) return weights;
  if ("file" in initial) weights.set(loadInitial(initial.file, game, model));
  else if ("value" in initial) weights.fill(initial.value / modelFeatures(game, model).maxActive);
  else fillByName(weights, modelFeatures(game, model), initial.byName);
  return weights;
}

function loadInitial(file: string, game: Game, model: StoredModel): Float32Array {
  try {
    return loadWeightsOf(file, game, model);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    // The lines of the message name the file.
    throw new InputError(error.message.split("\n").map((message) => ({ path: "initial.file", message })));
  }
}

/** Sets the features of a name, or where none has just this name, those whose names begin with it. */
function fillByName(
  weights: Float32Array,
  features: FeatureSet,
  byName: Readonly<Record<string, number>>,
): void {
  const described = Array.from({ length: features.size }, (_, feature) => features.describe(feature));
  for (const [name, weight] of Object.entries(byName)) {
    const isExact = described.includes(name);
    const meant = [...described.keys()].filter((feature) => {
      const full = described[feature]!;
      return isExact ? full === name : full.startsWith(name);
    });
    let found = 0;
    for (const feature of meant) {
      found++;
      for (let place = feature; place < weights.length; place += features.size) weights[place] = weight;
    }
    if (found > 0) continue;
    throw at(
      "initial.byName",
      `no feature's name begins with "${name}"; names are like ${described.slice(0, 5).join(", ")}`,
    );
  }
}

function at(path: string, message: string): InputError {
  return new InputError([{ path, message }]);
}
