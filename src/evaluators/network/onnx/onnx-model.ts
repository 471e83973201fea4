import { InputError } from "../../../base/errors.ts";
import { floatsOf, Message } from "./wire.ts";

/*
 * The content of an ONNX file. The numbers of fields are those of
 * https://github.com/onnx/onnx/blob/main/onnx/onnx.proto.
 */

/** The versions of ONNX's own operators that can be read. */
const OPSETS = { least: 9, most: 26 };

/** A constant of a model; the values lie row by row. */
export interface OnnxTensor {
  readonly shape: readonly number[];
  readonly values: Float32Array | Float64Array;
}

export interface OnnxNode {
  readonly operator: string;
  /** Names the node in messages, such as `node "conv1" (Conv)`. */
  readonly title: string;
  /** Names of values; an empty one stands for an input that is left out. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: Attributes;
}

export interface OnnxModel {
  /** In an order in which every node has its inputs. */
  readonly nodes: readonly OnnxNode[];
  /** Reads the weights, by name. Throws InputError. */
  readonly constants: () => ReadonlyMap<string, OnnxTensor>;
  /** The input that is no constant. Sizes that the file leaves open are 0. */
  readonly input: { readonly name: string; readonly shape: readonly number[] };
  readonly outputs: readonly string[];
}

/** The network has a part that agon cannot compute. onnxruntime may. */
export class UnknownPart extends InputError {}

/** Reads an ONNX file. Throws InputError if it is none, is cut off, or has what cannot be read. */
export function parseOnnxFile(bytes: Uint8Array, source: string): OnnxModel {
  return refusingDamage(source, () => readModel(new Message(bytes), source));
}

function refusingDamage<T>(source: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new InputError(`is no ONNX file, or is damaged: ${error.message}`, source);
  }
}

function readModel(model: Message, source: string): OnnxModel {
  const refuse = (message: string) => new InputError(message, source);
  const [graph] = model.messages(7);
  const opset = model.messages(8).find((one) => ["", "ai.onnx"].includes(one.text(1)));
  if (graph === undefined || opset === undefined) throw new RangeError("it has no graph with an opset");
  const version = opset.integer(2);
  if (version < OPSETS.least || version > OPSETS.most)
    throw refuse(`has opset ${version}; what can be read: ${OPSETS.least} to ${OPSETS.most}`);
  if (graph.blocks(15).length > 0) throw refuse("has sparse weights, which cannot be read");
  const weights = new Map(graph.messages(5).map((tensor) => [tensor.text(8), tensor]));
  for (const [name, tensor] of weights)
    if (tensor.blocks(13).length > 0)
      throw refuse(
        `the weights "${name}" are in a file of their own; keep all in one file (PyTorch: external_data=False)`,
      );
  const inputs = graph
    .messages(11)
    .map((info) => ({ name: info.text(1), shape: shapeOf(info) }))
    .filter(({ name }) => !weights.has(name));
  const [input] = inputs;
  if (input === undefined || inputs.length > 1)
    throw refuse(
      `has ${inputs.length} inputs (${inputs.map(({ name }) => name).join(", ")}); one with all features is wanted`,
    );
  return {
    nodes: graph.messages(1).map((node) => readNode(node, source)),
    constants: () => refusingDamage(source, () => readConstants(weights, source)),
    input,
    outputs: graph.messages(12).map((info) => info.text(1)),
  };
}

function readConstants(weights: ReadonlyMap<string, Message>, source: string): Map<string, OnnxTensor> {
  const read = ([name, tensor]: [string, Message]) =>
    [name, readTensor(tensor, `the weights "${name}"`, source)] as const;
  return new Map(Array.from(weights, read));
}

/** The sizes of a value's dimensions; 0 for those that are left open. */
function shapeOf(info: Message): number[] {
  const shape = info.messages(2)[0]?.messages(1)[0]?.messages(2)[0];
  return shape?.messages(1).map((dimension) => dimension.integer(1)) ?? [];
}

function readNode(node: Message, source: string): OnnxNode {
  const domain = node.text(7);
  const operator = domain === "" || domain === "ai.onnx" ? node.text(4) : `${domain}.${node.text(4)}`;
  const outputs = node.texts(2);
  const title = `node "${node.text(3) || outputs[0] || ""}" (${operator})`;
  return {
    operator,
    title,
    inputs: node.texts(1),
    outputs,
    attributes: new Attributes(node.messages(5), title, source),
  };
}

/** The attributes of a node by name. */
class Attributes {
  private readonly named: ReadonlyMap<string, Message>;
  private readonly title: string;
  private readonly source: string;

  constructor(attributes: readonly Message[], title: string, source: string) {
    this.named = new Map(attributes.map((attribute) => [attribute.text(1), attribute]));
    this.title = title;
    this.source = source;
  }

  integer(name: string, otherwise: number): number {
    return this.named.get(name)?.integer(3, 0) ?? otherwise;
  }

  integers(name: string): number[] | undefined {
    return this.named.get(name)?.integers(8);
  }

  float(name: string, otherwise: number): number {
    return this.named.get(name)?.floats(2).at(-1) ?? otherwise;
  }

  text(name: string): string | undefined {
    return this.named.get(name)?.text(4);
  }

  tensor(name: string): OnnxTensor | undefined {
    const tensor = this.named.get(name)?.messages(5)[0];
    return tensor && readTensor(tensor, `${this.title}: "${name}"`, this.source);
  }
}

/** By ONNX's number of the type: its name, and how its values are read from raw bytes and from a field of their own. */
const TYPES: Readonly<
  Record<
    number,
    {
      readonly raw: (bytes: Uint8Array) => Float32Array | Float64Array;
      readonly listed: (tensor: Message) => number[];
    }
  >
> = {
  1: { raw: floatsOf, listed: (tensor) => tensor.floats(4) },
  6: {
    raw: (bytes) => Float64Array.from(new Int32Array(Uint8Array.from(bytes).buffer)),
    listed: (tensor) => tensor.integers(5),
  },
  7: {
    raw: (bytes) => Float64Array.from(new BigInt64Array(Uint8Array.from(bytes).buffer), Number),
    listed: (tensor) => tensor.integers(7),
  },
  11: {
    raw: (bytes) => new Float64Array(Uint8Array.from(bytes).buffer),
    listed: (tensor) =>
      tensor.blocks(10).flatMap((bytes) => [...new Float64Array(Uint8Array.from(bytes).buffer)]),
  },
};

function readTensor(tensor: Message, named: string, source: string): OnnxTensor {
  const refuse = (message: string) => new InputError(message, source);
  const kind = tensor.integer(2);
  const type = TYPES[kind];
  if (type === undefined)
    throw new UnknownPart(
      `${named} are of ONNX's type ${kind}; what can be read: float, double, int32, int64`,
      source,
    );
  const shape = tensor.integers(1);
  const [raw] = tensor.blocks(9);
  const values = raw === undefined ? Float64Array.from(type.listed(tensor)) : type.raw(raw);
  const wanted = sizeOf(shape);
  if (values.length !== wanted)
    throw refuse(`${named} have ${values.length} values for the shape [${shape.join(", ")}]`);
  if (!values.every(Number.isFinite)) throw refuse(`${named} are not all finite numbers`);
  return { shape, values };
}

/** The number of elements of a shape. */
export function sizeOf(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}
