import { parseLayersModel } from "../../evaluators/network/layers-model.ts";
import { layerName } from "../../evaluators/network/layers-topology.ts";
import type { Network } from "../../evaluators/network/network.ts";
import type { TensorFlow } from "./backend.ts";

type LayersModel = import("@tensorflow/tfjs-layers").LayersModel;
type Sequential = import("@tensorflow/tfjs-layers").Sequential;

/** A TensorFlow.js model with a copy of the network's weights; to be disposed of by the caller. */
export function toLayersModel(tf: TensorFlow, { layers }: Network): Sequential {
  const weights = layers.map(({ inputs, units, kernel, bias }) => [
    // Tensors may keep the array that they are given.
    tf.tensor2d(kernel.slice(), [inputs, units]),
    tf.tensor1d(bias.slice()),
  ]);
  const model = tf.sequential({
    layers: layers.map(({ inputs, units, activation }, at) =>
      tf.layers.dense({
        name: layerName(at),
        ...(at === 0 ? { inputShape: [inputs] } : {}),
        units,
        activation,
        kernelInitializer: "zeros",
        weights: weights[at]!,
      }),
    ),
  });
  tf.dispose(weights);
  return model;
}

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
