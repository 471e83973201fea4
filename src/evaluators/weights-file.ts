import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import { check } from "../base/check.ts";
import { InputError, unknownName } from "../base/errors.ts";
import type { Game } from "../games/game.ts";
import { LinearEvaluator, OUTPUTS } from "./linear.ts";

const FORMAT_VERSION = 1;

const header = {
  format: z.literal("agon-weights"),
  formatVersion: z.literal(FORMAT_VERSION),
  game: z.strictObject({
    id: z.string(),
    version: z.int(),
    options: z.record(z.string(), z.unknown()),
  }),
  evaluator: z.strictObject({
    kind: z.literal("linear"),
    features: z.string(),
    featuresVersion: z.int(),
    size: z.int(),
    output: z.enum(OUTPUTS),
  }),
  /** How the weights came about: for people, and for `agon train` to make them again. */
  training: z
    .object({
      method: z.string(),
      seed: z.string(),
      games: z.int(),
      date: z.string(),
    })
    .loose(),
};

const weightsFile = z.strictObject({ ...header, weights: z.array(z.number()) });
export type WeightsFile = z.output<typeof weightsFile>;

/** The header and weights of an evaluator for `game`. */
export function describeWeights(
  game: Game,
  evaluator: LinearEvaluator,
  training: WeightsFile["training"],
): WeightsFile {
  const features = Object.entries(game.featureSets).find(([, set]) => set === evaluator.features);
  if (features === undefined) throw new Error(`the evaluator's features are not ${game.id}'s`);
  return {
    format: "agon-weights",
    formatVersion: FORMAT_VERSION,
    game: { id: game.id, version: game.version, options: { ...game.options } },
    evaluator: {
      kind: "linear",
      features: features[0],
      featuresVersion: evaluator.features.version,
      size: evaluator.features.size,
      output: evaluator.output,
    },
    training,
    weights: Array.from(evaluator.weights, (weight) => Number(weight.toPrecision(9))),
  };
}

/** Writes whole or not at all. */
export function saveWeights(path: string, file: WeightsFile): void {
  mkdirSync(dirname(path), { recursive: true });
  const { weights, ...rest } = file;
  const text = `${JSON.stringify(rest, null, 2).slice(0, -2)},\n  "weights": ${JSON.stringify(weights)}\n}\n`;
  writeFileSync(`${path}.part`, text);
  renameSync(`${path}.part`, path);
}

/** Reads a weights file for `game`; throws InputError when anything differs from what it was made for. */
export function loadWeights(path: string, game: Game): LinearEvaluator {
  const file = check(weightsFile, readJson(path), path);
  const problems = differences(file, game).map((message) => ({ path: "", message }));
  if (problems.length > 0) throw new InputError(problems, path);
  return new LinearEvaluator(game, game.featureSets[file.evaluator.features]!, {
    weights: Float32Array.from(file.weights),
    output: file.evaluator.output,
  });
}

/** What keeps the weights from being used for `game`. */
function differences({ game: made, evaluator, weights }: WeightsFile, game: Game): string[] {
  if (made.id !== game.id) return [`game: the weights are for ${made.id}, wanted is ${game.id}`];
  const { features: name, size } = evaluator;
  const features = Object.hasOwn(game.featureSets, name) ? game.featureSets[name] : undefined;
  return [
    differs("game version", made.version, game.version),
    differs("game options", JSON.stringify(made.options), JSON.stringify(game.options)),
    features === undefined
      ? unknownName("feature set", name, Object.keys(game.featureSets))
      : differs("feature set version", evaluator.featuresVersion, features.version),
    features && differs("feature set size", size, features.size),
    weights.length === size
      ? undefined
      : `number of weights: the file has ${weights.length}, its header says ${size}`,
  ].filter((difference) => difference !== undefined);
}

function differs(what: string, inFile: string | number, wanted: string | number): string | undefined {
  return inFile === wanted ? undefined : `${what}: the weights are for ${inFile}, wanted is ${wanted}`;
}

function readJson(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new InputError(`cannot be read: ${(error as Error).message}`, path);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InputError(`is not JSON: ${(error as Error).message}`, path);
  }
}
