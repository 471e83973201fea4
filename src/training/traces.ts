/** How a feature's trace grows when it is active again: added to, or set anew (Singh and Sutton 1996). */
export const TRACE_KINDS = ["accumulating", "replacing"] as const;
export type TraceKind = (typeof TRACE_KINDS)[number];

/** Traces below this share of a full one no longer matter. */
const TINY = 1e-6;

/**
 * Eligibility traces: how much credit each weight still gets for what comes. Sparse: only the weights
 * that were lately active are listed, so that a step costs as much as there are of these. No method
 * allocates.
 */
export class Traces {
  /** How many traces are not zero. */
  count = 0;
  private readonly trace: Float64Array;
  /** The weights with a trace: touched[0...count-1]. */
  private readonly touched: Int32Array;
  private readonly listed: Uint8Array;
  private readonly replaces: boolean;

  constructor(size: number, kind: TraceKind) {
    this.trace = new Float64Array(size);
    this.touched = new Int32Array(size);
    this.listed = new Uint8Array(size);
    this.replaces = kind === "replacing";
  }

  /** The trace of one weight. */
  of(weight: number): number {
    return this.trace[weight];
  }

  /** Adds `factor * value` to the traces of `index`, the first `active` of each; an index may repeat. */
  add(index: Int32Array, value: Float32Array, active: number, factor: number): void {
    const { trace, touched, listed } = this;
    if (this.replaces) for (let at = 0; at < active; at++) trace[index[at]] = 0;
    let { count } = this;
    for (let at = 0; at < active; at++) {
      const weight = index[at];
      trace[weight] += factor * value[at];
      if (listed[weight] === 0) {
        listed[weight] = 1;
        touched[count++] = weight;
      }
    }
    this.count = count;
  }

  /** target += change * trace; then trace *= decay. */
  spend(target: Float64Array, change: number, decay: number): void {
    const { trace, touched, listed } = this;
    let kept = 0;
    for (let at = 0; at < this.count; at++) {
      const weight = touched[at];
      const credit = trace[weight];
      target[weight] += change * credit;
      const left = credit * decay;
      if (left > TINY || left < -TINY) {
        trace[weight] = left;
        touched[kept++] = weight;
      } else {
        trace[weight] = 0;
        listed[weight] = 0;
      }
    }
    this.count = kept;
  }

  clear(): void {
    for (let at = 0; at < this.count; at++) {
      this.trace[this.touched[at]] = 0;
      this.listed[this.touched[at]] = 0;
    }
    this.count = 0;
  }
}
