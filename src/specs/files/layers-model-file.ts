import { basename, dirname, join } from "node:path";
import { formatLayersModel, parseLayersModel, weightsOf } from "../../evaluators/network/layers-model.ts";
import type { Network } from "../../evaluators/network/network.ts";
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
