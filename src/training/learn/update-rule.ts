/** Changes the weights that an error is credited to. */
export interface UpdateRule {
  /** The rule's state from step to step besides the weights, by name. */
  readonly memory: Readonly<Record<string, Float32Array>>;
  /**
   * For each place `at` from 0 to count - 1 adds correction.rate * correction.error * credit[at], or a part of it, to
   * the weight index[at]. A weight may have several places.
   */
  update(index: Int32Array, credit: Float32Array | Float64Array, count: number, correction: Correction): void;
}

/** The error of one step, and the share of it to correct. */
export interface Correction {
  error: number;
  rate: number;
}

/**
 * The plain rule: the same rate for all weights.
 * @internal tests compare it with a slow twin
 */
export class PlainUpdate implements UpdateRule {
  readonly memory = {};
  private readonly weights: Float32Array;

  constructor(weights: Float32Array) {
    this.weights = weights;
  }

  update(
    index: Int32Array,
    credit: Float32Array | Float64Array,
    count: number,
    { error, rate }: Correction,
  ): void {
    const { weights } = this;
    const step = rate * error;
    for (let at = 0; at < count; at++) weights[index[at]] += step * credit[at];
  }
}

/** The function from a weight's coherence, 0 to 1, to its share of the rate; see CoherentUpdate. */
export interface Transfer {
  readonly kind: "identity" | "exponential";
  readonly beta: number;
}

/** The table of the transfer `exponential` has one entry more than this. */
const SHARES = 1024;

/**
 * Temporal coherence (Beal and Smith 1999): each weight has a share of the rate of its own. Each step asks for the
 * change error * credit of a weight. The coherence of a weight is |sum of these changes| / sum of |these changes|: 1
 * while all have the same sign, near 0 when they cancel out. With the transfer `identity` the share is the coherence.
 * With `exponential` it is exp(beta (coherence - 1)) (Bagheri, Thill, Koch and Konen 2015), from a table by the
 * coherence rounded to 1/1024.
 * @internal tests compare it with a slow twin
 */
export class CoherentUpdate implements UpdateRule {
  /** Two numbers for each weight: the sum of the changes asked for, and the sum of their absolute values. */
  readonly memory: { readonly coherence: Float32Array };
  private readonly weights: Float32Array;
  /** The table of the transfer `exponential`; null for `identity`. */
  private readonly shares: Float64Array | null;
  /** Nothing needs it; but without a use the compiler leaves the loop out that sums it. */
  seen = 0;

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

  update(
    index: Int32Array,
    credit: Float32Array | Float64Array,
    count: number,
    { error, rate }: Correction,
  ): void {
    const { weights, shares } = this;
    const { coherence } = this.memory;
    // All sums are loaded before one is needed: the processor waits for the memory once, not for each weight.
    let seen = 0;
    for (let at = 0; at < count; at++) seen += coherence[2 * index[at]];
    this.seen = seen;
    for (let at = 0; at < count; at++) {
      const weight = index[at];
      const asked = error * credit[at];
      if (asked === 0) continue;
      const sum = coherence[2 * weight];
      const amount = coherence[2 * weight + 1];
      // No branch on the sign of a sum: a wrong guess of the processor would wait for the memory.
      let share = amount === 0 ? 1 : Math.abs(sum) / amount;
      // Rounding may make a share of 1 a little larger.
      if (shares !== null) share = shares[Math.min(SHARES, (share * SHARES + 0.5) | 0)];
      weights[weight] += rate * share * asked;
      coherence[2 * weight] = sum + asked;
      coherence[2 * weight + 1] = amount + Math.abs(asked);
    }
  }
}

/** Makes the rule of a learner; `changed`, which is the rule then, remembers the rows that change in rounds. */
export function createUpdate(
  weights: Float32Array,
  {
    coherence,
    inRounds = false,
    allocate = (_, length) => new Float32Array(length),
  }: {
    readonly coherence?: Transfer | undefined;
    readonly inRounds?: boolean;
    readonly allocate?: (name: string, length: number) => Float32Array;
  },
): { readonly rule: UpdateRule; readonly changed: ChangedRows | undefined } {
  const rule =
    coherence === undefined ? new PlainUpdate(weights) : new CoherentUpdate(weights, coherence, allocate);
  const changed = inRounds ? new ChangedRows(rule, weights) : undefined;
  return { rule: changed ?? rule, changed };
}

/** Weights in a row, which are copied together. */
const SHIFT = 5;
const ROW = 1 << SHIFT;

/**
 * Remembers the rows of a weight table that a rule has changed in this round and in the one before, so that a copy that
 * is two rounds old takes these alone.
 */
export class ChangedRows implements UpdateRule {
  readonly memory: UpdateRule["memory"];
  private readonly rule: UpdateRule;
  private readonly weights: Float32Array;
  /** For each row the last round in which it changed. */
  private readonly changedIn: Int32Array;
  private round = 1;
  /** The rows that have changed in this round, and in the one before. */
  private rows: Int32Array;
  private count = 0;
  private rowsBefore: Int32Array;
  private countBefore = 0;

  constructor(rule: UpdateRule, weights: Float32Array) {
    const rows = Math.ceil(weights.length / ROW);
    this.memory = rule.memory;
    this.rule = rule;
    this.weights = weights;
    this.changedIn = new Int32Array(rows);
    this.rows = new Int32Array(rows);
    this.rowsBefore = new Int32Array(rows);
  }

  update(
    index: Int32Array,
    credit: Float32Array | Float64Array,
    count: number,
    correction: Correction,
  ): void {
    this.rule.update(index, credit, count, correction);
    const { changedIn, rows, round } = this;
    for (let at = 0; at < count; at++) {
      const row = index[at] >> SHIFT;
      if (changedIn[row] === round) continue;
      changedIn[row] = round;
      rows[this.count++] = row;
    }
  }

  /** Ends a round: `table`, a copy of the weights that is two rounds old, becomes a copy of the present ones. */
  endRound(table: Float32Array): void {
    this.copy(table, this.rows, this.count);
    this.copy(table, this.rowsBefore, this.countBefore);
    [this.rows, this.rowsBefore] = [this.rowsBefore, this.rows];
    this.countBefore = this.count;
    this.count = 0;
    this.round++;
  }

  private copy(table: Float32Array, rows: Int32Array, count: number): void {
    const { weights } = this;
    for (let at = 0; at < count; at++) {
      const from = rows[at] << SHIFT;
      const end = Math.min(from + ROW, weights.length);
      for (let weight = from; weight < end; weight++) table[weight] = weights[weight];
    }
  }
}
