import type { State } from "../../games/game.ts";

/** How a stored value relates to the true one: equal, not above it, not below it. */
export const EXACT = 0;
export const LOWER = 1;
export const UPPER = 2;

/** Stands for an action where none is stored. */
export const NO_ACTION = -0x80000000;

/**
 * Transposition table (Greenblatt 1967; Breuker 1998): what was found about positions, by their 64-bit hash, as a
 * struct of arrays. Positions that share a slot compete: the deeper entry of the same decision stays. A slot that was
 * written in an earlier decision counts as empty.
 */
export class TranspositionTable {
  readonly depth: Int32Array;
  readonly bound: Uint8Array;
  readonly value: Float64Array;
  readonly action: Int32Array;
  private readonly low: Int32Array;
  private readonly high: Int32Array;
  private readonly generation: Int32Array;
  private readonly mask: number;
  private now = 0;

  /** @param entries the number of slots; it is rounded up to a power of two */
  constructor(entries: number) {
    const size = 2 ** Math.ceil(Math.log2(Math.max(2, entries)));
    this.mask = size - 1;
    this.depth = new Int32Array(size);
    this.bound = new Uint8Array(size);
    this.value = new Float64Array(size);
    this.action = new Int32Array(size);
    this.low = new Int32Array(size);
    this.high = new Int32Array(size);
    this.generation = new Int32Array(size);
  }

  /** Forgets everything. It costs nothing: what is stored becomes an earlier decision. */
  clear(): void {
    this.now = (this.now + 1) | 0;
  }

  /** The slot that holds the position with this hash, or -1. */
  find(low: number, high: number): number {
    const slot = low & this.mask;
    return this.low[slot] === low && this.high[slot] === high && this.generation[slot] === this.now
      ? slot
      : -1;
  }

  /** Whether the entry in `slot` answers a search of this depth with the window from `alpha` to `beta`. */
  settles(slot: number, depth: number, alpha: number, beta: number): boolean {
    if (this.depth[slot] < depth) return false;
    const bound = this.bound[slot];
    return bound === EXACT || (bound === LOWER ? this.value[slot] >= beta : this.value[slot] <= alpha);
  }

  /** Stores what was found about `state`, unless its slot holds a deeper entry of this decision. */
  store(state: State, depth: number, bound: number, value: number, action: number): void {
    const slot = state.hashLow & this.mask;
    if (this.generation[slot] === this.now && this.depth[slot] > depth) return;
    this.low[slot] = state.hashLow;
    this.high[slot] = state.hashHigh;
    this.generation[slot] = this.now;
    this.depth[slot] = depth;
    this.bound[slot] = bound;
    this.value[slot] = value;
    this.action[slot] = action;
  }
}
