import type { DenseLayer } from "./network.ts";
import { type VectorCode, padded } from "./vector-loops.ts";

/*
 * The precision of the sums, where M is the smallest power of two that no weight exceeds. Weights are rounded to
 * multiples of M 2^-WEIGHT_BITS, and products that must be rounded to multiples of M 2^-PRODUCT_BITS. A feature's value
 * is short if it is a multiple of 1 / VALUE_STEPS.
 */
const WEIGHT_BITS = 30;
const VALUE_STEPS = 2 ** 8;
const PRODUCT_BITS = 38;

/** Adding 1.5 * 2^52 and subtracting it again rounds a float64 to a whole number. */
const ROUNDER = 1.5 * 2 ** 52;

/**
 * The weighted sums of a first layer over sparse features: bias + the sum of value * row over the active features. The
 * sums are kept from one position to the next. If few features changed, only their rows are added and subtracted;
 * otherwise the sums start again from the bias.
 *
 * The sums depend on the position alone, to the last bit, not on the positions before. So no addition may be rounded.
 * Let M be the smallest power of two that no weight exceeds. Weights are rounded to multiples of M 2^-30. If a
 * feature's value is a multiple of 2^-8, such as a count or a half, then value * weight is a multiple of M 2^-38. Any
 * other product is rounded to such a multiple, in the same way when it is added and when it is subtracted. Sums of
 * multiples of M 2^-38 are exact in the 53 bits of a float64, in any order, as long as they stay below M 2^15. The
 * error of a weight is at most 2^-31 M, less than that of 32-bit arithmetic.
 */
export class FirstLayer {
  private readonly units: number;
  /** The length of a row: the units, filled up with zeros. */
  private readonly stride: number;
  private readonly sums: Float64Array;
  private readonly kernel: Float64Array;
  private readonly bias: Float64Array;
  private readonly code: VectorCode;
  private rounder = 0;
  /** By feature: its value in the present sums. */
  private readonly held: Float64Array;
  /** The features whose value in the sums is not 0: heldIndex[0..heldCount-1]. */
  private readonly heldIndex: Int32Array;
  private heldCount = 0;
  private isValid = false;
  /** By feature: its value in the position given to `update`; all 0 between two calls. */
  private readonly wanted: Float64Array;
  /** The features that change, and their values in the sums before. */
  private readonly changedIndex: Int32Array;
  private readonly changedFrom: Float64Array;

  /**
   * @param code holds the sums and weights; made for 2 * maxActive rows
   * @param maxActive upper bound of the pairs of one position
   */
  constructor({ inputs, units }: DenseLayer, code: VectorCode, maxActive: number) {
    const { kernel, bias, sums } = code.layers[0]!;
    this.units = units;
    this.stride = padded(units);
    this.sums = sums;
    this.kernel = kernel;
    this.bias = bias;
    this.code = code;
    this.held = new Float64Array(inputs);
    this.wanted = new Float64Array(inputs);
    this.heldIndex = new Int32Array(maxActive);
    this.changedIndex = new Int32Array(2 * maxActive);
    this.changedFrom = new Float64Array(2 * maxActive);
  }

  /** Copies the weights, rounded, and forgets the sums. */
  load({ kernel, bias }: DenseLayer): void {
    let largest = 0;
    for (let at = 0; at < kernel.length; at++) {
      const size = Math.abs(kernel[at]);
      if (size > largest) largest = size;
    }
    const unit = largest === 0 ? 1 : 2 ** Math.ceil(Math.log2(largest));
    this.rounder = ROUNDER * unit * 2 ** -PRODUCT_BITS;
    const rounder = ROUNDER * unit * 2 ** -WEIGHT_BITS;
    const { units, stride } = this;
    for (let from = 0, row = 0; from < kernel.length; from += units, row += stride)
      for (let unit = 0; unit < units; unit++)
        this.kernel[row + unit] = kernel[from + unit] + rounder - rounder;
    for (let at = 0; at < bias.length; at++) this.bias[at] = bias[at] + rounder - rounder;
    this.forget();
  }

  /** Makes the next `update` start again from the bias. */
  forget(): void {
    this.isValid = false;
  }

  /** Updates the sums to those of the pairs at 0..active-1. If a feature is there twice, its values are added. */
  update(index: Int32Array, value: Float32Array, active: number): void {
    const { held, heldIndex, wanted, changedIndex, changedFrom } = this;
    for (let at = 0; at < active; at++) wanted[index[at]] += value[at];
    let changes = 0;
    for (let at = 0; at < this.heldCount; at++) {
      const feature = heldIndex[at];
      const before = held[feature];
      const now = wanted[feature];
      if (now === before) continue;
      changedIndex[changes] = feature;
      changedFrom[changes++] = before;
      held[feature] = now;
    }
    let count = 0;
    for (let at = 0; at < active; at++) {
      const feature = index[at];
      const now = wanted[feature];
      if (now === 0) continue;
      wanted[feature] = 0;
      heldIndex[count++] = feature;
      if (held[feature] !== 0) continue;
      changedIndex[changes] = feature;
      changedFrom[changes++] = 0;
      held[feature] = now;
    }
    this.heldCount = count;
    if (this.isValid && changes <= count) {
      this.change(changes);
      return;
    }
    this.isValid = true;
    this.sums.set(this.bias);
    for (let at = 0; at < count; at++) {
      changedIndex[at] = heldIndex[at];
      changedFrom[at] = 0;
    }
    this.change(count);
  }

  /** Adds the changes of the features at changedIndex[0..changes-1] to the sums. */
  private change(changes: number): void {
    const { changedIndex, changedFrom, held, stride } = this;
    const { rows, factors } = this.code;
    let count = 0;
    for (let at = 0; at < changes; at++) {
      const feature = changedIndex[at];
      const from = changedFrom[at];
      const to = held[feature];
      if (isShort(from) && isShort(to)) {
        rows[count] = feature * stride * Float64Array.BYTES_PER_ELEMENT;
        factors[count++] = to - from;
      } else {
        this.changeRounded(feature * stride, from, to);
      }
    }
    if (count > 0) this.code.addRows(count);
  }

  private changeRounded(row: number, from: number, to: number): void {
    const { sums, kernel, rounder, units } = this;
    for (let unit = 0; unit < units; unit++) {
      const weight = kernel[row + unit];
      sums[unit] += to * weight + rounder - rounder - (from * weight + rounder - rounder);
    }
  }
}

/** True if a value is a multiple of 1 / VALUE_STEPS. */
function isShort(value: number): boolean {
  const steps = value * VALUE_STEPS;
  return steps === Math.floor(steps);
}
