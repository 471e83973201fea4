import { TERMINAL, type State } from "../../games/game.ts";
import { defineAgent, notDeterministicDuel, type AgentParts, type Decision, type Turn } from "../agent.ts";
import { DEEPEST } from "../search/deepening.ts";
import { DepthFirstSearch } from "../search/depth-first.ts";
import { options, type AlphaBetaOptions } from "./options.ts";
import { MoveOrdering } from "./ordering.ts";
import { EXACT, LOWER, NO_ACTION, TranspositionTable, UPPER } from "./table.ts";
import { WinDistance } from "./win-distance.ts";

/** Alpha-beta: minimax that skips the actions that cannot change its value (Knuth and Moore 1975). */
export const alphaBeta = defineAgent({
  id: "alpha-beta",
  summary:
    "minimax that skips what cannot change its value, with a table and good ordering; two players, no chance",
  options,
  budgets: ["depth", "nodes", "timeMs"],
  misfit: notDeterministicDuel,
  create: (parts) => new AlphaBeta(parts),
});

/** The stored depth of a position that was searched to all ends of the game: no search goes deeper. */
const COMPLETE = DEEPEST + 1;

/**
 * Fail-soft alpha-beta in negamax form (Fishburn 1983): values are for the player to move. Unless `memory` is `game`,
 * the table and the ordering are emptied before each decision, so that a decision depends on its position alone.
 */
export class AlphaBeta extends DepthFirstSearch {
  protected readonly proves = true;
  private readonly stack: Int32Array;
  private readonly table: TranspositionTable | null;
  private readonly ordering: MoveOrdering | null;
  private readonly distance: WinDistance | null;
  private readonly forgets: boolean;
  private readonly scouts: boolean;
  /** Beyond every value on both sides; a whole number if the returns are whole, which V8 keeps unboxed. */
  protected readonly infinity: number;
  /** The width of a null window: less than any two values differ by that matter. */
  private readonly step: number;

  constructor({ game, options, evaluator }: AgentParts<AlphaBetaOptions>) {
    const { ordering } = options;
    const ties = options.ties ?? (ordering === "none" ? "first" : "random");
    super({ game, options: { ...options, ties }, evaluator });
    const stackSize = this.levels * game.maxActions;
    this.stack = new Int32Array(stackSize);
    // With rewards along the way a value contains what was collected before the position, which its hash does not
    // know.
    const usesTable = options.table > 0 && !game.rewardsAlongTheWay;
    this.table = usesTable ? new TranspositionTable(options.table) : null;
    this.ordering =
      ordering === "none"
        ? null
        : new MoveOrdering({ stackSize, levels: this.levels, remembers: ordering === "history" });
    this.distance = ordering === "none" ? null : new WinDistance(game);
    this.forgets = options.memory === "decision";
    this.scouts = options.scout ?? ordering === "history";
    this.infinity = Math.ceil(Math.max(game.maxReturn, 0 - game.minReturn)) + 2;
    this.step = this.infinity * 2 ** -30;
  }

  newGame(): void {
    this.table?.clear();
    this.ordering?.clear();
  }

  override choose(root: State, turn: Turn): Decision {
    if (this.forgets) this.newGame();
    else this.table?.age();
    return super.choose(root, turn);
  }

  protected override reported(value: number): number {
    return this.distance === null ? value : this.distance.toReturn(value);
  }

  protected override pliesToEnd(value: number): number | undefined {
    return this.distance?.plies(value);
  }

  protected search(depth: number, actions: Int32Array): number {
    const { infinity, lines, state } = this;
    const me = state.toMove;
    let best = 0 - infinity;
    // The line of an evaluator that finds nothing above -infinity, against the contract.
    lines.clear(1);
    lines.extend(0, actions[0]);
    for (let index = 0; index < actions.length; index++) {
      const action = actions[index];
      const value = this.try(action, index === 0, me, depth, best, infinity, 0, 0);
      if (value <= best) continue;
      best = value;
      lines.extend(0, action);
      if (this.ordering !== null) bringToFront(actions, index);
    }
    return best;
  }

  /**
   * Value for `me` of an action. All but the first are asked with a null window whether they are better than alpha, and
   * searched again only if they are (principal variation search; Marsland and Campbell 1982, Reinefeld 1983).
   */
  private try(
    action: number,
    isFirst: boolean,
    me: number,
    depth: number,
    alpha: number,
    beta: number,
    at: number,
    ply: number,
  ): number {
    if (!isFirst && depth > 1 && this.scouts) {
      const value = this.look(action, me, depth, alpha, alpha + this.step, at, ply);
      if (value <= alpha || value >= beta) return value;
    }
    return this.look(action, me, depth, alpha, beta, at, ply);
  }

  private look(
    action: number,
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
    const value = this.child(me, depth, alpha, beta, at, ply);
    state.undo();
    return value;
  }

  /** Value for `me` of the position just reached by an action at `ply`; `depth` plies were left before the action. */
  protected child(me: number, depth: number, alpha: number, beta: number, at: number, ply: number): number {
    const { state } = this;
    const mover = state.toMove;
    if (mover >= 0 && depth > 1) {
      return mover === me
        ? this.visit(depth - 1, alpha, beta, at, ply + 1)
        : 0 - this.visit(depth - 1, 0 - beta, 0 - alpha, at, ply + 1);
    }
    this.lines.clear(ply + 1);
    if (mover === TERMINAL) {
      const value = state.returns(me);
      return this.distance === null ? value : this.distance.ofReturn(value, ply + 1);
    }
    this.complete = false;
    return this.evaluator.evaluate(state, me);
  }

  /**
   * Value for the player to move; it is exact if it lies between `alpha` and `beta`, else a bound. Actions go to
   * stack[at...].
   */
  private visit(depth: number, alpha: number, beta: number, at: number, ply: number): number {
    const { state, stack, lines, table, ordering, distance } = this;
    const me = state.toMove;
    const completeSoFar = this.complete;
    let tableAction = NO_ACTION;
    lines.clear(ply);
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
      this.complete = true;
    }

    const count = state.legalActions(stack, at);
    const end = at + count;
    if (ordering !== null) ordering.score(stack, at, count, tableAction, me, ply);
    let best = 0 - this.infinity;
    let bestAction = NO_ACTION;
    let floor = alpha;
    for (let index = at; index < end; index++) {
      if (ordering !== null) ordering.bringBest(stack, index, end);
      const action = stack[index];
      const value = this.try(action, index === at, me, depth, floor, beta, end, ply);
      if (value > best) {
        best = value;
        if (value > floor) {
          floor = value;
          bestAction = action;
          lines.extend(ply, action);
          if (floor >= beta) {
            if (ordering !== null) ordering.reward(action, me, ply, depth);
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
}

/** Moves the action at `index` to the front; the others keep their order. */
function bringToFront(actions: Int32Array, index: number): void {
  const action = actions[index];
  actions.copyWithin(1, 0, index);
  actions[0] = action;
}
