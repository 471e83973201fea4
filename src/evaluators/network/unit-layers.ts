import { activate, type DenseLayer, type Network } from "./network.ts";
import { type Slot, VectorMemory, type VectorLoops } from "./vector-loops.ts";
import type { Layers } from "./exact-layers.ts";

/** The bits of a weight as a whole number, without its sign; fewer where more features could leave int32. */
const WEIGHT_BITS = 23;
const SUM_BITS = 30;

/** The sums of the first layer for the position that one player saw last. */
interface Sums {
  readonly values: Int32Array;
  readonly at: number;
  /** The active features of that position. */
  readonly held: Int32Array;
  heldCount: number;
}

/**
 * A network over features that are active or not, in 32 bits. Weights of the first layer are rounded to whole numbers of a unit
 * that depends on the largest one. So its sums are exact, and may go from one position to the next of the same player by the
 * features that changed. The layers behind compute in float32. The answer depends on the position alone, to the last bit.
 */
export class UnitLayers implements Layers {
  readonly answer: Float64Array;
  private network: Network;
  private readonly loops: VectorLoops;
  private readonly sums: readonly Sums[];
  /** Kernel and bias of the first layer, as whole numbers of units. */
  private readonly firstKernel: Int32Array;
  private readonly bias: Int32Array;
  /** Kernels [inputs, units], biases and outputs of the layers after the first, as float32. */
  private readonly kernels: readonly View[];
  private readonly biases: readonly View[];
  private readonly signals: readonly View[];
  private readonly rows: Int32Array;
  private readonly rowsAt: number;
  private readonly listAt: number;
  private readonly rowBytes: readonly number[];
  private readonly bits: number;
  /** The value of 1 in the sums. */
  private unit = 1;
  /** The times that each feature is active in the position given to `look`; all 0 between two calls. */
  private readonly wanted: Uint8Array;
  private readonly activated: Float64Array;

  constructor(network: Network, { maxActive, players }: { maxActive: number; players: number }) {
    const { layers } = network;
    const first = layers[0]!;
    const memory = new VectorMemory();
    const rows = memory.reserve32(2 * maxActive);
    const list = memory.reserve(Math.max(...layers.map(({ inputs }, at) => (at === 0 ? 0 : inputs))) + 1);
    const slots = layers.map(({ units }) => ({
      bias: memory.reserve32(units),
      signals: memory.reserve32(units),
    }));
    const sums = Array.from({ length: players }, () => memory.reserve32(first.units));
    const kernels = layers.map(({ inputs }, at) => memory.reserve(inputs * slots[at]!.bias.count));
    const { buffer, loops } = memory.create();
    const view = (slot: Slot): View => ({
      at: slot.at,
      values: new Float32Array(buffer, slot.at, 2 * slot.count),
    });
    this.network = network;
    this.loops = loops;
    this.kernels = kernels.map(view);
    this.biases = slots.map(({ bias }) => view(bias));
    const words = ({ values }: View) => new Int32Array(buffer, values.byteOffset, values.length);
    this.firstKernel = words(this.kernels[0]!);
    this.bias = words(this.biases[0]!);
    this.signals = slots.map(({ signals }) => view(signals));
    this.sums = sums.map(({ at, count }) => ({
      at,
      values: new Int32Array(buffer, at, 2 * count),
      held: new Int32Array(maxActive),
      heldCount: 0,
    }));
    this.rows = new Int32Array(buffer, rows.at, 2 * maxActive);
    this.rowsAt = rows.at;
    this.listAt = list.at;
    this.rowBytes = slots.map(({ bias }) => bias.count * Float64Array.BYTES_PER_ELEMENT);
    this.bits = Math.min(WEIGHT_BITS, SUM_BITS - Math.ceil(Math.log2(maxActive + 1)));
    this.wanted = new Uint8Array(first.inputs);
    this.answer = new Float64Array(layers.at(-1)!.units);
    this.activated = new Float64Array(Math.max(...layers.map(({ units }) => units)));
  }

  load(network: Network): void {
    this.network = network;
    const { kernels, biases, rowBytes, bits } = this;
    for (const [at, { inputs, units, kernel, bias }] of network.layers.entries()) {
      if (at === 0) continue;
      const stride = rowBytes[at]! / 4;
      for (let input = 0; input < inputs; input++)
        kernels[at]!.values.set(kernel.subarray(input * units, (input + 1) * units), input * stride);
      biases[at]!.values.set(bias);
    }
    const first = network.layers[0]!;
    const largest = largestOf(first);
    this.unit = (largest === 0 ? 1 : 2 ** Math.ceil(Math.log2(largest))) / 2 ** bits;
    const { firstKernel: to, bias } = this;
    const stride = rowBytes[0]! / 4;
    const scale = 1 / this.unit;
    for (let from = 0, row = 0; from < first.kernel.length; from += first.units, row += stride)
      for (let unit = 0; unit < first.units; unit++)
        to[row + unit] = Math.round(first.kernel[from + unit] * scale);
    for (let unit = 0; unit < first.units; unit++) bias[unit] = Math.round(first.bias[unit] * scale);
    this.forget();
  }

  forget(): void {
    for (const one of this.sums) {
      one.values.set(this.bias);
      one.heldCount = 0;
    }
  }

  look({ index, active, player }: Parameters<Layers["look"]>[0]): void {
    const { loops, signals, kernels, biases, rowBytes, network, listAt } = this;
    const { layers } = network;
    const sums = this.sums[player]!;
    this.update(sums, index, active);
    const { activation } = layers[0]!;
    const isLast = layers.length === 1;
    const least = activation === "relu" && !isLast ? 0 : -Infinity;
    loops.scaleSums(rowBytes[0]!, sums.at, this.unit, least, signals[0]!.at);
    for (let at = 1; at < layers.length; at++) {
      const before = layers[at - 1]!;
      if (at > 1 || before.activation !== "relu") this.activate(at - 1, before);
      loops.applyInputs(
        before.units,
        signals[at - 1]!.at,
        kernels[at]!.at,
        biases[at]!.at,
        listAt,
        signals[at]!.at,
        rowBytes[at]!,
      );
    }
    const { values } = signals.at(-1)!;
    for (let unit = 0; unit < this.answer.length; unit++) this.answer[unit] = values[unit];
  }

  private activate(at: number, { activation, units }: DenseLayer): void {
    const { values } = this.signals[at]!;
    if (activation === "relu") this.loops.rectify(this.rowBytes[at]!, this.signals[at]!.at);
    else {
      const { activated } = this;
      for (let unit = 0; unit < units; unit++) activated[unit] = values[unit];
      activate(activation, activated, units);
      for (let unit = 0; unit < units; unit++) values[unit] = activated[unit];
    }
  }

  /** Updates sums to those of the features at 0..active-1: from the position before, or from the bias where that is less. */
  private update(sums: Sums, index: Int32Array, active: number): void {
    const { wanted, rows, rowBytes } = this;
    const { held, heldCount } = sums;
    const bytes = rowBytes[0]!;
    for (let at = 0; at < active; at++) wanted[index[at]]++;
    // The removed features at the end of the list, so that the added ones can stand before them.
    let removed = 0;
    for (let at = 0; at < heldCount; at++) {
      const feature = held[at];
      if (wanted[feature] !== 0) wanted[feature]--;
      else held[removed++] = feature;
    }
    let added = 0;
    for (let at = 0; at < active; at++) {
      const feature = index[at];
      if (wanted[feature] === 0) continue;
      wanted[feature]--;
      rows[added++] = feature * bytes;
    }
    if (added + removed <= active) {
      for (let at = 0; at < removed; at++) rows[added + at] = held[at] * bytes;
    } else {
      sums.values.set(this.bias);
      for (added = 0; added < active; added++) rows[added] = index[added] * bytes;
      removed = 0;
    }
    for (let at = 0; at < active; at++) held[at] = index[at];
    sums.heldCount = active;
    if (added + removed > 0)
      this.loops.moveRows(added, removed, this.rowsAt, this.kernels[0]!.at, sums.at, bytes);
  }
}

interface View {
  readonly at: number;
  readonly values: Float32Array;
}

function largestOf({ kernel, bias }: DenseLayer): number {
  let largest = 0;
  for (const weights of [kernel, bias])
    for (let at = 0; at < weights.length; at++) largest = Math.max(largest, Math.abs(weights[at]));
  return largest;
}
