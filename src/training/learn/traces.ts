import { grown } from "../../base/hashing.ts";

/** The kind of trace: if a feature is active again, its trace is added to, or begins anew (Singh and Sutton 1996). */
export const TRACE_KINDS = ["accumulating", "replacing"] as const;
export type TraceKind = (typeof TRACE_KINDS)[number];

/** Traces whose absolute value is not above this are dropped. */
const TINY = 1e-6;

/**
 * Eligibility traces: the credit that each weight gets for the errors to come. Only weights whose trace is not 0 are
 * listed, so the cost of a step grows with their number. Methods allocate only when the list must grow.
 */
export class Traces {
  /** The number of weights that have a trace. */
  count = 0;
  /** These weights index[0..count-1], and their traces credit[0..count-1]. */
  index = new Int32Array(256);
  credit = new Float64Array(256);
  /** For each weight: 1 + its place in the list; 0 if it has no trace. */
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

  /** Adds factor * value[at] to the trace of index[at], for each place from 0 to active - 1. An index may repeat. */
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

  /** Multiplies all traces by `factor`, and drops those that are nearly 0. */
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

  /** Sets the traces of index[0..active-1] to 0. */
  private drop(index: Int32Array, active: number): void {
    for (let at = 0; at < active; at++) {
      const place = this.places[index[at]];
      if (place > 0) this.credit[place - 1] = 0;
    }
  }

  private reserve(count: number): void {
    if (count <= this.index.length) return;
    this.index = grown(this.index, 2 * count);
    this.credit = grown(this.credit, 2 * count);
  }
}
