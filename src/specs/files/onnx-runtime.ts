import { createRequire } from "node:module";
import { InputError } from "../../base/errors.ts";
import { describeError } from "../../base/thrown.ts";
import type { Layers } from "../../evaluators/network/exact-layers.ts";
import type { HostedNetwork } from "../../evaluators/network/graph-network.ts";
import { parseOnnxFile, sizeOf } from "../../evaluators/network/onnx/onnx-model.ts";
import { endsOf, lastOperator } from "../../evaluators/network/onnx/onnx-network.ts";

/*
 * onnxruntime-node computes the networks that agon cannot. Its own interface has promises, and evaluators do not wait. So its
 * binding to the native library is used, whose calls return when they are done.
 */

const NAME = "onnxruntime-node";
/** One thread: agon's workers share out the cores. Without errors there is no output. */
const OPTIONS = { intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 3 };
/** The activations that may end a value, by operator. */
const ENDINGS = { Tanh: "tanh", Sigmoid: "sigmoid", Softmax: "softmax" } as const;

/** The parts of onnxruntime-node that are used. */
interface Runtime {
  readonly version: string;
  readonly Tensor: new (type: "float32", data: Float32Array, shape: readonly number[]) => object;
  readonly Session: new () => Session;
}

interface Session {
  loadModel(buffer: ArrayBufferLike, at: number, length: number, options: object): void;
  run(
    inputs: Readonly<Record<string, object>>,
    outputs: Readonly<Record<string, null>>,
    options: object,
  ): Readonly<Record<string, { readonly type: string; readonly data: ArrayLike<number> }>>;
}

/**
 * Loads onnxruntime-node; throws InputError if it is not installed, or does not work here.
 * @param require replaces Node's in tests
 */
export function loadRuntime(require: (name: string) => unknown = createRequire(import.meta.url)): Runtime {
  try {
    const { Tensor, env } = require(NAME) as Pick<Runtime, "Tensor"> & {
      readonly env: { logLevel: string; readonly versions: { readonly node: string } };
    };
    env.logLevel = "error";
    const { binding, initOrt } = require(`${NAME}/dist/binding.js`) as {
      readonly binding: { readonly InferenceSession: Runtime["Session"] };
      readonly initOrt: () => void;
    };
    initOrt();
    return { version: env.versions.node, Tensor, Session: binding.InferenceSession };
  } catch (error) {
    if (describeError(error) === `Error: Cannot find module '${NAME}'`)
      throw new InputError(
        `${NAME}, which has all operators of ONNX, is not installed; ` +
          `\`npm install --ignore-scripts ${NAME}\` makes networks with them playable`,
      );
    throw new InputError(
      `${NAME} does not work here, where 1.22 or later is wanted: ${describeError(error)}`,
    );
  }
}

/**
 * Has onnxruntime compute the network of an ONNX file. Throws InputError if it cannot.
 * @param source the file's path, for messages
 */
export function openSession(runtime: Runtime, bytes: Uint8Array, source: string): HostedNetwork {
  const model = parseOnnxFile(bytes, source);
  const { shape, names } = endsOf(model, source);
  const [valueEnd, policyEnd] = names.map((name) => lastOperator(model, name));
  const features = new Float32Array(sizeOf(shape));
  const inputs = { [model.input.name]: new runtime.Tensor("float32", features, shape) };
  const outputs = Object.fromEntries(names.map((name) => [name, null]));
  const session = new runtime.Session();
  const run = () => {
    const computed = session.run(inputs, outputs, {});
    return names.map((name) => computed[name]!);
  };
  let sizes: number[];
  try {
    session.loadModel(bytes.buffer, bytes.byteOffset, bytes.byteLength, OPTIONS);
    sizes = run().map(({ type, data }, at) => {
      if (type === "float32" || type === "float64") return data.length;
      throw new Error(`the output "${names[at]}" is of the type ${type}; float or double is wanted`);
    });
  } catch (error) {
    throw new InputError(`onnxruntime cannot compute the network: ${describeError(error)}`);
  }
  const [values = 0, logits = 0] = sizes;
  const units = values + logits;
  const createLayers = (): Layers => {
    const answer = new Float64Array(units);
    return {
      answer,
      load() {
        throw new Error("networks of other programs do not learn here");
      },
      forget() {},
      look({ index, value, active }) {
        features.fill(0);
        for (let at = 0; at < active; at++) features[index[at]!]! += value[at]!;
        let end = 0;
        for (const { data } of run()) for (let at = 0; at < data.length; at++) answer[end++] = data[at]!;
        // The logarithms of probabilities are logits.
        if (policyEnd === "Softmax")
          for (let at = values; at < units; at++)
            answer[at] = Math.log(Math.max(answer[at]!, Number.MIN_VALUE));
        if (!answer.every(Number.isFinite)) throw new InputError("the network's output is NaN or infinite");
      },
    };
  };
  const activation = ENDINGS[valueEnd as keyof typeof ENDINGS] ?? "linear";
  return { inputs: features.length, units, activation, logits, createLayers };
}
