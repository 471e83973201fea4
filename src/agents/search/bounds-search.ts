import { mixLow } from "../../base/hashing.ts";
import { TERMINAL, type State } from "../../games/contract/game.ts";
import type { AgentParts, Decision, Turn } from "../agent.ts";
import { DepthFirstSearch, type DepthFirstOptions } from "./depth-first.ts";
import { History } from "./ordering.ts";
import { DEEPEST } from "./deepening.ts";

interface BoundsSearchOptions extends DepthFirstOptions {
  /** Entries of the transposition table; 0 for none. */
  readonly table: number;
  readonly ordering: "none" | "history";
}

/** The collected rewards, a float64, as two int32 for hashing. */
const COLLECTED = new Float64Array(1);
const COLLECTED_WORDS = new Int32Array(COLLECTED.buffer);

/**
 * A fail-soft search with a window, whose values are all for "me", the player who decides at the root. A value is exact
 * if it lies between `alpha` and `beta`, else a bound. This class has leaves, the transposition table and the ordering; a
 * subclass has the recursion, `expand`.
 */
export abstract class BoundsSearch extends DepthFirstSearch {
  protected me = 0;
  protected readonly table: BoundsTable | null;
  protected readonly history: History | null;
  /** The best action of the position that was just left, or NO_ACTION. */
  protected bestAction = NO_ACTION;

  constructor(parts: AgentParts<BoundsSearchOptions>) {
    super(parts);
    const { table, ordering } = parts.options;
    this.table = table > 0 ? new BoundsTable(table) : null;
    this.history = ordering === "history" ? new History(this.game.players) : null;
  }

  override choose(root: State, turn: Turn): Decision {
    this.table?.clear();
    this.history?.clear();
    return super.choose(root, turn);
  }

  /** Returns the value of the position just reached, with `depth` plies left. Its actions go to stack[at...]. */
  protected visit(depth: number, at: number, ply: number, alpha: number, beta: number): number {
    const { state } = this;
    this.lines.clear(ply);
    if (state.toMove === TERMINAL) return state.returns(this.me);
    if (depth > 0) return this.lookUp(depth, at, ply, alpha, beta);
    this.complete = false;
    return this.evaluator.evaluate(state, this.me);
  }

  /** Returns the value of a position that is no leaf from the transposition table, else by a search. */
  protected lookUp(depth: number, at: number, ply: number, alpha: number, beta: number): number {
    const { state, table } = this;
    if (table === null) return this.expand(depth, at, ply, alpha, beta, NO_ACTION);
    const salt = this.salt();
    const keyLow = state.hashLow ^ salt;
    const keyHigh = state.hashHigh ^ salt;
    const slot = table.find(keyLow, keyHigh);
    const known = slot < 0 ? NaN : table.settled(slot, depth, alpha, beta);
    if (!Number.isNaN(known)) {
      if (table.depth[slot] < COMPLETE) this.complete = false;
      return known;
    }
    const completeSoFar = this.complete;
    this.complete = true;
    const first = slot < 0 ? NO_ACTION : table.action[slot];
    const value = this.expand(depth, at, ply, alpha, beta, first);
    const searched = this.complete ? COMPLETE : depth;
    const low = value > alpha ? value : -Infinity;
    const high = value < beta ? value : Infinity;
    table.store(keyLow, keyHigh, searched, low, high, this.bestAction);
    this.complete = this.complete && completeSoFar;
    return value;
  }

  /** Searches the actions of a position, `first` before all others, and sets `bestAction`. */
  protected abstract expand(
    depth: number,
    at: number,
    ply: number,
    alpha: number,
    beta: number,
    first: number,
  ): number;

  /** Hashes the collected rewards, on which the value depends besides the position. */
  protected salt(): number {
    if (!this.game.rewardsAlongTheWay) return 0;
    COLLECTED[0] = this.state.returns(this.me);
    return mixLow(COLLECTED_WORDS[0], COLLECTED_WORDS[1], 0, 0);
  }
}

/** The stored depth of a position that was searched to all ends of the game: no search goes deeper. */
const COMPLETE = DEEPEST + 1;

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
