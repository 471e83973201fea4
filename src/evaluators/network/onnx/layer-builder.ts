import type { PlacedLayer } from "../graph-network.ts";
import { type Computed, isKnown, type Value } from "./tensors.ts";
import type { OnnxTensor } from "./onnx-model.ts";

/** A layer whose place on the tape is known: its outputs begin at address `at`. */
export type BuiltLayer = PlacedLayer & { readonly at: number };

/** The parts of a layer that most layers have alike may be left out. */
type LayerParts = Pick<PlacedLayer, "places" | "inputs" | "units" | "kernel" | "reads"> &
  Partial<PlacedLayer>;

/** The most numbers that all places of one layer read together, and the most weights of one layer. */
const MOST_READS = 2 ** 25;

/**
 * Makes layers one after the other. A layer that is changed later, such as by a batch normalization behind a convolution,
 * is made once more; what nobody reads is left out at the end.
 */
export class LayerBuilder {
  readonly layers: BuiltLayer[] = [];
  /** Constant number i has the address -1 - i, as their count is not known yet. */
  readonly constants: number[] = [];
  readonly inputs: number;
  private end: number;

  constructor(inputs: number) {
    this.inputs = inputs;
    this.end = 1 + inputs;
  }

  /** Adds a layer and returns it. Throws RangeError if it is too large. */
  add(parts: LayerParts): BuiltLayer {
    if (parts.reads.length > MOST_READS || parts.kernel.length > MOST_READS)
      throw new RangeError(
        `is too large: at most ${MOST_READS} weights, and numbers to read, can be computed`,
      );
    const layer = {
      activation: "linear" as const,
      slope: 0,
      bias: new Float32Array(parts.units),
      ...parts,
      at: this.end,
    };
    this.layers.push(layer);
    this.end += layer.places * layer.units;
    return layer;
  }

  /** A known value gets the addresses of constants. */
  computed(value: Value): Computed {
    if (!isKnown(value)) return value;
    const begin = this.constants.length;
    for (const one of value.values) this.constants.push(one);
    return { shape: value.shape, addresses: Int32Array.from(value.values, (_, at) => -1 - begin - at) };
  }

  /** The layer that computes all elements of a value; undefined if there is none. */
  layerOf({ addresses }: Computed): BuiltLayer | undefined {
    const layer = this.layers.findLast(({ at }) => at <= (addresses[0] ?? 0));
    if (layer === undefined) return undefined;
    const end = layer.at + layer.places * layer.units;
    return addresses.every((address) => address >= layer.at && address < end) ? layer : undefined;
  }

  /** The layer of a value that is not activated yet; undefined if there is none. */
  private linearOf(value: Computed): BuiltLayer | undefined {
    const layer = this.layerOf(value);
    return layer?.activation === "linear" ? layer : undefined;
  }

  /** The same value, computed by a layer that replaces its own. */
  replace(value: Computed, own: BuiltLayer, parts: Partial<PlacedLayer>): Computed {
    const { at } = this.add({ ...own, ...parts });
    return { shape: value.shape, addresses: value.addresses.map((address) => address - own.at + at) };
  }

  /** Applies an activation to each element. */
  activate(value: Computed, activation: PlacedLayer["activation"], slope = 0): Computed {
    const own = this.linearOf(value);
    if (own !== undefined) return this.replace(value, own, { activation, slope });
    return this.combine([value], [1], { activation, slope });
  }

  /** The sum of values of one shape, each times a factor. */
  combine(
    values: readonly Computed[],
    factors: readonly number[],
    parts: Partial<PlacedLayer> = {},
  ): Computed {
    const { shape, addresses } = values[0]!;
    const reads = new Int32Array(values.length * addresses.length);
    for (const [term, value] of values.entries())
      for (const [at, address] of value.addresses.entries()) reads[at * values.length + term] = address;
    const layer = this.add({
      places: addresses.length,
      inputs: values.length,
      units: 1,
      kernel: Float32Array.from(factors),
      reads,
      ...parts,
    });
    return { shape, addresses: addresses.map((_, at) => layer.at + at) };
  }

  /**
   * value * factor + shift, element by element; `factor` and `shift` have the value's shape. Throws RangeError if the factors
   * of the elements differ such that no layer has them.
   */
  scale(value: Computed, factor: OnnxTensor, shift: OnnxTensor): Computed {
    const own = this.linearOf(value);
    const parts = own && scaledParts(own, value, { factor: factor.values, shift: shift.values });
    if (own !== undefined && parts !== undefined) return this.replace(value, own, parts);
    const [first = 1] = factor.values;
    if (factor.values.every((one) => one === first))
      return this.combine([value, this.computed(shift)], [first, 1]);
    return this.scaleChannels(value, factor, shift);
  }

  /** As `scale`, if all elements of a channel, along axis 1, have the same factor and shift. */
  private scaleChannels(value: Computed, factor: OnnxTensor, shift: OnnxTensor): Computed {
    const [batch, channels = 1] = value.shape;
    const uneven = new RangeError("has a factor for each element; one for each channel can be read");
    if (batch !== 1) throw uneven;
    const places = value.addresses.length / channels;
    const kernel = new Float32Array(channels * channels);
    const bias = new Float32Array(channels);
    const reads = new Int32Array(value.addresses.length);
    for (const [at, address] of value.addresses.entries()) {
      const channel = Math.floor(at / places);
      const first = channel * places;
      if (factor.values[at] !== factor.values[first] || shift.values[at] !== shift.values[first])
        throw uneven;
      kernel[channel * channels + channel] = factor.values[at]!;
      bias[channel] = shift.values[at]!;
      reads[(at % places) * channels + channel] = address;
    }
    const layer = this.add({ places, inputs: channels, units: channels, kernel, bias, reads });
    return this.outputOf(layer, value.shape);
  }

  /** The outputs of a layer, channel by channel: shape [1, units, places], or any of as many elements. */
  outputOf({ at, places, units }: BuiltLayer, shape: readonly number[]): Computed {
    const addresses = new Int32Array(places * units);
    for (let unit = 0; unit < units; unit++)
      for (let place = 0; place < places; place++)
        addresses[unit * places + place] = at + place * units + unit;
    return { shape, addresses };
  }
}

/** Kernel and bias of a layer whose outputs are scaled; undefined if those of one unit are scaled differently. */
function scaledParts(
  { at, inputs, units, kernel, bias }: BuiltLayer,
  { addresses }: Computed,
  { factor, shift }: { factor: ArrayLike<number>; shift: ArrayLike<number> },
): Partial<PlacedLayer> | undefined {
  const first = new Int32Array(units).fill(-1);
  for (const [element, address] of addresses.entries()) {
    const unit = (address - at) % units;
    if (first[unit]! < 0) first[unit] = element;
    const known = first[unit]!;
    if (factor[element] !== factor[known] || shift[element] !== shift[known]) return undefined;
  }
  const scaled = { kernel: Float32Array.from(kernel), bias: Float32Array.from(bias) };
  for (const [unit, element] of first.entries()) {
    if (element < 0) continue;
    scaled.bias[unit] = bias[unit]! * factor[element]! + shift[element]!;
    for (let input = 0; input < inputs; input++)
      scaled.kernel[input * units + unit] = kernel[input * units + unit]! * factor[element]!;
  }
  return scaled;
}
