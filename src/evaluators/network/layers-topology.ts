import { z } from "zod";
import { check } from "../../base/check.ts";
import { InputError } from "../../base/errors.ts";
import { ACTIVATIONS, type Activation, type Network } from "./network.ts";

/** A dense layer as a Keras topology describes it: everything but its weights. */
interface DenseSpec {
  readonly name: string;
  readonly units: number;
  readonly activation: Activation;
  readonly usesBias: boolean;
}

/** The dense layers of a topology, first layer first. */
interface ChainSpec {
  /** The number of inputs of the first layer; undefined if the topology does not say it. */
  readonly inputs: number | undefined;
  readonly layers: readonly DenseSpec[];
  /** The layer of the second output, beside the last one: the logits of a policy; undefined if there is one output. */
  readonly policy: DenseSpec | undefined;
}

const shapeSchema = z.array(z.int().nullable());

const layerSchema = z.looseObject({
  class_name: z.string(),
  config: z.looseObject({
    name: z.string(),
    batch_input_shape: shapeSchema.optional(),
    batch_shape: shapeSchema.optional(),
  }),
  inbound_nodes: z.unknown().optional(),
});
type TopologyLayer = z.output<typeof layerSchema>;

const modelSchema = z.looseObject({
  class_name: z.string(),
  config: z.looseObject({
    layers: z.array(layerSchema).min(1),
    input_layers: z.unknown().optional(),
    output_layers: z.unknown().optional(),
  }),
});

const denseSchema = z.looseObject({
  units: z.int().min(1),
  activation: z.unknown().optional(),
  use_bias: z.boolean().default(true),
});

const READABLE = "InputLayer, Dense, Activation and Dropout";

/** The name of the layer that has the logits of a policy. */
export const POLICY_LAYER = "policy";
const INPUT_LAYER = "input";

/**
 * Makes the topology of a network, in the form that Keras and TensorFlow.js write: a Sequential model, or with a policy a
 * functional one, whose first output is the value and whose second one the logits.
 */
export function formatTopology({ layers, logits = 0 }: Network, name: string): object {
  const dense = layers.map(({ inputs, units, activation }, at) => ({
    class_name: "Dense",
    config: {
      name: layerName(at),
      trainable: true,
      dtype: "float32",
      ...(at === 0 && logits === 0 ? { batch_input_shape: [null, inputs] } : {}),
      units: at === layers.length - 1 ? units - logits : units,
      activation: activation as string,
      use_bias: true,
    },
  }));
  const versions = { keras_version: "tfjs-layers 4.22.0", backend: "tensor_flow.js" };
  if (logits === 0) return { class_name: "Sequential", config: { name, layers: dense }, ...versions };
  const last = dense.at(-1)!;
  const policy = {
    ...last,
    config: { ...last.config, name: POLICY_LAYER, units: logits, activation: "linear" },
  };
  const before = [INPUT_LAYER, ...dense.map(({ config }) => config.name)];
  const nodes = [...dense, policy].map((layer, at) => ({
    name: layer.config.name,
    ...layer,
    inbound_nodes: [[[before[Math.min(at, dense.length - 1)], 0, 0, {}]]],
  }));
  const input = {
    name: INPUT_LAYER,
    class_name: "InputLayer",
    config: {
      name: INPUT_LAYER,
      batch_input_shape: [null, layers[0]!.inputs],
      dtype: "float32",
      sparse: false,
    },
    inbound_nodes: [],
  };
  return {
    class_name: "Model",
    config: {
      name,
      layers: [input, ...nodes],
      input_layers: [[INPUT_LAYER, 0, 0]],
      output_layers: [
        [last.config.name, 0, 0],
        [POLICY_LAYER, 0, 0],
      ],
    },
    ...versions,
  };
}

/** Returns the name in TensorFlow.js of the layer with number `at`, which counts from 0. */
export function layerName(at: number): string {
  return `dense_${at + 1}`;
}

/**
 * Reads the topology of a model whose dense layers form one chain: a Sequential model, or a functional one. A functional one
 * may have a second output, the logits of a policy, of one dense layer that reads what the last one reads. An Activation layer
 * becomes the activation of the dense layer before it. A Dropout layer is left out, as it does nothing
 * outside of training. Anything else throws InputError, which says what was found and what can be read.
 */
export function readTopology(given: unknown, source: string): ChainSpec {
  const wrapped = given as { model_config?: unknown } | null | undefined;
  const model = check(modelSchema, wrapped?.model_config ?? given, source);
  const [chain, second] = chainsOf(model, source);
  const layers = readDense(chain, source);
  if (layers.length === 0) throw new InputError("the model has no Dense layer", source);
  const inputs = inputsOf(chain[0]!, source);
  if (second === undefined) return { inputs, layers, policy: undefined };
  const others = readDense(second, source);
  const policy = others.at(-1)!;
  const isFork =
    others.length === layers.length &&
    policy.name !== layers.at(-1)!.name &&
    layers.slice(0, -1).every(({ name }, at) => name === others[at]!.name);
  if (!isFork)
    throw new InputError(
      `${NO_CHAIN}; of two outputs each must be one Dense layer, and both must read the same layer`,
      source,
    );
  if (policy.activation !== "linear" && policy.activation !== "softmax")
    throw new InputError(
      `layer "${policy.name}", the second output, has ${policy.activation}; a policy has logits (linear) or softmax`,
      source,
    );
  return { inputs, layers, policy };
}

/** Reads the dense layers of a chain, with the activations that follow them. */
function readDense(chain: readonly TopologyLayer[], source: string): DenseSpec[] {
  const layers: DenseSpec[] = [];
  for (const layer of chain) {
    const { class_name: kind, config } = layer;
    const named = `layer "${config.name}"`;
    if (kind === "Dense") {
      const {
        units,
        use_bias: usesBias,
        activation,
      } = check(denseSchema, config, source === "" ? named : `${source}: ${named}`);
      layers.push({
        name: config.name,
        units,
        usesBias,
        activation: readActivation(activation, named, source),
      });
    } else if (kind === "Activation") {
      const last = layers.pop();
      if (last === undefined || last.activation !== "linear")
        throw new InputError(`${named} must follow a Dense layer whose activation is linear`, source);
      layers.push({ ...last, activation: readActivation(config["activation"], named, source) });
    } else if (kind !== "InputLayer" && kind !== "Dropout") {
      throw new InputError(`${named} is of kind ${kind}; what can be read: ${READABLE}`, source);
    }
  }
  return layers;
}

function readActivation(given: unknown, named: string, source: string): Activation {
  const activation = given ?? "linear";
  const known = ACTIVATIONS.find((name) => name === activation);
  if (known !== undefined) return known;
  const text = typeof activation === "string" ? activation : JSON.stringify(activation);
  throw new InputError(
    `${named} has the activation ${text}; what can be read: ${ACTIVATIONS.join(", ")}`,
    source,
  );
}

function inputsOf({ config }: TopologyLayer, source: string): number | undefined {
  const shape = config.batch_input_shape ?? config.batch_shape;
  if (shape === undefined) return undefined;
  if (shape.length !== 2)
    throw new InputError(
      `layer "${config.name}": the model's input has the shape [${shape.join(", ")}]; what can be read: [any number of samples, inputs]`,
      source,
    );
  return shape[1] ?? undefined;
}

const NO_CHAIN = "the model's layers do not form one chain from one input to one output";

/** Returns the layers to the first output, in order from the input, and those to the second one, if there are two. */
function chainsOf(
  { class_name: kind, config }: z.output<typeof modelSchema>,
  source: string,
): (readonly TopologyLayer[])[] {
  if (kind === "Sequential") return [config.layers];
  if (kind !== "Model" && kind !== "Functional")
    throw new InputError(
      `the model is of kind ${kind}; what can be read: Sequential, Model, Functional`,
      source,
    );
  const layers = new Map(config.layers.map((layer) => [layer.config.name, layer]));
  const outputs = originsOf(config.output_layers);
  if (outputs.length > 2)
    throw new InputError(`${NO_CHAIN}: the model has the outputs ${outputs.join(", ")}`, source);
  const chains = outputs.map((output) => chainTo(output, layers, source));
  const used = new Set(chains.flat().map(({ config: { name } }) => name));
  const beside = [...layers.keys()].find((name) => !used.has(name));
  if (beside !== undefined) throw new InputError(`${NO_CHAIN}: layer "${beside}" is outside`, source);
  return chains;
}

/** Returns the layers from the input to a layer. */
function chainTo(
  output: string,
  layers: ReadonlyMap<string, TopologyLayer>,
  source: string,
): readonly TopologyLayer[] {
  const chain: TopologyLayer[] = [];
  let origins = [output];
  while (origins.length === 1 && chain.length <= layers.size) {
    const layer = layers.get(origins[0]!);
    if (layer === undefined) throw new InputError(`there is no layer "${origins[0]}"`, source);
    chain.unshift(layer);
    origins = originsOf(layer.inbound_nodes);
    if (origins.length > 1)
      throw new InputError(
        `${NO_CHAIN}: layer "${layer.config.name}" reads the layers ${origins.join(", ")}`,
        source,
      );
  }
  if (origins.length > 0) throw new InputError(`${NO_CHAIN}: layer "${origins[0]}" is outside`, source);
  return chain;
}

/**
 * Returns the names of the layers whose outputs a node reads. Keras 2 and TensorFlow.js write a node as [[[name, 0, 0,
 * {}]]], Keras 3 as {args: [{config: {keras_history: [name, 0, 0]}}]}.
 */
function originsOf(node: unknown): string[] {
  if (Array.isArray(node)) return typeof node[0] === "string" ? [node[0]] : node.flatMap(originsOf);
  if (typeof node !== "object" || node === null) return [];
  const { keras_history: history, config, args } = node as Record<string, unknown>;
  return originsOf(history ?? config ?? args);
}
