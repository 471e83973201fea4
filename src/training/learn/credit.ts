import type { Change, Steps } from "./steps.ts";
import { Traces, type TraceKind } from "./traces.ts";

/** Which weights an error is due to, and how much: the gradients of the positions before it, fading by lambda. */
export interface Credit {
  /** A game begins. */
  begin(): void;
  /**
   * A position is reached whose estimate has the gradient factor * value over these features; of an error
   * 1 / norm is corrected for a step size of 1.
   */
  add(position: Gradient, norm: number): void;
  /** The error of the step from the position added last to the next. */
  learn(error: number, stepSize: number): void;
  /** Instead: that step teaches nothing, and no position before it learns from what follows. */
  cut(): void;
  /** The game is over. */
  end(): void;
}

export interface Gradient {
  readonly index: Int32Array;
  readonly value: Float32Array;
  readonly active: number;
  readonly factor: number;
}

/** Lambda 0: the position before the step alone learns. */
export class PresentCredit implements Credit {
  private readonly steps: Steps;
  private readonly index: Int32Array;
  private readonly credit: Float32Array;
  private count = 0;
  private norm = 1;
  private readonly change: Change = { error: 0, rate: 0 };

  constructor(steps: Steps, maxActive: number) {
    this.steps = steps;
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
    const { steps, index, credit, count, change } = this;
    change.error = error;
    change.rate = stepSize / this.norm;
    steps.move(index, credit, count, change);
  }

  cut(): void {}

  end(): void {}
}

/** Eligibility traces: all positions before the step learn at once (the backward view). */
export class TraceCredit implements Credit {
  private readonly steps: Steps;
  private readonly traces: Traces;
  private readonly lambda: number;
  private norm = 1;
  private readonly change: Change = { error: 0, rate: 0 };

  constructor(steps: Steps, { weights, kind, lambda }: { weights: number; kind: TraceKind; lambda: number }) {
    this.steps = steps;
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
    const { traces, steps, change } = this;
    change.error = error;
    change.rate = stepSize / this.norm;
    steps.move(traces.index, traces.credit, traces.count, change);
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
 * The whole game is kept, and each position learns once when it is over, from the sum of the errors that
 * follow it, fading by lambda (the forward view): as much work for any lambda as for 0.
 */
export class GameCredit implements Credit {
  private readonly steps: Steps;
  private readonly lambda: number;
  private readonly maxActive: number;
  private count = 0;
  /** By position: features and their credit, `maxActive` places for each. */
  private index: Int32Array;
  private credit: Float32Array;
  private active = new Int32Array(64);
  /** By position: the error of the step after it, the rate of its correction, and whether it was cut off. */
  private errors = new Float64Array(64);
  private rates = new Float64Array(64);
  private norms = new Float64Array(64);
  private cuts = new Uint8Array(64);
  private readonly change: Change = { error: 0, rate: 0 };

  constructor(steps: Steps, { maxActive, lambda }: { maxActive: number; lambda: number }) {
    this.steps = steps;
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

  /** A position that has not learnt is cut off. */
  cut(): void {}

  end(): void {
    const { steps, change, lambda, maxActive, errors, rates, cuts, active } = this;
    let error = 0;
    for (let at = this.count - 1; at >= 0; at--) {
      if (cuts[at] !== 0) {
        error = 0;
        continue;
      }
      error = errors[at] + lambda * error;
      change.error = error;
      change.rate = rates[at];
      const from = at * maxActive;
      const end = from + active[at];
      steps.move(this.index.subarray(from, end), this.credit.subarray(from, end), active[at], change);
    }
    this.count = 0;
  }

  private grow(): void {
    this.index = grown(this.index, Int32Array);
    this.credit = grown(this.credit, Float32Array);
    this.active = grown(this.active, Int32Array);
    this.errors = grown(this.errors, Float64Array);
    this.rates = grown(this.rates, Float64Array);
    this.norms = grown(this.norms, Float64Array);
    this.cuts = grown(this.cuts, Uint8Array);
  }
}

type Numbers = Int32Array | Float32Array | Float64Array | Uint8Array;

function grown<T extends Numbers>(array: T, Kind: new (length: number) => T): T {
  const longer = new Kind(2 * array.length);
  longer.set(array);
  return longer;
}
