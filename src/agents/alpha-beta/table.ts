import type { State } from "../../games/game.ts";

/** How a stored value bounds the true one. */
export const EXACT = 0;
export const LOWER = 1;
export const UPPER = 2;

/** No action is stored. */
export const NO_ACTION = -0x80000000;

/**
 * Transposition table (Greenblatt 1967; Breuker 1998): what was found about positions, by their 64-bit
 * hash, as a struct of arrays. A slot keeps the deeper entry of one decision; entries of an earlier
 * decision count as empty.
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

  /** @param entries rounded up to a power of two */
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

  /** Forgets everything, at no cost. */
  clear(): void {
    this.now = (this.now + 1) | 0;
  }

  /** The slot that knows this position, or -1. */
  find(low: number, high: number): number {
    const slot = low & this.mask;
    return this.low[slot] === low && this.high[slot] === high && this.generation[slot] === this.now
      ? slot
      : -1;
  }

  /** Whether the entry answers a search of that depth and window. */
  settles(slot: number, depth: number, alpha: number, beta: number): boolean {
    if (this.depth[slot] < depth) return false;
    const bound = this.bound[slot];
    return bound === EXACT || (bound === LOWER ? this.value[slot] >= beta : this.value[slot] <= alpha);
  }

  /** Keeps what was found about `state`, unless a deeper entry of this decision has the slot. */
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
