import { DEEPEST } from "./deepening.ts";

/** The stored depth of a position that was searched to all ends of the game: no search goes deeper. */
export const COMPLETE = DEEPEST + 1;

/** Stands for an action where none is stored. */
export const NO_ACTION = -0x80000000;

/**
 * Transposition table (Greenblatt 1967) of searches whose values are all for one player: it keeps the depth searched
 * and the bounds of the value. It serves decisions and chance events. Positions that share a slot compete: the deeper
 * entry of the same decision stays. An entry of an earlier decision counts as empty.
 *
 * An entry answers only a search of exactly its depth. So a search finds what it would find without the table, to the
 * last bit.
 */
export class BoundsTable {
  /** Plies that were left. */
  readonly depth: Int32Array;
  /** The value is not below this. */
  readonly low: Float64Array;
  /** The value is not above this. */
  readonly high: Float64Array;
  /** The action to be tried first, or NO_ACTION. */
  readonly action: Int32Array;
  private readonly keys: Int32Array;
  private readonly generation: Int32Array;
  private readonly mask: number;
  private now = 0;

  /** @param entries the number of slots; it is rounded up to a power of two */
  constructor(entries: number) {
    const size = 2 ** Math.ceil(Math.log2(Math.max(2, entries)));
    this.mask = size - 1;
    this.depth = new Int32Array(size);
    this.low = new Float64Array(size);
    this.high = new Float64Array(size);
    this.action = new Int32Array(size);
    this.keys = new Int32Array(2 * size);
    this.generation = new Int32Array(size);
  }

  /** Forgets everything, at no cost: all entries become those of an earlier decision. */
  clear(): void {
    this.now = (this.now + 1) | 0;
  }

  /** Returns the slot of the position with this key, or -1. */
  find(keyLow: number, keyHigh: number): number {
    const slot = keyLow & this.mask;
    return this.keys[2 * slot] === keyLow &&
      this.keys[2 * slot + 1] === keyHigh &&
      this.generation[slot] === this.now
      ? slot
      : -1;
  }

  /**
   * Returns the value in `slot` for a search of `depth` plies, or a bound outside of the window from `alpha` to `beta`;
   * NaN if the entry does not settle it.
   */
  settled(slot: number, depth: number, alpha: number, beta: number): number {
    if (this.depth[slot] !== depth && this.depth[slot] !== COMPLETE) return NaN;
    const low = this.low[slot];
    const high = this.high[slot];
    if (low >= beta) return low;
    return high <= alpha || low === high ? high : NaN;
  }

  /**
   * Stores that the position's value lies from `low` to `high`. Earlier bounds of the same depth still count. A deeper
   * entry of another position stays.
   */
  store(keyLow: number, keyHigh: number, depth: number, low: number, high: number, action: number): void {
    const slot = keyLow & this.mask;
    const isNow = this.generation[slot] === this.now;
    if (isNow && this.depth[slot] > depth) return;
    const isSame =
      isNow &&
      this.depth[slot] === depth &&
      this.keys[2 * slot] === keyLow &&
      this.keys[2 * slot + 1] === keyHigh;
    this.low[slot] = isSame ? Math.max(low, this.low[slot]) : low;
    this.high[slot] = isSame ? Math.min(high, this.high[slot]) : high;
    if (!isSame || action !== NO_ACTION) this.action[slot] = action;
    this.depth[slot] = depth;
    this.keys[2 * slot] = keyLow;
    this.keys[2 * slot + 1] = keyHigh;
    this.generation[slot] = this.now;
  }
}
