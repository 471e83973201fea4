import { basename, dirname, join } from "node:path";
import {
  formatLayersModel,
  parseLayersModel,
  pathsOfWeights,
  type LayersModelOptions,
} from "../evaluators/network/layers-model.ts";
import type { Network } from "../evaluators/network/network.ts";
import { readBytes, readJson, writeWhole } from "./files.ts";

/**
 * Writes PATH and, beside it, the weights: `x.model.json` and `x.weights.bin`. Each file is written whole
 * or not at all, the weights first. Where a model of another shape was overwritten and only its weights
 * file was written, loading throws.
 */
export function saveLayersModel(
  path: string,
  network: Network,
  options: Omit<LayersModelOptions, "name"> = {},
): void {
  const name = basename(path).replace(/(\.model)?\.json$/, "");
  const { json, bin } = formatLayersModel(network, { ...options, name });
  writeWhole(join(dirname(path), json.weightsManifest[0]!.paths[0]!), bin);
  writeWhole(path, `${JSON.stringify(json, null, 2)}\n`);
}

/** Reads a model.json and the weights files that it names, beside it; throws InputError. */
export function loadLayersModel(path: string): Network {
  const json = readJson(path);
  const bins = pathsOfWeights(json, path).map((name) => readBytes(join(dirname(path), name)));
  return parseLayersModel(json, bins, path);
}
