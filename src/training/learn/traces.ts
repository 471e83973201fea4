/** How a feature's trace grows when it is active again: added to, or set anew (Singh and Sutton 1996). */
export const TRACE_KINDS = ["accumulating", "replacing"] as const;
export type TraceKind = (typeof TRACE_KINDS)[number];

/** Traces below this share of a full one no longer matter. */
const TINY = 1e-6;

/**
 * Eligibility traces: how much credit each weight still gets for what comes. Sparse: only the weights
 * that were lately active are listed, so that a step costs as much as there are of these. No method
 * allocates, save the growth of the list.
 */
export class Traces {
  /** How many weights have a trace. */
  count = 0;
  /** These weights, and their traces: [0...count-1]. */
  index = new Int32Array(256);
  credit = new Float64Array(256);
  /** By weight: 1 + where it is listed; 0 for a trace of nothing. */
  private readonly places: Int32Array;
  private readonly replaces: boolean;

  constructor(size: number, kind: TraceKind) {
    this.places = new Int32Array(size);
    this.replaces = kind === "replacing";
  }

  /** The trace of one weight. */
  of(weight: number): number {
    const place = this.places[weight];
    return place === 0 ? 0 : this.credit[place - 1];
  }

  /** Adds `factor * value` to the traces of `index`, the first `active` of each; an index may repeat. */
  add(index: Int32Array, value: Float32Array, active: number, factor: number): void {
    this.reserve(this.count + active);
    const { places, credit, index: listed } = this;
    if (this.replaces) this.drop(index, active);
    let { count } = this;
    for (let at = 0; at < active; at++) {
      const weight = index[at];
      const place = places[weight];
      if (place === 0) {
        listed[count] = weight;
        credit[count] = factor * value[at];
        places[weight] = ++count;
      } else {
        credit[place - 1] += factor * value[at];
      }
    }
    this.count = count;
  }

  /** Multiplies all traces with `factor` and forgets those of nearly nothing. */
  decay(factor: number): void {
    const { index, credit, places } = this;
    let kept = 0;
    for (let at = 0; at < this.count; at++) {
      const weight = index[at];
      const left = credit[at] * factor;
      if (left > TINY || left < -TINY) {
        index[kept] = weight;
        credit[kept] = left;
        places[weight] = ++kept;
      } else {
        places[weight] = 0;
      }
    }
    this.count = kept;
  }

  clear(): void {
    for (let at = 0; at < this.count; at++) this.places[this.index[at]] = 0;
    this.count = 0;
  }

  /** Sets the traces of `index` to nothing. */
  private drop(index: Int32Array, active: number): void {
    for (let at = 0; at < active; at++) {
      const place = this.places[index[at]];
      if (place > 0) this.credit[place - 1] = 0;
    }
  }

  private reserve(count: number): void {
    if (count <= this.index.length) return;
    const index = new Int32Array(2 * count);
    const credit = new Float64Array(2 * count);
    index.set(this.index);
    credit.set(this.credit);
    this.index = index;
    this.credit = credit;
  }
}
