import { readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { InputError } from "../base/errors.ts";
import { inspectStored, type InspectOptions, type Inspection } from "../evaluators/inspect/inspect.ts";
import type { LinearEvaluator } from "../evaluators/linear.ts";
import { flatten, unflatten } from "../evaluators/models.ts";
import type { Network } from "../evaluators/network/network.ts";
import type { NetworkEvaluator } from "../evaluators/network/network-evaluator.ts";
import {
  checkCount,
  checkFits,
  checkSameModel,
  createStored,
  formatWeights,
  parseWeights,
  type StoredModel,
  type StoredWeights,
  type TableModel,
  type WeightsFile,
  type WeightsHeader,
} from "../evaluators/stored-weights.ts";
import type { Game } from "../games/game.ts";
import { readJson, writeWhole } from "./files.ts";
import { loadLayersModel } from "./layers-model-file.ts";

/** Up to this number of weights are in the JSON itself; more are in a file beside it. */
const MOST_INLINE = 100_000;

/** Writes a weights file. Each file is written whole or not at all, the one with the header last. */
export function saveWeights(path: string, header: WeightsHeader, values: Float32Array): void {
  const isInline = values.length <= MOST_INLINE;
  const file = `${basename(path, ".json")}.f32.gz`;
  if (!isInline) {
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    writeWhole(join(dirname(path), file), gzipSync(bytes, { level: 1 }));
  }
  // Nine digits tell any two float32 numbers apart.
  const stored = isInline ? Array.from(values, (weight) => Number(weight.toPrecision(9))) : { file };
  writeWhole(path, formatWeights(header, stored));
}

/** Reads a weights file for `game`; throws InputError if it was made for anything else. */
function loadStored(path: string, game: Game): StoredWeights {
  const { evaluator: model, weights: stored } = readFitting(path, game);
  return naming(path, () => {
    if (model.kind !== "network") return { model, weights: readTables(path, model, stored) };
    const network =
      "model" in stored
        ? loadLayersModel(join(dirname(path), stored.model))
        : unflatten(game, model, readNumbers(path, stored));
    return { model, network };
  });
}

/** The evaluator of a weights file; throws InputError as `loadStored` does. */
export function loadWeights(path: string, game: Game): LinearEvaluator | NetworkEvaluator {
  const stored = loadStored(path, game);
  return naming(path, () => createStored(game, stored));
}

/** The weights of a file; throws InputError if they are for another model than `wanted`. */
export function loadWeightsOf(path: string, game: Game, wanted: StoredModel): Float32Array {
  const { evaluator, weights: stored } = readFitting(path, game);
  return naming(path, () => {
    checkSameModel(evaluator, wanted);
    if (evaluator.kind !== "network") return readTables(path, evaluator, stored);
    if (!("model" in stored)) return readNumbers(path, stored);
    const network = loadLayersModel(join(dirname(path), stored.model));
    const flat = flatten(network);
    checkActivations(network, unflatten(game, evaluator, flat));
    return flat;
  });
}

/** Throws InputError where a layers model has other activations than a training gives to its network. */
function checkActivations({ layers }: Network, wanted: Network): void {
  const [given, trained] = [layers, wanted.layers].map((all) =>
    all.map(({ activation }) => activation).join(", "),
  );
  if (given === trained) return;
  throw new InputError(
    `activations: the model has ${given}; a training would have ${trained}, so it cannot go on`,
  );
}

/** The weights of a file, without a check of what they are for; throws InputError if it cannot be read. */
export function loadNumbers(path: string): Float32Array {
  return readNumbers(path, readWeightsFile(path).weights);
}

/** The header of a weights file; throws InputError if it cannot be read. */
export function loadHeader(path: string): WeightsHeader {
  const { weights: _, ...header } = readWeightsFile(path);
  return header;
}

/** The paths of all files of the weights: the file itself, and those beside it that it names. */
export function filesOfWeights(path: string): string[] {
  const { weights: stored } = readWeightsFile(path);
  const beside = (name: string) => join(dirname(path), name);
  if (Array.isArray(stored)) return [path];
  if ("file" in stored) return [path, beside(stored.file)];
  const manifest = readJson(beside(stored.model)) as { weightsManifest?: { paths: string[] }[] };
  const parts = manifest.weightsManifest?.flatMap(({ paths }) => paths) ?? [];
  return [path, beside(stored.model), ...parts.map((part) => join(dirname(beside(stored.model)), part))];
}

/** Inspects a weights file for `game`; throws InputError if the file does not fit the game, or the options the file. */
export function inspectWeights(path: string, game: Game, options: InspectOptions): Inspection {
  const header = loadHeader(path);
  const stored = loadStored(path, game);
  const bytes = filesOfWeights(path).reduce((sum, file) => sum + statSync(file).size, 0);
  return inspectStored(game, { header, stored, bytes }, options);
}

function readWeightsFile(path: string): WeightsFile {
  return parseWeights(readJson(path), path);
}

function readFitting(path: string, game: Game): WeightsFile {
  const file = readWeightsFile(path);
  naming(path, () => checkFits(file, game));
  return file;
}

/** The weights of all stages; throws InputError if their number is not that of the header. */
function readTables(path: string, model: TableModel, stored: WeightsFile["weights"]): Float32Array {
  const values = readNumbers(path, stored);
  checkCount(model, values.length);
  return values;
}

function readNumbers(path: string, stored: WeightsFile["weights"]): Float32Array {
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

/** Runs `read`, and adds the path to the InputError that it may throw. */
function naming<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof InputError ? new InputError(error.problems, path) : error;
  }
}
