import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { z } from "zod";
import { check } from "../base/check.ts";
import { InputError, unknownName } from "../base/errors.ts";
import { formatJson } from "../base/json.ts";
import { writeWhole } from "../base/write-file.ts";
import type { Game } from "../games/game.ts";
import { createLinear, linearModel, nTupleModel } from "./linear-model.ts";
import type { LinearEvaluator } from "./linear.ts";
import { createNetworkEvaluator, flatten, networkModel, unflatten } from "./network-model.ts";
import { loadLayersModel } from "./network/layers-model.ts";
import { entriesOf } from "./n-tuple.ts";
import type { NetworkEvaluator } from "./network/network-evaluator.ts";
import type { Network } from "./network/network.ts";

const FORMAT_VERSION = 2;

/** More weights than these are kept in a file of their own, beside the header. */
const MOST_INLINE = 100_000;

const featured = { featuresVersion: z.int(), size: z.int() };

const model = z.discriminatedUnion("kind", [
  linearModel.extend(featured),
  nTupleModel.extend({ size: z.int() }),
  networkModel.extend(featured),
]);
/** What reads the weights: the model as in a training's config, and the size of what it reads. */
export type StoredModel = z.output<typeof model>;
type Tables = Exclude<StoredModel, { kind: "network" }>;

/** The weights themselves; in a file beside this one as float32, little endian, gzipped; or in a TensorFlow.js layers model. */
const weights = z.union([
  z.array(z.number()),
  z.strictObject({ file: z.string() }),
  z.strictObject({ model: z.string() }),
]);

const weightsFile = z.strictObject({
  format: z.literal("agon-weights"),
  formatVersion: z.union([z.literal(1), z.literal(FORMAT_VERSION)]),
  game: z.strictObject({
    id: z.string(),
    version: z.int(),
    options: z.record(z.string(), z.unknown()),
  }),
  evaluator: model,
  /** How the weights came about: for people, and for `agon train` to make them again. */
  training: z
    .object({
      method: z.string(),
      seed: z.string(),
      games: z.int(),
      date: z.string(),
    })
    .loose(),
  weights,
});
export type WeightsFile = z.output<typeof weightsFile>;

/** A weights file's header: everything but the weights. */
export type WeightsHeader = Omit<WeightsFile, "weights">;

export function describeWeights(
  game: Game,
  evaluator: StoredModel,
  training: WeightsFile["training"],
): WeightsHeader {
  return {
    format: "agon-weights",
    formatVersion: FORMAT_VERSION,
    game: { id: game.id, version: game.version, options: { ...game.options } },
    evaluator,
    training,
  };
}

/** Writes a header and its weights; each file whole or not at all, the header last. */
export function saveWeights(path: string, header: WeightsHeader, values: Float32Array): void {
  const inline = values.length <= MOST_INLINE;
  const file = `${basename(path, ".json")}.f32.gz`;
  if (!inline) {
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    writeWhole(join(dirname(path), file), gzipSync(bytes, { level: 1 }));
  }
  // Nine digits tell all float32 apart.
  const stored = inline ? Array.from(values, (weight) => Number(weight.toPrecision(9))) : { file };
  writeWhole(path, `${formatJson(header).slice(0, -2)},\n  "weights": ${JSON.stringify(stored)}\n}\n`);
}

/** What a weights file holds: tables of weights, stage after stage, or the layers of a network. */
export type Stored =
  | { readonly model: Tables; readonly weights: Float32Array }
  | { readonly model: Extract<StoredModel, { kind: "network" }>; readonly network: Network };

/** Reads a weights file for `game`; throws InputError when anything differs from what it was made for. */
export function loadStored(path: string, game: Game): Stored {
  const { evaluator: model, weights: stored } = loadChecked(path, game);
  return naming(path, () => {
    if (model.kind !== "network") return { model, weights: tablesOf(path, model, stored) };
    const network =
      "model" in stored
        ? loadLayersModel(join(dirname(path), stored.model))
        : unflatten(game, model, numbersOf(path, stored));
    return { model, network };
  });
}

/** The evaluator of a weights file; throws InputError as `loadStored` does. */
export function loadWeights(path: string, game: Game): LinearEvaluator | NetworkEvaluator {
  const stored = loadStored(path, game);
  return naming(path, () =>
    "network" in stored
      ? createNetworkEvaluator(game, stored.model, stored.network)
      : createLinear(game, stored.model, stored.weights),
  );
}

/** Names the file in what is thrown. */
function naming<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof InputError ? new InputError(error.problems, path) : error;
  }
}

/** The weights of a file that are for the same model; throws InputError where they are not. */
export function loadWeightsOf(path: string, game: Game, wanted: StoredModel): Float32Array {
  const { evaluator, weights: stored } = loadChecked(path, game);
  const { kind: _, ...parts } = evaluator;
  for (const [part, value] of Object.entries({ kind: evaluator.kind, ...parts })) {
    const other = (wanted as Readonly<Record<string, unknown>>)[part];
    if (JSON.stringify(value) !== JSON.stringify(other))
      throw new InputError(
        `${part}: the weights are for ${JSON.stringify(value)}, wanted is ${JSON.stringify(other)}`,
        path,
      );
  }
  return naming(path, () => {
    if (evaluator.kind !== "network") return tablesOf(path, evaluator, stored);
    return "model" in stored
      ? flatten(loadLayersModel(join(dirname(path), stored.model)))
      : numbersOf(path, stored);
  });
}

function loadChecked(path: string, game: Game): WeightsFile {
  const file = readWeightsFile(path);
  const problems = differences(file, game).map((message) => ({ path: "", message }));
  if (problems.length > 0) throw new InputError(problems, path);
  return file;
}

/** The weights of a file as they are, whatever they are for; throws InputError. */
export function loadNumbers(path: string): Float32Array {
  return numbersOf(path, readWeightsFile(path).weights);
}

/** The header of a weights file; throws InputError. */
export function loadHeader(path: string): WeightsHeader {
  const { weights: _, ...header } = readWeightsFile(path);
  return header;
}

/** The file and those beside it that it needs, for who copies it. */
export function filesOfWeights(path: string): string[] {
  const { weights: stored } = readWeightsFile(path);
  const beside = (name: string) => join(dirname(path), name);
  if (Array.isArray(stored)) return [path];
  if ("file" in stored) return [path, beside(stored.file)];
  const manifest = readJson(beside(stored.model)) as { weightsManifest?: { paths: string[] }[] };
  const parts = manifest.weightsManifest?.flatMap(({ paths }) => paths) ?? [];
  return [path, beside(stored.model), ...parts.map((part) => join(dirname(beside(stored.model)), part))];
}

/** The weights of all stages; throws InputError where their number is another one than the header says. */
function tablesOf(path: string, model: Tables, stored: WeightsFile["weights"]): Float32Array {
  const values = numbersOf(path, stored);
  const wrong = countDifference(model, values.length);
  if (wrong !== undefined) throw new InputError(wrong);
  return values;
}

function countDifference({ size, stages }: Tables, count: number): string | undefined {
  const needed = size * (stages.length + 1);
  return count === needed ? undefined : `number of weights: the file has ${count}, its header says ${needed}`;
}

function numbersOf(path: string, stored: WeightsFile["weights"]): Float32Array {
  if (Array.isArray(stored)) return Float32Array.from(stored);
  if ("model" in stored) throw new InputError("a layers model holds the weights of networks only");
  const file = join(dirname(path), stored.file);
  let bytes: Uint8Array;
  try {
    bytes = gunzipSync(readFileSync(file));
  } catch (error) {
    throw new InputError(`${file} cannot be read: ${(error as Error).message}`);
  }
  const values = new Float32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.byteLength / 4));
  const odd = values.findIndex((weight) => !Number.isFinite(weight));
  if (odd >= 0) throw new InputError(`weights[${odd}]: must be a number, got ${values[odd]}`);
  return values;
}

/** What keeps the weights from being used for `game`. */
function differences({ game: made, evaluator, weights: stored }: WeightsFile, game: Game): string[] {
  if (made.id !== game.id) return [`game: the weights are for ${made.id}, wanted is ${game.id}`];
  return [
    differs("game version", made.version, game.version),
    differs("game options", JSON.stringify(made.options), JSON.stringify(game.options)),
    ...(evaluator.kind === "n-tuple"
      ? [tupleDifference(evaluator, game)]
      : featureDifferences(evaluator, game)),
    evaluator.kind !== "network" && Array.isArray(stored)
      ? countDifference(evaluator, stored.length)
      : undefined,
  ].filter((difference) => difference !== undefined);
}

function featureDifferences(
  { features: name, featuresVersion, size }: Exclude<StoredModel, { kind: "n-tuple" }>,
  game: Game,
): (string | undefined)[] {
  if (!Object.hasOwn(game.featureSets, name))
    return [unknownName("feature set", name, Object.keys(game.featureSets))];
  const features = game.featureSets[name]!;
  return [
    differs("feature set version", featuresVersion, features.version),
    differs("feature set size", size, features.size),
  ];
}

function tupleDifference(
  { tuples, size }: Extract<StoredModel, { kind: "n-tuple" }>,
  { tupleBoard: board, id }: Game,
): string | undefined {
  if (board === undefined) return `${id} has no board that n-tuples could read`;
  return differs("number of table entries", size, entriesOf(board, tuples));
}

function differs(what: string, inFile: string | number, wanted: string | number): string | undefined {
  return inFile === wanted ? undefined : `${what}: the weights are for ${inFile}, wanted is ${wanted}`;
}

/** Of what is no weights file, or one of another version, that alone is said. */
const identity = weightsFile.pick({ format: true, formatVersion: true }).loose();

function readWeightsFile(path: string): WeightsFile {
  const json = readJson(path);
  check(identity, json, path);
  return check(weightsFile, json, path);
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
