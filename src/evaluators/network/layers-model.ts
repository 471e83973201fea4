import { z } from "zod";
import { check } from "../../base/check.ts";
import { InputError } from "../../base/errors.ts";
import { formatTopology, layerName, POLICY_LAYER, readTopology } from "./layers-topology.ts";
import type { DenseLayer, Network } from "./network.ts";

/*
 * Networks as layers models of TensorFlow.js, made and read without TensorFlow.js. A layers model is a model.json,
 * which holds the topology and the weights manifest, and files with the weights as little-endian numbers in the
 * manifest's order (https://www.tensorflow.org/js/guide/save_load). The files themselves are read and written by
 * specs/files/layers-model-file.ts.
 */

/** The size of one number in bytes, by type. */
const SIZES = { float32: 4, int32: 4, uint16: 2, float16: 2, uint8: 1, bool: 1 } as const;
const dtype = z.enum(Object.keys(SIZES) as (keyof typeof SIZES)[]);

const weightSchema = z.looseObject({
  name: z.string(),
  shape: z.array(z.int().min(0)),
  dtype,
  quantization: z.looseObject({ dtype }).optional(),
});
type WeightSpec = z.output<typeof weightSchema>;

const fileSchema = z.looseObject({
  format: z.literal("layers-model").default("layers-model"),
  modelTopology: z.looseObject({}),
  weightsManifest: z.array(
    z.looseObject({ paths: z.array(z.string().min(1)), weights: z.array(weightSchema) }),
  ),
});
type LayersModelFile = z.output<typeof fileSchema>;

/** Makes the content of a network's model.json, and of the weights file that it names: `name`.weights.bin. */
export function formatLayersModel(
  network: Network,
  name: string,
): { json: LayersModelFile; bin: Uint8Array } {
  const layers = splitHeads(network);
  const weights = layers.flatMap(({ name: layer, inputs, units }): WeightSpec[] => [
    { name: `${layer}/kernel`, shape: [inputs, units], dtype: "float32" },
    { name: `${layer}/bias`, shape: [units], dtype: "float32" },
  ]);
  const numbers = layers.flatMap(({ kernel, bias }) => [kernel, bias]);
  return {
    json: {
      format: "layers-model",
      generatedBy: "agon",
      convertedBy: null,
      modelTopology: { ...formatTopology(network, name) },
      weightsManifest: [{ paths: [`${name}.weights.bin`], weights }],
    },
    bin: joinBytes(
      numbers.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength)),
    ),
  };
}

/** The layers as a model has them, with their names: those of the value, and behind them the logits of a policy. */
function splitHeads({ layers, logits = 0 }: Network): (Omit<DenseLayer, "activation"> & { name: string })[] {
  const named = layers.map((layer, at) => ({ ...layer, name: layerName(at) }));
  if (logits === 0) return named;
  const { name, ...last } = named.pop()!;
  const values = last.units - logits;
  return [
    ...named,
    { ...columns(last, 0, values), name },
    { ...columns(last, values, last.units), name: POLICY_LAYER },
  ];
}

/** The units `from` to `to - 1` of a layer. */
function columns({ inputs, units, kernel, bias }: DenseLayer, from: number, to: number) {
  const width = to - from;
  const part = new Float32Array(inputs * width);
  for (let input = 0; input < inputs; input++)
    part.set(kernel.subarray(input * units + from, input * units + to), input * width);
  return { inputs, units: width, kernel: part, bias: bias.slice(from, to) };
}

/** One layer with the units of both, and the activation of the first. */
export function joinHeads(one: DenseLayer, other: DenseLayer): DenseLayer {
  const units = one.units + other.units;
  const kernel = new Float32Array(one.inputs * units);
  for (let input = 0; input < one.inputs; input++) {
    kernel.set(one.kernel.subarray(input * one.units, (input + 1) * one.units), input * units);
    kernel.set(
      other.kernel.subarray(input * other.units, (input + 1) * other.units),
      input * units + one.units,
    );
  }
  return { ...one, units, kernel, bias: Float32Array.of(...one.bias, ...other.bias) };
}

/**
 * Returns the paths of the weights files that a model.json names, in order, and their bytes together. Throws InputError
 * if it is no layers model.
 */
export function weightsOf(json: unknown, source: string): { paths: string[]; bytes: number } {
  const { weightsManifest } = check(fileSchema, json, source);
  const specs = weightsManifest.flatMap(({ weights }) => weights);
  return {
    paths: weightsManifest.flatMap(({ paths }) => paths),
    bytes: specs.reduce((sum, spec) => sum + bytesOf(spec), 0),
  };
}

/**
 * Returns the names of the dense layers that `parseLayersModel` makes layers of, in order; throws InputError as it
 * does.
 */
export function namesOfLayers(json: unknown, source: string): string[] {
  return readTopology(check(fileSchema, json, source).modelTopology, source).layers.map(({ name }) => name);
}

/**
 * Makes the network that a model.json and its weights files describe. Throws InputError if the model is not a chain of
 * dense layers, whose last one may have a policy beside it, or if weights are missing, have another shape, are quantized or not
 * finite.
 * @param bins the content of the files that the manifest names, in its order
 * @param source the model's path, for messages
 */
export function parseLayersModel(json: unknown, bins: readonly Uint8Array[], source = ""): Network {
  const file = check(fileSchema, json, source);
  const { inputs, layers: specs, policy } = readTopology(file.modelTopology, source);
  const weights = new ManifestReader(file, bins, source);
  let before = inputs;
  const read = ({ name, units, activation, usesBias }: (typeof specs)[number]): DenseLayer => {
    const { shape, values: kernel } = weights.read(name, "kernel");
    const [rows = 0, columns] = shape;
    if (shape.length !== 2 || columns !== units || rows !== (before ?? rows))
      throw new InputError(
        `the kernel of layer "${name}" has the shape [${shape.join(", ")}]; the topology wants [${before ?? "inputs"}, ${units}]`,
        source,
      );
    const bias = usesBias ? weights.read(name, "bias").values : new Float32Array(units);
    if (bias.length !== units)
      throw new InputError(
        `the bias of layer "${name}" has ${bias.length} values for ${units} units`,
        source,
      );
    before = units;
    return { inputs: rows, units, activation, kernel, bias };
  };
  const layers = specs.map(read);
  if (policy === undefined) return { layers };
  const last = layers.pop()!;
  before = last.inputs;
  return { layers: [...layers, joinHeads(last, read(policy))], logits: policy.units };
}

/** Reads the weights of a model by name: the layer's name and `kernel` or `bias`. */
class ManifestReader {
  private readonly specs: readonly WeightSpec[];
  private readonly bytes: Uint8Array;
  private readonly source: string;

  constructor({ weightsManifest }: LayersModelFile, bins: readonly Uint8Array[], source: string) {
    this.specs = weightsManifest.flatMap(({ weights }) => weights);
    this.bytes = joinBytes(bins);
    this.source = source;
    const wanted = this.specs.reduce((sum, spec) => sum + bytesOf(spec), 0);
    if (wanted !== this.bytes.length)
      throw new InputError(
        `the weights files have ${this.bytes.length} bytes, the manifest describes ${wanted}`,
        source,
      );
  }

  read(layer: string, part: string): { shape: readonly number[]; values: Float32Array } {
    const name = `${layer}/${part}`;
    // Keras 3 puts the model's name before the layer's.
    const at = this.specs.findIndex((spec) => spec.name === name || spec.name.endsWith(`/${name}`));
    const spec = this.specs[at];
    if (spec === undefined) throw new InputError(`the weights "${name}" are missing`, this.source);
    const { shape, dtype: kind, quantization } = spec;
    if (kind !== "float32" || quantization !== undefined)
      throw new InputError(
        `the weights "${name}" are ${quantization === undefined ? kind : `quantized to ${quantization.dtype}`}; what can be read: float32`,
        this.source,
      );
    const from = this.specs.slice(0, at).reduce((sum, other) => sum + bytesOf(other), 0);
    const values = new Float32Array(Uint8Array.from(this.bytes.subarray(from, from + bytesOf(spec))).buffer);
    if (!values.every(Number.isFinite))
      throw new InputError(`the weights "${name}" are not all finite numbers`, this.source);
    return { shape, values };
  }
}

function bytesOf({ shape, dtype: kind, quantization }: WeightSpec): number {
  return shape.reduce((product, length) => product * length, 1) * SIZES[quantization?.dtype ?? kind];
}

function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
