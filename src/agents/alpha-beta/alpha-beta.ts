import type { Pass, State } from "../../games/contract/game.ts";
import type { AgentParts, Decision, Turn } from "../agent.ts";
import { DEEPEST } from "../search/deepening.ts";
import { settings, type AlphaBetaOptions } from "./options.ts";
import { noEvaluator } from "../../evaluators/index.ts";
import { KnownValues } from "./known-values.ts";
import { bringToFront, MoveOrdering } from "../search/ordering.ts";
import { QuiescenceSearch } from "./quiescence.ts";
import { solve } from "./win-distance.ts";
import { EXACT, LOWER, NO_ACTION, TranspositionTable, UPPER } from "./transposition-table.ts";

/** The stored depth of a position that was searched to all ends of the game: no search goes deeper. */
const COMPLETE = DEEPEST + 1;

/** Stands for the action that led to a position where the turn was passed. */
const PASSED = NO_ACTION + 1;

/**
 * Fail-soft alpha-beta in negamax form (Fishburn 1983): values are for the player to move. Unless `memory` is `game`,
 * the table and the ordering are emptied before each decision, so that a decision depends on its position alone.
 */
export class AlphaBeta extends QuiescenceSearch {
  protected readonly proves = true;
  private readonly table: TranspositionTable | null;
  private readonly ordering: MoveOrdering | null;
  private readonly known: KnownValues | null;
  /** The actions that led to the positions of the path, by ply. */
  protected readonly path: Int32Array;
  private readonly forgets: boolean;
  private readonly scouts: boolean;
  private readonly solves: boolean;
  private readonly reduces: boolean;
  private readonly extends: boolean;
  private readonly pass: Pass | null;
  private readonly futility: number;
  private readonly prunes: boolean;
  /** True if some actions are searched less deep. */
  private readonly selects: boolean;
  /** The width of a null window, less than any difference of two values that matters. */
  private readonly step: number;
  /** The longest path that extensions may make: twice the depth. */
  private longest = 0;

  /** @param table the transposition table; its own one if absent */
  constructor({ game, options, evaluator }: AgentParts<AlphaBetaOptions>, table?: TranspositionTable) {
    const { ordering, tactics, solving, ...switches } = settings(options, game);
    const { quiescence, ties, deepening, measures } = switches;
    const solves = options.solve;
    const shared = { ...options, ties, deepening };
    const known = switches.usesTable && evaluator !== noEvaluator ? new KnownValues(evaluator) : null;
    const parts = { game, options: shared, measures, tactics, solving, quiescence, solves };
    super({ ...parts, evaluator: known ?? evaluator });
    const { levels, stack } = this;
    this.known = known;
    this.table = switches.usesTable ? (table ?? new TranspositionTable(options.table)) : null;
    const remembers = ordering === "history";
    this.ordering =
      ordering === "none" ? null : new MoveOrdering({ stackSize: stack.length, levels, remembers, tactics });
    this.path = new Int32Array(levels + 1).fill(NO_ACTION);
    this.forgets = options.memory === "decision";
    this.solves = solves;
    this.scouts = switches.scout;
    this.reduces = switches.reductions;
    this.extends = switches.extensions;
    this.pass = switches.pass;
    this.futility = switches.futility;
    this.prunes = this.pass !== null || this.futility > 0;
    this.selects = this.reduces || this.prunes;
    this.step = this.infinity * 2 ** -30;
  }

  newGame(): void {
    this.table?.clear();
    this.ordering?.clear();
    this.known?.forget();
  }

  override choose(root: State, turn: Turn): Decision {
    if (this.forgets) this.newGame();
    else this.table?.age();
    return super.choose(root, this.solves ? { ...turn, budget: { ...turn.budget, depth: DEEPEST } } : turn);
  }

  protected search(depth: number, actions: Int32Array): number {
    const { distance, infinity, step } = this;
    this.longest = Math.min(2 * depth, this.levels - 1);
    if (!this.solves || distance === null) return this.root(depth, actions, 0 - infinity, infinity);
    this.ordering?.sort(this.state, actions);
    const winIn = (plies: number) => distance.ofReturn(this.game.maxReturn, plies);
    let asked = 0;
    const farthest = this.foresight === null ? 0 : this.game.maxPlies;
    return solve(winIn, farthest, step, (alpha, beta) => {
      // The root of the first search is counted already.
      if (asked++ > 0) this.meter.count();
      return this.root(depth, actions, alpha, beta);
    });
  }

  /** Returns the value of the best of `actions` at the root, with a window; see `search`. */
  protected root(depth: number, actions: Int32Array, alpha: number, beta: number): number {
    const { lines, state } = this;
    const me = state.toMove;
    let best = 0 - this.infinity;
    let floor = alpha;
    // An evaluator that breaks the contract may find nothing above -infinity; this is its line.
    lines.clear(1);
    lines.extend(0, actions[0]);
    for (let index = 0; index < actions.length; index++) {
      const action = actions[index];
      const value = this.try(action, index === 0, 0, me, depth, floor, beta, 0, 0);
      if (value <= best) continue;
      best = value;
      if (value <= floor) continue;
      floor = value;
      lines.extend(0, action);
      if (this.ordering !== null) {
        if (index > 0) this.raised = value;
        bringToFront(actions, index);
      }
      if (value >= beta) break;
    }
    return best;
  }

  /**
   * Returns the value of an action for `me`. For all actions but the first a null window asks whether they are better
   * than alpha, and only if so they are searched again (principal variation search; Marsland and Campbell 1982,
   * Reinefeld 1983). Late actions are asked so with a smaller depth before.
   */
  private try(
    action: number,
    isFirst: boolean,
    reduction: number,
    me: number,
    depth: number,
    alpha: number,
    beta: number,
    at: number,
    ply: number,
  ): number {
    if (reduction > 0) {
      const value = this.look(action, reduction, me, depth, alpha, alpha + this.step, at, ply);
      if (value <= alpha) return value;
    }
    if (!isFirst && depth > 1 && this.scouts) {
      const value = this.look(action, 0, me, depth, alpha, alpha + this.step, at, ply);
      if (value <= alpha || value >= beta) return value;
    }
    return this.look(action, 0, me, depth, alpha, beta, at, ply);
  }

  /** True if an action is to be searched however late it comes: it ends the game, or forces the other player to react. */
  private spares(action: number): boolean {
    if (!this.extends) return false;
    const { state } = this;
    state.apply(action);
    const spares = state.toMove < 0 || this.tactics!.isForced(state);
    state.undo();
    return spares;
  }

  private look(
    action: number,
    reduction: number,
    me: number,
    depth: number,
    alpha: number,
    beta: number,
    at: number,
    ply: number,
  ): number {
    const { state } = this;
    state.apply(action);
    this.meter.count();
    this.path[ply + 1] = action;
    let left = depth - reduction;
    // Actions that force the other player to react are never reduced; they may be extended.
    if ((this.extends || reduction > 0) && state.toMove >= 0 && this.tactics?.isForced(state) === true)
      left = this.extends && ply + depth < this.longest ? depth + 1 : depth;
    const value = this.child(me, left, alpha, beta, at, ply);
    state.undo();
    return value;
  }

  /**
   * Returns the value for `me` of the position just reached by an action at `ply`; `depth` plies were left before it.
   */
  protected child(me: number, depth: number, alpha: number, beta: number, at: number, ply: number): number {
    const mover = this.state.toMove;
    if (mover < 0 || depth <= 1) return this.leaf(me, alpha, beta, at, ply + 1);
    return mover === me
      ? this.visit(depth - 1, alpha, beta, at, ply + 1)
      : 0 - this.visit(depth - 1, 0 - beta, 0 - alpha, at, ply + 1);
  }

  /**
   * Returns the value for the player to move; it is exact if it lies between `alpha` and `beta`, else a bound. Its
   * actions go to stack[at...].
   */
  private visit(given: number, alpha: number, beta: number, at: number, ply: number): number {
    const { state, stack, lines, table, ordering, distance, tactics } = this;
    const me = state.toMove;
    const completeSoFar = this.complete;
    let depth = given;
    let tableAction = NO_ACTION;
    const isNull = beta - alpha <= 2 * this.step;
    lines.clear(ply);
    if (this.foresees) {
      const value = this.foreseen(alpha, beta, ply);
      if (value <= this.infinity) return value;
    }
    if (table !== null) {
      const entry = table.find(state.hashLow, state.hashHigh);
      if (entry >= 0) {
        const stored = table.value(entry);
        const value = distance === null ? stored : distance.fromTable(stored, ply);
        if (table.settles(entry, depth, value, alpha, beta)) {
          if (table.depth(entry) < COMPLETE) this.complete = false;
          return value;
        }
        tableAction = table.action(entry);
      }
      if (this.reduces && !isNull && tableAction === NO_ACTION && depth >= LEAST_UNKNOWN) depth--;
      this.complete = true;
    }

    const isForced = this.selects && tactics !== null && tactics.isForced(state);
    let hope = this.infinity;
    if (this.prunes && !isForced && isNull) {
      const estimate = this.evaluator.evaluate(state, me);
      const value = this.prune(estimate, depth, beta, at, ply);
      if (value >= beta) {
        this.complete = false;
        return value;
      }
      if (depth <= MOST_FUTILE && this.futility > 0) hope = estimate + this.futility * depth;
    }

    const count = this.list(at);
    const end = at + count;
    if (ordering !== null) ordering.score(state, stack, at, end, tableAction, this.path[ply], ply);
    const reduces = this.reduces && !isForced && depth >= LEAST_REDUCED;
    let best = 0 - this.infinity;
    let bestAction = NO_ACTION;
    let floor = alpha;
    for (let index = at; index < end; index++) {
      if (ordering !== null) ordering.bringBest(stack, index, end);
      const action = stack[index];
      if (hope <= floor && index > at && ordering!.isLate(index) && !this.spares(action)) {
        this.complete = false;
        best = Math.max(best, hope);
        continue;
      }
      const reduction = reduces && ordering!.isLate(index) ? reductionOf(depth, index - at) : 0;
      const value =
        this.scouts && index > at
          ? this.try(action, false, reduction, me, depth, floor, beta, end, ply)
          : this.look(action, 0, me, depth, floor, beta, end, ply);
      if (value > best) {
        best = value;
        if (value > floor) {
          floor = value;
          bestAction = action;
          lines.extend(ply, action);
          if (floor >= beta) {
            if (ordering !== null) ordering.reward(action, index, me, this.path[ply], ply, depth);
            break;
          }
        }
      }
    }

    if (table !== null) {
      const value = distance === null ? best : distance.toTable(best, ply);
      const bound = best >= beta ? LOWER : best <= alpha ? UPPER : EXACT;
      const stored = this.complete ? COMPLETE : depth;
      table.store(state.hashLow, state.hashHigh, stored, bound, value, bestAction);
      this.complete = this.complete && completeSoFar;
    }
    return best;
  }

  /**
   * Returns a value of at least beta for a position so good that its actions need not be searched: it is far above beta
   * (reverse futility), or still is when the turn is passed (null move; Donninger 1993). Otherwise less than beta.
   */
  private prune(estimate: number, depth: number, beta: number, at: number, ply: number): number {
    const { futility, game, pass, state } = this;
    const none = 0 - this.infinity;
    // Wins and losses must be proven.
    if (estimate < beta || beta >= game.maxReturn || beta <= game.minReturn) return none;
    if (futility > 0 && depth <= MOST_FUTILE && estimate - futility * depth >= beta) return estimate;
    if (pass === null || depth < LEAST_REDUCED || this.path[ply] === PASSED || !pass.isSafe(state))
      return none;
    return Math.min(this.passed(pass, depth - passReductionOf(depth), beta, at, ply), beta);
  }

  /** Returns the value of the position for the player to move after it passes the turn. */
  protected passed(pass: Pass, depth: number, beta: number, at: number, ply: number): number {
    const { state } = this;
    const me = state.toMove;
    pass.apply(state);
    this.meter.count();
    this.path[ply + 1] = PASSED;
    const value = this.child(me, depth, beta - this.step, beta, at, ply);
    pass.undo(state);
    this.lines.clear(ply);
    return value;
  }
}

/** From this depth on, late actions and passed turns are searched less deep. @internal for its test */
export const LEAST_REDUCED = 3;
/**
 * From this depth on, a position with an open window and no action in the transposition table is searched less deep.
 */
const LEAST_UNKNOWN = 4;
/** The first actions of a node are never reduced. */
const FIRST_REDUCED = 3;
/** Up to this depth a position far above the window is assumed to stay above it. */
const MOST_FUTILE = 3;

const MOST_INDEX = 64;

/** Plies taken off a late action, at depth * MOST_INDEX + index: 0.75 + ln(depth) ln(index) / 2.25. */
const REDUCTIONS = Int8Array.from({ length: (DEEPEST + 1) * MOST_INDEX }, (_, at) => {
  const depth = Math.floor(at / MOST_INDEX);
  const index = at % MOST_INDEX;
  if (depth < LEAST_REDUCED || index < FIRST_REDUCED) return 0;
  return Math.min(depth - 2, Math.floor(0.75 + (Math.log(depth) * Math.log(index)) / 2.25));
});

/** Returns the plies taken off the action at `index` of a node, counted from 0 (late-move reductions). @internal for its test */
export function reductionOf(depth: number, index: number): number {
  return REDUCTIONS[depth * MOST_INDEX + Math.min(index, MOST_INDEX - 1)];
}

/** Returns the plies taken off the search after a passed turn (null move; Donninger 1993). */
function passReductionOf(depth: number): number {
  return depth >= 6 ? 3 : 2;
}
