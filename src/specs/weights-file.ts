import { readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { InputError } from "../base/errors.ts";
import { inspectStored, type InspectOptions, type Inspection } from "../evaluators/inspect/inspect.ts";
import type { LinearEvaluator } from "../evaluators/linear.ts";
import { flatten, unflatten } from "../evaluators/models.ts";
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

/** More weights than this are kept in a file of their own, beside the header. */
const MOST_INLINE = 100_000;

/** Writes a header and its weights; each file whole or not at all, the header last. */
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

/** Reads a weights file for `game`; throws InputError when anything differs from what it was made for. */
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

/** The weights of a file that are for the same model; throws InputError where they are not. */
export function loadWeightsOf(path: string, game: Game, wanted: StoredModel): Float32Array {
  const { evaluator, weights: stored } = readFitting(path, game);
  return naming(path, () => {
    checkSameModel(evaluator, wanted);
    if (evaluator.kind !== "network") return readTables(path, evaluator, stored);
    return "model" in stored
      ? flatten(loadLayersModel(join(dirname(path), stored.model)))
      : readNumbers(path, stored);
  });
}

/** The weights of a file as they are, whatever they are for; throws InputError. */
export function loadNumbers(path: string): Float32Array {
  return readNumbers(path, readWeightsFile(path).weights);
}

/** The header of a weights file; throws InputError. */
export function loadHeader(path: string): WeightsHeader {
  const { weights: _, ...header } = readWeightsFile(path);
  return header;
}

/** The file itself and those beside it that it needs: what must be copied together. */
export function filesOfWeights(path: string): string[] {
  const { weights: stored } = readWeightsFile(path);
  const beside = (name: string) => join(dirname(path), name);
  if (Array.isArray(stored)) return [path];
  if ("file" in stored) return [path, beside(stored.file)];
  const manifest = readJson(beside(stored.model)) as { weightsManifest?: { paths: string[] }[] };
  const parts = manifest.weightsManifest?.flatMap(({ paths }) => paths) ?? [];
  return [path, beside(stored.model), ...parts.map((part) => join(dirname(beside(stored.model)), part))];
}

/** Looks at a weights file for `game`; throws InputError where it does not fit, or the options do not fit it. */
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

/** The weights of all stages; throws InputError where the header says another number of them. */
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

/** Runs `read`; names the file in what it throws. */
function naming<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof InputError ? new InputError(error.problems, path) : error;
  }
}
