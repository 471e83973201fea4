import { parseLayersModel } from "../../src/evaluators/network/layers-model.ts";
import { createRandom } from "../../src/base/random.ts";
import { createNetwork, type Network, type NetworkShape } from "../../src/evaluators/network/network.ts";
import { loadTensorFlow, type Backend } from "../../src/training/learn/tensorflow/backend.ts";
import type { SampleBatch } from "../../src/training/learn/network/batch.ts";

/** A network whose biases are random too. */
export function randomNetwork(shape: NetworkShape, ...name: readonly (string | number)[]): Network {
  const random = createRandom("network", ...name);
  const network = createNetwork(shape, random);
  for (const { bias } of network.layers) for (const at of bias.keys()) bias[at] = random.float() - 0.5;
  return network;
}

/** The backends of TensorFlow.js that work here. With AGON_NATIVE set, the native one must be among them. */
export async function workingBackends(): Promise<Backend[]> {
  const { backend, notes } = await loadTensorFlow("node");
  if (process.env["AGON_NATIVE"] && backend !== "node") throw new Error(notes.join("; "));
  return backend === "node" ? ["node", "wasm", "cpu"] : ["wasm", "cpu"];
}

/** Samples with about `active` features each, some of them twice, and targets that sum to 1 in each sample. */
export function randomBatch(
  { inputs, outputs, size }: { inputs: number; outputs: number; size: number },
  ...name: readonly (string | number)[]
): SampleBatch {
  const random = createRandom("batch", ...name);
  const index: number[] = [];
  const offsets = [0];
  for (let sample = 0; sample < size; sample++) {
    for (let active = random.below(inputs); active >= 0; active--) index.push(random.below(inputs));
    offsets.push(index.length);
  }
  const targets = Array.from({ length: size }, () => {
    const row = Array.from({ length: outputs }, () => random.float());
    const sum = outputs === 1 ? 1 : row.reduce((total, target) => total + target, 0);
    return row.map((target) => target / sum);
  });
  return {
    size,
    offsets: Int32Array.from(offsets),
    index: Int32Array.from(index),
    value: Float32Array.from(index, () => 2 * random.float() - 1),
    targets: Float32Array.from(targets.flat()),
    weights: Float32Array.from({ length: size }, () => 2 * random.float()),
  };
}

type LayersModel = import("@tensorflow/tfjs-layers").LayersModel;

/** The network of a TensorFlow.js model, with a copy of its weights; throws InputError unless it is a chain of dense layers. */
export function fromLayersModel(model: LayersModel): Network {
  const values = model.weights.map((weight) => weight.read().dataSync() as Float32Array);
  const manifest = {
    paths: ["weights.bin"],
    weights: model.weights.map(({ originalName: name, shape, dtype }) => ({ name, shape, dtype })),
  };
  return parseLayersModel(
    { modelTopology: model.toJSON(null, false), weightsManifest: [manifest] },
    values.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength)),
    `model "${model.name}"`,
  );
}
