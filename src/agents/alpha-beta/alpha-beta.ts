import { z } from "zod";
import { TERMINAL, type State } from "../../games/game.ts";
import {
  defineAgent,
  notDeterministicDuel,
  ties,
  type AgentParts,
  type Decision,
  type Turn,
} from "../agent.ts";
import { DEEPEST } from "../search/deepening.ts";
import { depthFirstOptions, DepthFirstSearch } from "../search/depth-first.ts";
import { MoveOrdering } from "./ordering.ts";
import { EXACT, LOWER, NO_ACTION, TranspositionTable, UPPER } from "./table.ts";

const MOST_MEBIBYTES = 8192;

const options = z.strictObject({
  ...depthFirstOptions,
  table: z
    .number()
    .min(0)
    .max(MOST_MEBIBYTES)
    .default(16)
    .describe("size of the transposition table in MiB; 0 for none"),
  ordering: z
    .enum(["none", "table", "history"])
    .default("history")
    .describe(
      "which actions come first: none, the game's order; table, the table's action; history, killers and history too",
    ),
  ties: ties
    .optional()
    .describe(
      "which of several best actions is taken: a random one, or the first; the default is random unless ordering is none",
    ),
});
/** The options, checked. */
export type AlphaBetaOptions = z.output<typeof options>;

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
 * Fail-soft alpha-beta in negamax form (Fishburn 1983): values are for the player to move. The table and the ordering
 * are emptied before each decision, so that a decision depends on its position alone.
 */
export class AlphaBeta extends DepthFirstSearch {
  protected readonly proves = true;
  private readonly stack: Int32Array;
  private readonly table: TranspositionTable | null;
  private readonly ordering: MoveOrdering | null;
  /** Beyond every value on both sides; a whole number if the returns are whole, which V8 keeps unboxed. */
  protected readonly infinity: number;

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
    this.infinity = Math.ceil(Math.max(game.maxReturn, 0 - game.minReturn)) + 1;
  }

  override choose(root: State, turn: Turn): Decision {
    this.table?.clear();
    this.ordering?.clear();
    return super.choose(root, turn);
  }

  protected search(depth: number, actions: Int32Array): number {
    const { lines, meter, state } = this;
    const me = state.toMove;
    let best = 0 - this.infinity;
    let bestAction = actions[0];
    // The line of an evaluator that finds nothing above -infinity, against the contract.
    lines.clear(1);
    lines.extend(0, bestAction);
    for (const action of actions) {
      state.apply(action);
      meter.count();
      const value = this.child(me, depth, best, this.infinity, 0, 0);
      state.undo();
      if (value > best) {
        best = value;
        bestAction = action;
        lines.extend(0, action);
      }
    }
    if (this.ordering !== null) bringToFront(actions, bestAction);
    return best;
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
    if (mover === TERMINAL) return state.returns(me);
    this.complete = false;
    return this.evaluator.evaluate(state, me);
  }

  /**
   * Value for the player to move; it is exact if it lies between `alpha` and `beta`, else a bound. Actions go to
   * stack[at...].
   */
  private visit(depth: number, alpha: number, beta: number, at: number, ply: number): number {
    const { state, stack, meter, lines, table, ordering } = this;
    const me = state.toMove;
    const completeSoFar = this.complete;
    let tableAction = NO_ACTION;
    lines.clear(ply);
    if (table !== null) {
      const entry = table.find(state.hashLow, state.hashHigh);
      if (entry >= 0) {
        const value = table.value(entry);
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
      state.apply(action);
      meter.count();
      const value = this.child(me, depth, floor, beta, end, ply);
      state.undo();
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
      const stored = this.complete ? COMPLETE : depth;
      const bound = best >= beta ? LOWER : best <= alpha ? UPPER : EXACT;
      table.store(state.hashLow, state.hashHigh, stored, bound, best, bestAction);
      this.complete = this.complete && completeSoFar;
    }
    return best;
  }
}

/** Moves `action` to the front; the others keep their order. */
function bringToFront(actions: Int32Array, action: number): void {
  const at = actions.indexOf(action);
  actions.copyWithin(1, 0, at);
  actions[0] = action;
}
