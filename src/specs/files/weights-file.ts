import { basename } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { InputError } from "../../base/errors.ts";
import type { LinearEvaluator } from "../../evaluators/linear.ts";
import { flatten, unflatten } from "../../evaluators/models.ts";
import type { Network } from "../../evaluators/network/network.ts";
import type { NetworkEvaluator } from "../../evaluators/network/network-evaluator.ts";
import {
  checkCount,
  checkFits,
  checkLayers,
  checkSameModel,
  createStored,
  formatWeights,
  mostWeights,
  parseWeights,
  type StoredModel,
  type StoredWeights,
  type WeightsFile,
  type WeightsHeader,
} from "../../evaluators/stored-weights.ts";
import type { Game } from "../../games/contract/game.ts";
import { beside, readBytes, readJson } from "./documents.ts";
import { writeWhole } from "./write-file.ts";
import { sha256 } from "./hashes.ts";
import { filesOfLayersModel, loadLayersModel } from "./layers-model-file.ts";
import { loadOnnx, ONNX_NAME, readOnnx } from "./onnx-file.ts";

/** The most weights that stand in the JSON itself. More weights go into a file beside it. */
const MOST_INLINE = 100_000;

/** Writes a weights file. Each of its files is written whole or not at all, the header last. */
export function saveWeights(path: string, header: WeightsHeader, values: Float32Array): void {
  const isInline = values.length <= MOST_INLINE;
  const file = `${basename(path, ".json")}.f32.gz`;
  if (!isInline) writeWhole(beside(path, file), gzipSync(bytesOf(values), { level: 1 }));
  // Nine digits tell any two float32 numbers apart.
  const stored = isInline ? Array.from(values, (weight) => Number(weight.toPrecision(9))) : { file };
  writeWhole(path, formatWeights(header, { sha256: sha256(bytesOf(values)), weights: stored }));
}

/** Reads a weights file for `game`. Throws InputError if it was made for another game or feature set. */
export function loadStored(path: string, game: Game): StoredWeights {
  const file = readFitting(path, game);
  const { evaluator: model, weights: stored } = file;
  return naming(path, () => {
    if (model.kind === "onnx") return { model, graph: loadOnnx(onnxOf(path, file)) };
    if (model.kind !== "network") return { model, weights: readNumbers(path, file) };
    const network =
      "model" in stored
        ? loadLayersModel(beside(path, stored.model))
        : unflatten(game, model, readNumbers(path, file));
    return { model, network };
  });
}

/**
 * Reads the ONNX file of weights of kind onnx; undefined if agon cannot compute its network. Throws InputError as `loadStored`
 * does.
 */
export function readOnnxOf(path: string, game: Game): Uint8Array | undefined {
  const file = readFitting(path, game);
  return naming(path, () => {
    const { bytes, network } = readOnnx(onnxOf(path, file));
    if (network instanceof InputError) return undefined;
    if (file.evaluator.kind === "onnx") createStored(game, { model: file.evaluator, graph: network });
    return bytes;
  });
}

/** Loads the evaluator of a weights file. Throws InputError as `loadStored` does. */
export function loadWeights(path: string, game: Game): LinearEvaluator | NetworkEvaluator {
  const stored = loadStored(path, game);
  return naming(path, () => createStored(game, stored));
}

/** Loads the weights of a file. Throws InputError if they are for another model than `wanted`. */
export function loadWeightsOf(path: string, game: Game, wanted: StoredModel): Float32Array {
  const file = readFitting(path, game);
  const { evaluator, weights: stored } = file;
  return naming(path, () => {
    checkSameModel(evaluator, wanted);
    if (evaluator.kind === "onnx") throw new InputError(ONNX_ALONE);
    if (evaluator.kind !== "network" || !("model" in stored)) return readNumbers(path, file);
    const network = loadLayersModel(beside(path, stored.model));
    checkLayers(evaluator, network);
    const flat = flatten(network);
    checkActivations(network, unflatten(game, evaluator, flat));
    return flat;
  });
}

/** Throws InputError if a layers model has other activations than a trained network would have. */
function checkActivations({ layers }: Network, wanted: Network): void {
  const [given, trained] = [layers, wanted.layers].map((all) =>
    all.map(({ activation }) => activation).join(", "),
  );
  if (given === trained) return;
  throw new InputError(
    `activations: the model has ${given}; a training would have ${trained}, so it cannot go on`,
  );
}

/** Loads the weights of a file for any game. Throws InputError if the file cannot be read. */
export function loadNumbers(path: string): Float32Array {
  return readNumbers(path, readWeightsFile(path));
}

/** Loads the header of a weights file. Throws InputError if the file cannot be read. */
export function loadHeader(path: string): WeightsHeader {
  const { weights: _, sha256: __, ...header } = readWeightsFile(path);
  return header;
}

/** The paths of a weights file and of the files beside it that it names. Throws InputError. */
export function filesOfWeights(path: string): string[] {
  const { weights: stored } = readWeightsFile(path);
  if (Array.isArray(stored)) return [path];
  if ("file" in stored) return [path, beside(path, stored.file)];
  const model = beside(path, stored.model);
  if (ONNX_NAME.test(model)) return [path, model];
  return [path, model, ...filesOfLayersModel(model)];
}

function readWeightsFile(path: string): WeightsFile {
  return parseWeights(readJson(path), path);
}

function readFitting(path: string, game: Game): WeightsFile {
  const file = readWeightsFile(path);
  naming(path, () => checkFits(file, game));
  return file;
}

const ONNX_ALONE = "these weights are an ONNX file, whose network only an agent can use";

/** The path of the ONNX file that has the weights. */
function onnxOf(path: string, { weights: stored }: WeightsFile): string {
  if ("model" in stored && ONNX_NAME.test(stored.model)) return beside(path, stored.model);
  throw new InputError("the weights of kind onnx are a `model` whose name ends in .onnx");
}

/** Reads the weights. Throws InputError if their number differs from the header, or if they are not finite or damaged. */
function readNumbers(path: string, { evaluator, sha256: given, weights: stored }: WeightsFile): Float32Array {
  if (evaluator.kind === "onnx") throw new InputError(ONNX_ALONE);
  if ("model" in stored) throw new InputError("a layers model holds the weights of networks only");
  const values = Array.isArray(stored)
    ? Float32Array.from(stored)
    : readPacked(beside(path, stored.file), mostWeights(evaluator));
  if (evaluator.kind !== "network") checkCount(evaluator, values.length);
  const odd = values.findIndex((weight) => !Number.isFinite(weight));
  if (odd >= 0)
    throw new InputError(`weights[${odd}]: must be a number that float32 can hold, got ${values[odd]}`);
  if (given !== undefined && given !== sha256(bytesOf(values)))
    throw new InputError("the weights are damaged: their checksum is not the one in the file");
  return values;
}

/** Reads gzipped float32 numbers, little endian. A file with more than `most` is refused before it takes the memory. */
function readPacked(path: string, most: number): Float32Array {
  // A gzip of numbers is hardly ever larger than they are.
  const packed = readBytes(path, 4 * most + 2 ** 20);
  let bytes: Uint8Array;
  try {
    bytes = gunzipSync(packed, { maxOutputLength: 4 * most });
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
    throw new InputError(
      isTooLarge
        ? `${path} has more than the ${most} weights of the header`
        : `${path} cannot be read: ${(error as Error).message}`,
    );
  }
  return new Float32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.byteLength / 4));
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Runs `read`; adds the path to its InputError. */
function naming<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    // The error may belong to a file beside this one.
    throw new InputError(error.named, path);
  }
}
