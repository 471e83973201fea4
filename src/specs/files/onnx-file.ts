import { InputError } from "../../base/errors.ts";
import type { GraphNetwork, OnnxNetwork } from "../../evaluators/network/graph-network.ts";
import { UnknownPart } from "../../evaluators/network/onnx/onnx-model.ts";
import { parseOnnx } from "../../evaluators/network/onnx/onnx-network.ts";
import { readBytes } from "./documents.ts";
import { loadRuntime, openSession } from "./onnx-runtime.ts";

/** Matches the names of ONNX files. */
export const ONNX_NAME = /\.onnx$/;
/** The most bytes of an ONNX file. */
const MOST_BYTES = 2 ** 28;

/**
 * Reads an ONNX file, and its network; in place of a network that agon cannot compute comes the reason. Throws InputError if the
 * file cannot be read.
 */
export function readOnnx(path: string): { bytes: Uint8Array; network: GraphNetwork | UnknownPart } {
  const bytes = readBytes(path, MOST_BYTES);
  try {
    return { bytes, network: parseOnnx(bytes, path) };
  } catch (error) {
    if (error instanceof UnknownPart) return { bytes, network: error };
    throw error;
  }
}

/**
 * Loads the network of an ONNX file. agon computes it if it can, and otherwise onnxruntime. Throws InputError.
 * @param load replaces `loadRuntime` in tests
 */
export function loadOnnx(path: string, load = loadRuntime): OnnxNetwork {
  const { bytes, network } = readOnnx(path);
  if (!(network instanceof UnknownPart)) return network;
  try {
    return openSession(load(), bytes, path);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(`${network.message}; ${error.message}`);
  }
}
