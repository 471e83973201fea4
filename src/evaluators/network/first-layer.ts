import type { DenseLayer } from "./network.ts";
import type { VectorCode } from "./vector-code.ts";
import { padded } from "./vector-loops.ts";

/** Bits of a weight, of a feature's value, and of a rounded product below the largest weight's power of two. */
const WEIGHT_BITS = 30;
const VALUE_STEPS = 2 ** 8;
const PRODUCT_BITS = 38;

/** Adding and subtracting 1.5 * 2^52 units rounds a number to whole units. */
const ROUNDER = 1.5 * 2 ** 52;

/**
 * The weighted sums of a first layer over sparse features: bias + value * row for each active feature.
 * They are kept from one position to the next, which differs by a few features only: the rows that
 * changed are added and taken away where that is less work than to start again.
 *
 * What comes out depends on the position alone, to the last bit, not on the positions before, because no
 * addition is ever rounded. With M the power of two above the largest weight, weights are rounded to
 * multiples of M 2^-30. A feature's value that is a multiple of 2^-8 (a count, a half) times a weight is
 * a multiple of M 2^-38 as it is; any other product is rounded to one, and taken away as it was added.
 * Sums of such multiples are exact in 53 bits, in any order, as long as they stay below M 2^15. The
 * rounding is 2^-31 of the largest weight at most, less than that of 32-bit arithmetic.
 */
export class FirstLayer {
  private readonly units: number;
  /** What one row takes: units and zeros. */
  private readonly stride: number;
  private readonly sums: Float64Array;
  private readonly kernel: Float64Array;
  private readonly bias: Float64Array;
  private readonly code: VectorCode;
  private rounder = 0;
  /** By feature: the value that is in the sums. */
  private readonly held: Float64Array;
  /** The features that are in the sums: heldIndex[0..heldCount-1]. */
  private readonly heldIndex: Int32Array;
  private heldCount = 0;
  private isFresh = false;
  /** By feature: the value that is asked for; all 0 between two calls. */
  private readonly wanted: Float64Array;
  /** Features that change, and their values before. */
  private readonly changedIndex: Int32Array;
  private readonly changedFrom: Float64Array;

  /**
   * @param code where the sums and weights are; it adds up to twice as many rows at once
   * @param maxActive upper bound for the pairs of one position
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

  /** Takes over the weights, and forgets all sums. */
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

  /** Starts from nothing with the next position. */
  forget(): void {
    this.isFresh = false;
  }

  /** Makes the sums those of the first `active` pairs; an index that repeats counts as the sum of its values. */
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
    if (this.isFresh && changes <= count) {
      this.change(changes);
      return;
    }
    this.isFresh = true;
    this.sums.set(this.bias);
    for (let at = 0; at < count; at++) {
      changedIndex[at] = heldIndex[at];
      changedFrom[at] = 0;
    }
    this.change(count);
  }

  /** Brings the first `changes` changed features into the sums. */
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

/** Whether a value is a multiple of 2^-8. */
function isShort(value: number): boolean {
  const steps = value * VALUE_STEPS;
  return steps === Math.floor(steps);
}
