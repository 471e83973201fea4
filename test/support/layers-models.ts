import { parseLayersModel } from "../../src/evaluators/network/layers-model.ts";
import type { Network } from "../../src/evaluators/network/network.ts";

type LayersModel = import("@tensorflow/tfjs-layers").LayersModel;

/** The network that a TensorFlow.js model is, with a copy of its weights; throws InputError for what is no chain of dense layers. */
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
