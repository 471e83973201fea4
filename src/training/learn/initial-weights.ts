import { InputError } from "../../base/errors.ts";
import { createRandom } from "../../base/random.ts";
import { unknownName } from "../../base/text.ts";
import { countWeights, flatten, modelFeatures, randomNetwork } from "../../evaluators/models.ts";
import type { StoredModel } from "../../evaluators/stored-weights.ts";
import type { FeatureSet, Game } from "../../games/contract/game.ts";
import { loadHeader, loadWeightsOf } from "../../specs/files/weights-file.ts";
import type { CheckedConfig } from "../plan/config.ts";
import { storedModel, type Allocate } from "./learnable.ts";

/**
 * The weights that a training begins with. Paths of files must be absolute. Throws InputError, its paths relative to
 * the config's `evaluator`.
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
    if (initial?.without !== undefined) throw at("initial.without", "a network has no groups of weights");
    const drawn = initial
      ? loadInitial(initial.file, game, model, "initial.file")
      : flatten(randomNetwork(game, model, createRandom(config.seed, "network")));
    const weights = allocate("weights", drawn.length);
    weights.set(drawn);
    return weights;
  }
  const weights = allocate("weights", countWeights(model, model.size));
  if (initial === undefined) return weights;
  // The weights of a policy begin with 0.
  const values = weights.subarray(0, countWeights({ ...model, policy: undefined }, model.size));
  if ("file" in initial) {
    weights.set(loadInitial(initial.file, game, model, "initial.file"));
    clearGroups(values, modelFeatures(game, model), initial.without ?? []);
  } else if ("mean" in initial) addMean(weights, initial.mean, { game, model });
  else if ("value" in initial) values.fill(initial.value / modelFeatures(game, model).maxActive);
  else fillByName(values, modelFeatures(game, model), initial.byName);
  return weights;
}

type Initial = NonNullable<CheckedConfig["evaluator"]["initial"]>;

/** The key `initial` with other names of its files. */
export function withFiles(initial: Initial, rename: (file: string) => string): Initial {
  if ("file" in initial) return { ...initial, file: rename(initial.file) };
  return "mean" in initial ? { mean: initial.mean.map((file) => rename(file)) } : initial;
}

/** Adds the mean of the weights of several files. */
function addMean(
  weights: Float32Array,
  files: readonly string[],
  { game, model }: { game: Game; model: StoredModel },
): void {
  for (const [number, file] of files.entries()) {
    const some = loadInitial(file, game, model, `initial.mean[${number}]`);
    for (let at = 0; at < some.length; at++) weights[at] += some[at] / files.length;
  }
}

/** Loads the weights of a file. One without a policy has the values alone, which come first; not in a network. */
function loadInitial(file: string, game: Game, model: StoredModel, path: string): Float32Array {
  try {
    const ofValues = model.kind !== "network" && isWithoutPolicy(file);
    return loadWeightsOf(file, game, ofValues ? { ...model, policy: undefined } : model);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(error.named.map(({ message }) => ({ path, message })));
  }
}

function isWithoutPolicy(file: string): boolean {
  const { evaluator } = loadHeader(file);
  return !("policy" in evaluator && evaluator.policy);
}

/**
 * Sets the weight of the feature of each name. A name that no feature has stands for all features whose names begin
 * with it.
 */
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

/** Sets the weights of all features of these groups to 0. */
function clearGroups(weights: Float32Array, features: FeatureSet, without: readonly string[]): void {
  if (without.length === 0) return;
  const groups = Array.from({ length: features.size }, (_, feature) => features.groupOf?.(feature));
  const known = [...new Set(groups)].filter((name) => name !== undefined);
  for (const [number, name] of without.entries())
    if (!known.includes(name))
      throw at(
        `initial.without[${number}]`,
        known.length === 0 ? "these features have no groups" : unknownName("group", name, known),
      );
  for (let place = 0; place < weights.length; place++)
    if (without.includes(groups[place % features.size] ?? "")) weights[place] = 0;
}

function at(path: string, message: string): InputError {
  return new InputError([{ path, message }]);
}
