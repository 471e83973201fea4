import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatLayersModel, parseLayersModel } from "../../../src/evaluators/network/layers-model.ts";
import { ACTIVATIONS, type Network } from "../../../src/evaluators/network/network.ts";
import { randomNetwork } from "../../support/networks.ts";
import { slowTest } from "../../support/thorough.ts";

const units = fc.integer({ min: 1, max: 9 });
const shapes = fc.record({
  inputs: units,
  hidden: fc.array(units, { maxLength: 3 }),
  hiddenActivation: fc.constantFrom(...ACTIVATIONS),
  outputs: units,
  outputActivation: fc.constantFrom(...ACTIVATIONS),
});

/** Bytes of float32 numbers. */
function floats(...values: readonly number[]): Uint8Array {
  return new Uint8Array(Float32Array.from(values).buffer);
}

describe("round trip", () => {
  slowTest("a network is read as it was written, to the last bit", () => {
    fc.assert(
      fc.property(shapes, fc.integer(), (shape, seed) => {
        const network = randomNetwork(shape, seed);
        const { json, bin } = formatLayersModel(network, "network");
        expect(parseLayersModel(JSON.parse(JSON.stringify(json)), [bin])).toEqual(network);
      }),
      { seed: 1 },
    );
  });

  test("a network inside a larger buffer is written without the rest", () => {
    const large = Float32Array.of(9, 1, 2, 9);
    const network: Network = {
      layers: [
        {
          inputs: 1,
          units: 1,
          activation: "linear",
          kernel: large.subarray(1, 2),
          bias: large.subarray(2, 3),
        },
      ],
    };
    expect(Uint8Array.from(formatLayersModel(network, "network").bin)).toEqual(floats(1, 2));
  });
});

/** Topologies as the Keras converter writes them, of the network 2 -> 2 relu -> 1 sigmoid without last bias. */
const input = { class_name: "InputLayer", config: { name: "in", batch_input_shape: [null, 2] } };
const hidden = { class_name: "Dense", config: { name: "a", units: 2, activation: "relu" } };
const output = {
  class_name: "Dense",
  config: { name: "b", units: 1, activation: "sigmoid", use_bias: false },
};
const history = (name: string) => [
  {
    args: [{ class_name: "__keras_tensor__", config: { shape: [null, 2], keras_history: [name, 0, 0] } }],
    kwargs: {},
  },
];
const WEIGHTS = [
  { name: "a/kernel", shape: [2, 2], dtype: "float32" },
  { name: "a/bias", shape: [2], dtype: "float32" },
  { name: "b/kernel", shape: [2, 1], dtype: "float32" },
];
const NUMBERS = floats(1, 2, 3, 4, 5, 6, 7, 8);
const READ: Network = {
  layers: [
    {
      inputs: 2,
      units: 2,
      activation: "relu",
      kernel: Float32Array.of(1, 2, 3, 4),
      bias: Float32Array.of(5, 6),
    },
    { inputs: 2, units: 1, activation: "sigmoid", kernel: Float32Array.of(7, 8), bias: Float32Array.of(0) },
  ],
};

const sequential = (...layers: readonly object[]) => ({
  class_name: "Sequential",
  config: { name: "model", layers },
});
const model = (modelTopology: object, weights: readonly object[] = WEIGHTS) => ({
  format: "layers-model",
  modelTopology,
  weightsManifest: [{ paths: ["group1-shard1of1.bin"], weights }],
});

describe("models from elsewhere", () => {
  const functional = (layers: readonly object[], kind = "Functional") => ({
    class_name: kind,
    config: { name: "model", layers, input_layers: [["in", 0, 0]], output_layers: [["b", 0, 0]] },
  });
  test.each<[string, object]>([
    ["Sequential without an input layer", sequential(hidden, output)],
    [
      "Sequential as Keras writes it, in model_config",
      { keras_version: "2.12.0", model_config: sequential(input, hidden, output) },
    ],
    [
      "functional, layers in any order",
      functional([
        { ...output, inbound_nodes: [[["a", 0, 0, {}]]] },
        { ...input, inbound_nodes: [] },
        { ...hidden, inbound_nodes: [[["in", 0, 0, {}]]] },
      ]),
    ],
    [
      "functional of Keras 3",
      functional([
        { ...input, config: { name: "in", batch_shape: [null, 2] }, inbound_nodes: [] },
        { ...hidden, inbound_nodes: history("in") },
        { ...output, inbound_nodes: history("a") },
      ]),
    ],
    [
      "activations and dropout as layers of their own",
      sequential(
        input,
        { class_name: "Dense", config: { name: "a", units: 2 } },
        { class_name: "Activation", config: { name: "c", activation: "relu" } },
        { class_name: "Dropout", config: { name: "d", rate: 0.5 } },
        output,
      ),
    ],
  ])("%s", (_, topology) => {
    expect(parseLayersModel(model(topology), [NUMBERS])).toEqual(READ);
  });

  test("weights in several groups and files, with others among them", () => {
    const [kernel, bias, last] = WEIGHTS;
    const file = {
      modelTopology: sequential(input, hidden, output),
      weightsManifest: [
        {
          paths: ["1", "2"],
          weights: [{ name: "iter", shape: [], dtype: "int32" }, { ...kernel, name: "model/a/kernel" }, bias],
        },
        { paths: ["3"], weights: [last] },
      ],
    };
    const all = Buffer.concat([floats(0), NUMBERS]);
    expect(parseLayersModel(file, [all.subarray(0, 7), all.subarray(7, 28), all.subarray(28)])).toEqual(READ);
  });
});

describe("refused, saying what it is and what can be read", () => {
  const conv = { class_name: "Conv2D", config: { name: "eyes", filters: 8 } };
  const layers = [input, hidden, output];
  test.each<[string, object, RegExp]>([
    ["no model", { a: 1 }, /modelTopology: missing/],
    [
      "a graph model",
      { ...model(sequential(...layers)), format: "graph-model" },
      /format: must be layers-model, got "graph-model"/,
    ],
    [
      "another kind of layer",
      model(sequential(input, conv, output)),
      /layer "eyes" is of kind Conv2D; what can be read: InputLayer, Dense, Activation and Dropout/,
    ],
    [
      "another kind of model",
      model({ ...sequential(...layers), class_name: "Wide" }),
      /model is of kind Wide; what can be read: Sequential, Model, Functional/,
    ],
    [
      "another activation",
      model(sequential(input, { ...hidden, config: { ...hidden.config, activation: "swish" } }, output)),
      /layer "a" has the activation swish; what can be read: linear, relu, sigmoid, tanh, softmax/,
    ],
    [
      "an activation of the user's",
      model(sequential(input, { ...hidden, config: { ...hidden.config, activation: { class_name: "X" } } })),
      /layer "a" has the activation {"class_name":"X"}/,
    ],
    [
      "an activation upon another",
      model(sequential(...layers, { class_name: "Activation", config: { name: "c", activation: "tanh" } })),
      /layer "c" must follow a Dense layer whose activation is linear/,
    ],
    [
      "an image as input",
      model(
        sequential({ ...input, config: { name: "in", batch_input_shape: [null, 8, 8] } }, hidden, output),
      ),
      /input has the shape \[, 8, 8\]/,
    ],
    ["no layers", model(sequential(input)), /no Dense layer/],
    [
      "no units",
      model(sequential({ class_name: "Dense", config: { name: "a" } })),
      /layer "a": units: missing/,
    ],
    [
      "two inputs",
      model({
        class_name: "Model",
        config: {
          name: "model",
          layers: [
            { ...input, inbound_nodes: [] },
            {
              ...output,
              inbound_nodes: [
                [
                  ["in", 0, 0, {}],
                  ["in", 0, 0, {}],
                ],
              ],
            },
          ],
          output_layers: [["b", 0, 0]],
        },
      }),
      /do not form one chain/,
    ],
    [
      "a circle",
      model({
        class_name: "Model",
        config: {
          name: "model",
          layers: [{ ...output, inbound_nodes: [[["b", 0, 0, {}]]] }],
          output_layers: [["b", 0, 0]],
        },
      }),
      /do not form one chain/,
    ],
    [
      "other inputs than the topology says",
      model(sequential({ ...input, config: { name: "in", batch_input_shape: [null, 5] } }, hidden, output)),
      /kernel of layer "a" has the shape \[2, 2\]; the topology wants \[5, 2\]/,
    ],
    [
      "a kernel of another shape",
      model(sequential(...layers), [{ ...WEIGHTS[0], shape: [2, 4] }]),
      /kernel of layer "a" has the shape \[2, 4\]; the topology wants \[2, 2\]/,
    ],
    [
      "weights that are missing",
      model(sequential(...layers), [{ ...WEIGHTS[0], name: "aa/kernel" }, ...WEIGHTS.slice(1)]),
      /the weights "a\/kernel" are missing/,
    ],
    [
      "more weights than there are bytes",
      model(sequential(...layers), [...WEIGHTS, { name: "c", shape: [3], dtype: "float32" }]),
      /the weights files have 32 bytes, the manifest describes 44/,
    ],
    [
      "quantized weights",
      model(sequential(...layers), [
        {
          name: "a/kernel",
          shape: [2, 12],
          dtype: "float32",
          quantization: { dtype: "uint8", min: 0, scale: 1 },
        },
        { name: "a/bias", shape: [2], dtype: "float32" },
      ]),
      /weights "a\/kernel" are quantized to uint8; what can be read: float32/,
    ],
    [
      "whole numbers",
      model(sequential(...layers), [{ ...WEIGHTS[0], dtype: "int32" }, ...WEIGHTS.slice(1)]),
      /weights "a\/kernel" are int32; what can be read: float32/,
    ],
  ])("%s", (_, json, message) => {
    expect(() => parseLayersModel(json, [NUMBERS], "x.model.json")).toThrow(
      expect.objectContaining({ name: "InputError", message: expect.stringMatching(message) }),
    );
    expect(() => parseLayersModel(json, [NUMBERS], "x.model.json")).toThrow(/^x\.model\.json: /);
  });

  test("weights that diverged", () => {
    const numbers = floats(1, 2, 3, 4, 5, Number.NaN, 7, 8);
    expect(() => parseLayersModel(model(sequential(input, hidden, output)), [numbers])).toThrow(
      'the weights "a/bias" are not all finite numbers',
    );
  });
});
