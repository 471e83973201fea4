import { grown } from "../../base/hashing.ts";
import type { Correction, UpdateRule } from "./update-rule.ts";

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

/**
 * Decides which weights an error is credited to, and how much: the gradients of the positions before it, each position
 * further back counting lambda times as much.
 */
export interface Credit {
  /** A game begins. */
  begin(): void;
  /** The next position of the game, as the gradient of its estimate; stepSize / norm of its error is corrected. */
  add(position: Gradient, norm: number): void;
  /** Learns from the error of the step from the position added last to the next one. */
  learn(error: number, stepSize: number): void;
  /** Called instead of `learn`: no position so far learns from this step or any later one. */
  cut(): void;
  /** The game is over. */
  end(): void;
}

/** The gradient of an estimate: factor * value[at] by the weight index[at], for each place from 0 to active - 1. */
interface Gradient {
  readonly index: Int32Array;
  readonly value: Float32Array;
  readonly active: number;
  readonly factor: number;
}

/** Credit for lambda 0: only the position just before the step learns. */
export class PresentCredit implements Credit {
  private readonly rule: UpdateRule;
  private readonly index: Int32Array;
  private readonly credit: Float32Array;
  private count = 0;
  private norm = 1;
  private readonly correction: Correction = { error: 0, rate: 0 };

  constructor(rule: UpdateRule, maxActive: number) {
    this.rule = rule;
    this.index = new Int32Array(maxActive);
    this.credit = new Float32Array(maxActive);
  }

  begin(): void {
    this.count = 0;
  }

  add({ index, value, active, factor }: Gradient, norm: number): void {
    const { index: ours, credit } = this;
    for (let at = 0; at < active; at++) {
      ours[at] = index[at];
      credit[at] = factor * value[at];
    }
    this.count = active;
    this.norm = norm;
  }

  learn(error: number, stepSize: number): void {
    const { rule, index, credit, count, correction } = this;
    correction.error = error;
    correction.rate = stepSize / this.norm;
    rule.update(index, credit, count, correction);
  }

  cut(): void {}

  end(): void {}
}

/** Credit by eligibility traces, the backward view: at each step all positions before it learn. */
export class TraceCredit implements Credit {
  private readonly rule: UpdateRule;
  private readonly traces: Traces;
  private readonly lambda: number;
  private norm = 1;
  private readonly correction: Correction = { error: 0, rate: 0 };

  constructor(
    rule: UpdateRule,
    { weights, kind, lambda }: { weights: number; kind: TraceKind; lambda: number },
  ) {
    this.rule = rule;
    this.lambda = lambda;
    this.traces = new Traces(weights, kind);
  }

  begin(): void {
    this.traces.clear();
  }

  add({ index, value, active, factor }: Gradient, norm: number): void {
    this.traces.add(index, value, active, factor);
    this.norm = norm;
  }

  learn(error: number, stepSize: number): void {
    const { traces, rule, correction } = this;
    correction.error = error;
    correction.rate = stepSize / this.norm;
    rule.update(traces.index, traces.credit, traces.count, correction);
    traces.decay(this.lambda);
  }

  cut(): void {
    this.traces.clear();
  }

  end(): void {
    this.traces.clear();
  }
}

/**
 * Credit at the end of the game, the forward view: all positions are kept, and each learns once, from the sum of the
 * errors after it, where each further one counts lambda times as much. Any lambda costs as much work as lambda 0.
 */
export class GameCredit implements Credit {
  private readonly rule: UpdateRule;
  private readonly lambda: number;
  private readonly maxActive: number;
  private count = 0;
  /** For each position `maxActive` places: features and their credit. */
  private index: Int32Array;
  private credit: Float32Array;
  private active = new Int32Array(64);
  /** For each position: the error of the step after it, the rate, the norm, and 1 if nothing was learned from the step. */
  private errors = new Float64Array(64);
  private rates = new Float64Array(64);
  private norms = new Float64Array(64);
  private cuts = new Uint8Array(64);
  private readonly correction: Correction = { error: 0, rate: 0 };

  constructor(rule: UpdateRule, { maxActive, lambda }: { maxActive: number; lambda: number }) {
    this.rule = rule;
    this.lambda = lambda;
    this.maxActive = maxActive;
    this.index = new Int32Array(64 * maxActive);
    this.credit = new Float32Array(64 * maxActive);
  }

  begin(): void {
    this.count = 0;
  }

  add({ index, value, active, factor }: Gradient, norm: number): void {
    const { count, maxActive } = this;
    if (count === this.active.length) this.grow();
    const { index: indexes, credit } = this;
    const from = count * maxActive;
    for (let at = 0; at < active; at++) {
      indexes[from + at] = index[at];
      credit[from + at] = factor * value[at];
    }
    this.active[count] = active;
    this.norms[count] = norm;
    this.cuts[count] = 1;
    this.count = count + 1;
  }

  learn(error: number, stepSize: number): void {
    const last = this.count - 1;
    this.errors[last] = error;
    this.rates[last] = stepSize / this.norms[last];
    this.cuts[last] = 0;
  }

  /** `add` has marked the position as cut; only `learn` removes the mark. */
  cut(): void {}

  end(): void {
    const { rule, correction, lambda, maxActive, errors, rates, cuts, active } = this;
    let error = 0;
    for (let at = this.count - 1; at >= 0; at--) {
      if (cuts[at] !== 0) {
        error = 0;
        continue;
      }
      error = errors[at] + lambda * error;
      correction.error = error;
      correction.rate = rates[at];
      const from = at * maxActive;
      const end = from + active[at];
      rule.update(this.index.subarray(from, end), this.credit.subarray(from, end), active[at], correction);
    }
    this.count = 0;
  }

  private grow(): void {
    this.index = grown(this.index);
    this.credit = grown(this.credit);
    this.active = grown(this.active);
    this.errors = grown(this.errors);
    this.rates = grown(this.rates);
    this.norms = grown(this.norms);
    this.cuts = grown(this.cuts);
  }
}
