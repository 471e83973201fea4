import type { Correction, UpdateRule } from "./update-rule.ts";

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
