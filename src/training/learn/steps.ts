/** How an error moves the weights that share the blame for it. */
export interface Steps {
  /** What is needed to go on besides the weights, by name. */
  readonly memory: Readonly<Record<string, Float32Array>>;
  /**
   * Moves the weight index[at] by up to rate * change * credit[at], for the first `count`; an index may
   * repeat. `change` is the error, `rate` the share of it that is corrected.
   */
  move(index: Int32Array, credit: Float32Array | Float64Array, count: number, change: Change): void;
}

/** One error and how much of it is corrected. */
export interface Change {
  error: number;
  rate: number;
}

/** The same rate for all weights. */
export class EvenSteps implements Steps {
  readonly memory = {};
  private readonly weights: Float32Array;

  constructor(weights: Float32Array) {
    this.weights = weights;
  }

  move(index: Int32Array, credit: Float32Array | Float64Array, count: number, { error, rate }: Change): void {
    const { weights } = this;
    const step = rate * error;
    for (let at = 0; at < count; at++) weights[index[at]] += step * credit[at];
  }
}

/** How a weight's coherence, 0 to 1, becomes its share of the rate; see CoherentSteps. */
export interface Transfer {
  readonly kind: "identity" | "exponential";
  readonly beta: number;
}

/** Steps of the table of the transfer `exponential`. */
const SHARES = 1024;

/**
 * Temporal coherence (Beal and Smith 1999): each weight has a rate of its own, the coherence of the
 * changes that were asked of it so far, |sum of changes| / sum of |changes|: 1 while they agree, near 0
 * when they go to and fro. The change asked for is error * credit, before any rate. With the transfer
 * `exponential` the share is exp(beta (coherence - 1)) (Bagheri, Thill, Koch and Konen 2015), in steps of
 * 1/1024 of the coherence.
 */
export class CoherentSteps implements Steps {
  /** By weight, two numbers side by side: the sum of the changes asked for, and of their amounts. */
  readonly memory: { readonly coherence: Float32Array };
  private readonly weights: Float32Array;
  /** Of the transfer `exponential`; null for the coherence as it is. */
  private readonly shares: Float64Array | null;

  /** @param allocate makes an array of zeros */
  constructor(
    weights: Float32Array,
    { kind, beta }: Transfer,
    allocate: (name: string, length: number) => Float32Array,
  ) {
    this.weights = weights;
    this.memory = { coherence: allocate("coherence", 2 * weights.length) };
    this.shares =
      kind === "identity"
        ? null
        : Float64Array.from({ length: SHARES + 1 }, (_, at) => Math.exp(beta * (at / SHARES - 1)));
  }

  move(index: Int32Array, credit: Float32Array | Float64Array, count: number, { error, rate }: Change): void {
    const { weights, shares } = this;
    const { coherence } = this.memory;
    for (let at = 0; at < count; at++) {
      const weight = index[at];
      const asked = error * credit[at];
      if (asked === 0) continue;
      const sum = coherence[2 * weight];
      const amount = coherence[2 * weight + 1];
      let share = amount === 0 ? 1 : (sum < 0 ? 0 - sum : sum) / amount;
      // Rounding may bring a share of one above it.
      if (shares !== null) share = shares[Math.min(SHARES, (share * SHARES + 0.5) | 0)];
      weights[weight] += rate * share * asked;
      coherence[2 * weight] = sum + asked;
      coherence[2 * weight + 1] = amount + (asked < 0 ? 0 - asked : asked);
    }
  }
}
