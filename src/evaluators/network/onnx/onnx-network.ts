import { InputError } from "../../../base/errors.ts";
import { firstAddress, type GraphNetwork, type PlacedLayer } from "../graph-network.ts";
import { joinHeads } from "../layers-model.ts";
import type { DenseLayer, Network } from "../network.ts";
import { type BuiltLayer, LayerBuilder } from "./layer-builder.ts";
import { NodeReader } from "./node-reader.ts";
import { type OnnxModel, type OnnxNode, parseOnnxFile, sizeOf, UnknownPart } from "./onnx-model.ts";
import { OPERATORS } from "./operators.ts";
import { type Computed, isKnown, reshaped, type Value } from "./tensors.ts";

/** Softmax over the last axis ends a network; the scores that it reads are kept. */
const SOFTMAX = ["Softmax", "LogSoftmax"];
/** Operators that leave the elements as they are. */
const PASSING = ["Identity", "Cast", "Flatten", "Reshape", "Squeeze"];

/** The input and the outputs of a network. */
interface Ends {
  /** The shape of the input for one position: 1, and behind it sizes whose product is the number of features. */
  readonly shape: readonly number[];
  /** The names of the outputs: the value's, and the policy's if there is one. */
  readonly names: readonly string[];
}

/**
 * Makes the network of an ONNX file. Operators become layers of dense kernels. Throws InputError as `endsOf` does, and
 * UnknownPart that names the node which cannot be read.
 * @param source the file's path, for messages
 */
export function parseOnnx(bytes: Uint8Array, source = ""): GraphNetwork {
  const model = parseOnnxFile(bytes, source);
  const { shape, names } = endsOf(model, source);
  const builder = new LayerBuilder(sizeOf(shape));
  const values = new Map<string, Value>(model.constants());
  const inputs = Int32Array.from({ length: builder.inputs }, (_, at) => 1 + at);
  values.set(model.input.name, { shape, addresses: inputs });
  /** The outputs of Softmax, by name: the node. */
  const softmaxes = new Map<string, OnnxNode>();
  for (const node of model.nodes) run(node, { builder, values, softmaxes, source });
  return finish(builder, names, { values, softmaxes, source });
}

/**
 * The ends of a network: the input has all features of a position in their order, whatever its shape. The first output is the
 * value, a second one the policy (logits or softmax); outputs that are named `value` and `policy` may stand in any order. Throws
 * InputError for other ends.
 */
export function endsOf({ input, outputs }: OnnxModel, source: string): Ends {
  const { name, shape } = input;
  if (shape.length < 2 || shape[0]! > 1 || shape.slice(1).some((size) => size === 0))
    throw new InputError(
      `the input "${name}" has the shape [${shape.map((size) => size || "any").join(", ")}]; ` +
        "what can be read: a batch of 1 or of any size, and after it sizes that the file tells",
      source,
    );
  if (outputs.length < 1 || outputs.length > 2)
    throw new InputError(
      `has ${outputs.length} outputs (${outputs.join(", ")}); one is wanted, the value, or two, the value and the policy`,
      source,
    );
  const isReversed = outputs[0] === "policy" || outputs[1] === "value";
  return { shape: [1, ...shape.slice(1)], names: isReversed ? outputs.toReversed() : outputs };
}

/** The operator that ends an output, before those that leave its elements as they are; undefined if there is none. */
export function lastOperator({ nodes }: OnnxModel, output: string): string | undefined {
  let name = output;
  for (const { operator, inputs, outputs } of nodes.toReversed()) {
    if (!outputs.includes(name)) continue;
    if (!PASSING.includes(operator)) return operator;
    name = inputs[0]!;
  }
  return undefined;
}

interface Progress {
  readonly values: Map<string, Value>;
  readonly softmaxes: Map<string, OnnxNode>;
  readonly source: string;
}

/** Computes the value of a node's first output. */
function run(
  node: OnnxNode,
  { builder, values, softmaxes, source }: Progress & { builder: LayerBuilder },
): void {
  const { operator, title, outputs } = node;
  const refuse = (message: string) => new UnknownPart(`${title} ${message}`, source);
  const isSoftmax = SOFTMAX.includes(operator);
  const compute = isSoftmax ? (reader: NodeReader) => reader.input(0) : operatorNamed(operator);
  if (compute === undefined)
    throw refuse(
      `is an operator that cannot be read; can be: ${[...Object.keys(OPERATORS), ...SOFTMAX].join(", ")}`,
    );
  const used = outputs.filter((name) => name !== "");
  const reader = new NodeReader(
    builder,
    node,
    node.inputs.map((name) => {
      if (name !== "" && !values.has(name))
        throw new InputError(`${title} reads "${name}", which no node before it computes`, source);
      const softmax = softmaxes.get(name);
      if (softmax !== undefined && !PASSING.includes(operator))
        throw refuse(`reads ${softmax.title}; softmax may be at the end only`);
      if (softmax !== undefined) for (const output of used) softmaxes.set(output, softmax);
      return values.get(name);
    }),
  );
  try {
    const value = compute(reader);
    if (isSoftmax) {
      const axis = reader.axis(value.shape.length, value.shape.length - 1);
      if (value.shape[axis] !== sizeOf(value.shape)) throw new RangeError("is over a part of the outputs");
      softmaxes.set(outputs[0]!, node);
    }
    values.set(outputs[0]!, value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw refuse(error.message);
  }
}

function operatorNamed(name: string): ((reader: NodeReader) => Value) | undefined {
  return Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined;
}

function finish(builder: LayerBuilder, names: readonly string[], progress: Progress): GraphNetwork {
  const [value, policy] = names.map((name): Computed => {
    const found = progress.values.get(name);
    if (found === undefined || isKnown(found))
      throw new InputError(`the output "${name}" does not depend on the input`, progress.source);
    return reshaped(found, [1, sizeOf(found.shape)]);
  });
  const softmax = progress.softmaxes.get(names[0]!);
  if (softmax?.operator === "LogSoftmax")
    throw new InputError(`${softmax.title} ends the value; what can be read there: Softmax`, progress.source);
  const { addresses, activation } = softmax
    ? { ...value!, activation: "softmax" as const }
    : unactivated(builder, value!);
  return compact(builder, {
    outputs: Int32Array.of(...addresses, ...(policy?.addresses ?? [])),
    activation,
    logits: policy?.addresses.length ?? 0,
  });
}

/** The value before the activation of its last layer, which evaluators apply themselves. */
function unactivated(builder: LayerBuilder, value: Computed): Computed & Pick<GraphNetwork, "activation"> {
  const own = builder.layerOf(value);
  if (own === undefined || (own.activation !== "tanh" && own.activation !== "sigmoid"))
    return { ...value, activation: "linear" };
  return { ...builder.replace(value, own, { activation: "linear" }), activation: own.activation };
}

/** Leaves out the layers that no output needs, and gives all others their final addresses. */
function compact(
  { inputs, constants, layers }: LayerBuilder,
  { outputs, ...rest }: Pick<GraphNetwork, "outputs" | "activation" | "logits">,
): GraphNetwork {
  const needed = new Set<BuiltLayer>();
  const owner = (address: number) => layers[lastAt(layers, address)];
  const visit = (addresses: Int32Array) => {
    let known: BuiltLayer | undefined;
    for (const address of addresses) {
      if (address <= inputs || (known !== undefined && isIn(known, address))) continue;
      known = owner(address)!;
      if (needed.has(known)) continue;
      needed.add(known);
      visit(known.reads);
    }
  };
  visit(outputs);
  const kept = layers.filter((layer) => needed.has(layer));
  const moved = new Map<BuiltLayer, number>();
  let end = firstAddress({ inputs, constants: Float32Array.from(constants) });
  for (const layer of kept) {
    moved.set(layer, end - layer.at);
    end += layer.places * layer.units;
  }
  const move = (addresses: Int32Array) =>
    addresses.map((address) => {
      if (address < 0) return inputs - address;
      return address <= inputs ? address : address + moved.get(owner(address)!)!;
    });
  return {
    inputs,
    constants: Float32Array.from(constants),
    layers: kept.map((layer): PlacedLayer => ({ ...layer, reads: move(layer.reads) })),
    outputs: move(outputs),
    ...rest,
  };
}

function isIn({ at, places, units }: BuiltLayer, address: number): boolean {
  return address >= at && address < at + places * units;
}

/** The number of the last layer that begins at an address or before. */
function lastAt(layers: readonly BuiltLayer[], address: number): number {
  let [low, high] = [0, layers.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (layers[middle]!.at <= address) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * The same network as a chain of dense layers, the last of which has the value and the policy; undefined if it is no such
 * chain.
 */
export function asChain(graph: GraphNetwork): Network | undefined {
  const { inputs, constants, layers, outputs, activation, logits } = graph;
  if (constants.length > 0) return undefined;
  const heads = layers.slice(logits > 0 ? -2 : -1);
  const hidden = layers.slice(0, -heads.length);
  let [begin, count] = [1, inputs];
  const isNext = ({ places, inputs: read, reads, slope }: PlacedLayer) =>
    places === 1 && slope === 0 && read === count && isRange(reads, begin);
  for (const layer of hidden) {
    if (!isNext(layer)) return undefined;
    [begin, count] = [begin + count, layer.units];
  }
  if (!heads.every((layer) => isNext(layer) && layer.activation === "linear")) return undefined;
  const values = outputs.length - logits;
  const [first, second] = heads;
  const isInOrder = first!.units === values && isRange(outputs, begin + count);
  const isReversed =
    second?.units === values &&
    isRange(outputs.subarray(0, values), begin + count + logits) &&
    isRange(outputs.subarray(values), begin + count);
  if (!isInOrder && !isReversed) return undefined;
  const [value, policy] = isInOrder ? heads : heads.toReversed();
  const last = dense({ ...value!, activation });
  return {
    layers: [...hidden.map(dense), policy === undefined ? last : joinHeads(last, dense(policy))],
    ...(logits > 0 && { logits }),
  };
}

function dense({ inputs, units, activation, kernel, bias }: Omit<DenseLayer, "places">): DenseLayer {
  return { inputs, units, activation, kernel, bias };
}

function isRange(addresses: Int32Array, first: number): boolean {
  return addresses.every((address, at) => address === first + at);
}
