import { mixLow } from "../../base/hashing.ts";
import { TERMINAL, type State } from "../../games/contract/game.ts";
import type { AgentParts, Decision, Turn } from "../agent.ts";
import { BoundsTable, COMPLETE, NO_ACTION } from "./bounds-table.ts";
import { DepthFirstSearch, type DepthFirstOptions } from "./depth-first.ts";
import { History } from "./history.ts";

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
