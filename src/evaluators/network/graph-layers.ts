import { InputError } from "../../base/errors.ts";
import { activate } from "./network.ts";
import type { Layers } from "./exact-layers.ts";
import { firstAddress, type GraphNetwork, type PlacedLayer } from "./graph-network.ts";
import { padded, type Slot, VectorMemory, type VectorLoops } from "./vector-loops.ts";

/** Numbers in a row of the loops for float32: rows are filled up to whole blocks. */
const ROW = 16;

/** A layer with its weights in the memory of the loops. */
interface ReadyLayer {
  readonly layer: PlacedLayer;
  readonly kernel: Slot;
  readonly bias: Slot;
  /** The numbers in a row of the kernel and of the sums. */
  readonly stride: number;
  /** The address of the layer's first output on the tape. */
  readonly at: number;
}

/**
 * Computes a network of any shape, in float32. Each layer gathers the patches of its places from the tape, and is one product of
 * matrices. The answer depends on the position alone: nothing is kept.
 */
export class GraphLayers implements Layers {
  readonly answer: Float64Array;
  private readonly network: GraphNetwork;
  private readonly loops: VectorLoops;
  private readonly layers: readonly ReadyLayer[];
  private readonly floats: Float32Array;
  private readonly patches: Slot;
  private readonly list: Slot;
  private readonly sums: Slot;
  private readonly tape: Float32Array;
  private readonly activated: Float64Array;

  constructor(network: GraphNetwork) {
    const { layers, outputs } = network;
    const memory = new VectorMemory();
    const most = (size: (layer: PlacedLayer) => number) => Math.max(0, ...layers.map(size));
    let at = firstAddress(network);
    this.layers = layers.map((layer) => {
      const stride = Math.ceil(layer.units / ROW) * ROW;
      const ready = {
        layer,
        kernel: memory.reserve32(layer.inputs * stride),
        bias: memory.reserve32(stride),
        stride,
        at,
      };
      at += layer.places * layer.units;
      return ready;
    });
    // The product takes two rows at a time.
    this.patches = memory.reserve32(most(({ places, inputs }) => (places + 1) * inputs));
    this.list = memory.reserve(most(({ inputs }) => inputs) + 1);
    this.sums = memory.reserve32(
      Math.max(0, ...this.layers.map(({ layer, stride }) => (layer.places + 1) * stride)),
    );
    const { buffer, loops } = memory.create();
    this.network = network;
    this.loops = loops;
    this.floats = new Float32Array(buffer);
    this.tape = new Float32Array(at);
    this.answer = new Float64Array(outputs.length);
    this.activated = new Float64Array(padded(most(({ places, units }) => places * units)));
    this.tape.set(network.constants, 1 + network.inputs);
    for (const { layer, kernel, bias, stride } of this.layers) {
      for (let input = 0; input < layer.inputs; input++)
        this.floats.set(
          layer.kernel.subarray(input * layer.units, (input + 1) * layer.units),
          kernel.at / 4 + input * stride,
        );
      this.floats.set(layer.bias, bias.at / 4);
    }
  }

  /** Networks of other programs do not learn here. */
  load(): void {
    throw new Error("networks of other programs do not learn here");
  }

  /** Nothing is kept that could be forgotten. */
  forget(): void {}

  /** Throws InputError if the numbers leave float32. */
  look({ index, value, active }: Parameters<Layers["look"]>[0]): void {
    const { tape, network, answer } = this;
    tape.fill(0, 1, 1 + network.inputs);
    for (let at = 0; at < active; at++) tape[1 + index[at]] += value[at];
    for (const ready of this.layers) {
      if (ready.layer.units === 1) this.applySingle(ready);
      else this.applyPlaces(ready);
      this.activate(ready);
    }
    for (let at = 0; at < answer.length; at++) {
      answer[at] = tape[network.outputs[at]];
      if (!Number.isFinite(answer[at])) throw new InputError("the network's output is NaN or infinite");
    }
  }

  /** A layer of one unit, such as the sum of a residual block: rows of the loops would be empty but for one number. */
  private applySingle({ layer, at }: ReadyLayer): void {
    const { tape } = this;
    const { places, inputs, kernel, bias, reads } = layer;
    for (let place = 0, read = 0; place < places; place++) {
      let sum = bias[0];
      for (let input = 0; input < inputs; input++, read++) sum += kernel[input] * tape[reads[read]];
      tape[at + place] = sum;
    }
  }

  private applyPlaces({ layer, kernel, bias, stride, at }: ReadyLayer): void {
    const { tape, floats, loops, patches, sums } = this;
    const { places, inputs, units, reads } = layer;
    const rowBytes = stride * 4;
    for (let read = 0, to = patches.at / 4; read < reads.length; read++, to++) floats[to] = tape[reads[read]];
    if (places === 1)
      loops.applyInputs(inputs, patches.at, kernel.at, bias.at, this.list.at, sums.at, rowBytes);
    else {
      const rows = places + (places % 2);
      for (let row = 0, to = sums.at / 4; row < rows; row++, to += stride)
        floats.copyWithin(to, bias.at / 4, bias.at / 4 + stride);
      loops.multiply(
        rows,
        inputs,
        patches.at,
        inputs * 4,
        4,
        kernel.at,
        rowBytes,
        sums.at,
        rowBytes,
        rowBytes,
      );
    }
    for (let place = 0, from = sums.at / 4, to = at; place < places; place++, from += stride, to += units)
      for (let unit = 0; unit < units; unit++) tape[to + unit] = floats[from + unit];
  }

  private activate({ layer: { activation, slope, places, units }, at }: ReadyLayer): void {
    const { tape, activated } = this;
    const count = places * units;
    if (activation === "relu") {
      for (let one = at; one < at + count; one++)
        tape[one] = Math.max(tape[one], 0) + slope * Math.min(tape[one], 0);
      return;
    }
    if (activation === "linear") return;
    for (let one = 0; one < count; one++) activated[one] = tape[at + one];
    activate(activation, activated, count);
    for (let one = 0; one < count; one++) tape[at + one] = activated[one];
  }
}
