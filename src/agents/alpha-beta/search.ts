import type { z } from "zod";
import { TERMINAL, type Evaluator, type Game, type State } from "../../games/game.ts";
import type { Agent, Decision, Turn } from "../agent.ts";
import { deepen, DEEPEST, Meter, type Iteration } from "../search/deepening.ts";
import { PrincipalLines } from "../search/depth-first.ts";
import type { alphaBetaOptions } from "./options.ts";
import { MoveOrdering } from "./ordering.ts";
import { EXACT, LOWER, NO_ACTION, TranspositionTable, UPPER } from "./table.ts";

type Options = z.output<typeof alphaBetaOptions>;

/** Stored depth of a position whose subtree was searched to its ends: no depth asks for more. */
const COMPLETE = DEEPEST + 1;

/**
 * Fail-soft alpha-beta in negamax form (Fishburn 1983). Values are for the player to move. What a
 * decision learns is forgotten before the next, so that a decision depends on its position alone.
 */
export class AlphaBeta implements Agent {
  private readonly game: Game;
  private readonly evaluator: Evaluator;
  private readonly options: Options;
  private readonly state: State;
  private readonly stack: Int32Array;
  private readonly lines: PrincipalLines;
  private readonly table: TranspositionTable | null;
  private readonly ordering: MoveOrdering | null;
  private readonly meter = new Meter();
  /** Beyond every value on both sides; a whole number where the returns are, which V8 keeps unboxed. */
  private readonly infinity: number;
  private complete = true;
  constructor(game: Game, evaluator: Evaluator, options: Options) {
    const maxDepth = Math.min(game.maxPlies, DEEPEST);
    const stackSize = (maxDepth + 1) * game.maxActions;
    this.game = game;
    this.evaluator = evaluator;
    this.options = options;
    this.state = game.start();
    this.stack = new Int32Array(stackSize);
    this.lines = new PrincipalLines(maxDepth);
    // Values contain what was collected on the way to a position, which its hash need not know.
    const usesTable = options.table > 0 && !game.rewardsAlongTheWay;
    this.table = usesTable ? new TranspositionTable(options.table) : null;
    this.ordering =
      options.ordering === "none"
        ? null
        : new MoveOrdering({ stackSize, maxDepth, remembers: options.ordering === "history" });
    this.infinity = Math.ceil(Math.max(game.maxReturn, 0 - game.minReturn)) + 1;
  }

  choose(root: State, turn: Turn): Decision {
    const { game, meter, options, state } = this;
    this.table?.clear();
    this.ordering?.clear();
    return deepen({
      game,
      root,
      state,
      turn,
      meter,
      deepening: options.deepening,
      ties: options.ties ?? (options.ordering === "none" ? "first" : "random"),
      proves: true,
      iterate: (depth, rootActions) => this.iterate(depth, rootActions),
    });
  }

  private iterate(depth: number, rootActions: Int32Array): Iteration {
    const { lines, meter, state } = this;
    const me = state.toMove;
    let best = 0 - this.infinity;
    let action = rootActions[0];
    this.complete = true;
    meter.count();
    for (const candidate of rootActions) {
      state.apply(candidate);
      meter.count();
      const value = this.child(me, depth, best, this.infinity, 0, 0);
      state.undo();
      if (value > best) {
        best = value;
        action = candidate;
        lines.extend(0, candidate);
      }
    }
    if (this.ordering !== null) bringToFront(rootActions, action);
    return { action, value: best, line: lines.root(), complete: this.complete };
  }

  /** Value for `me` of the position just reached by an action at `ply`, where `depth` plies were left. */
  private child(me: number, depth: number, alpha: number, beta: number, at: number, ply: number): number {
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

  /** Value for the player to move, exact when it is within the window; actions go to stack[at...]. */
  private visit(depth: number, alpha: number, beta: number, at: number, ply: number): number {
    const { state, stack, meter, lines, table, ordering } = this;
    const me = state.toMove;
    const completeSoFar = this.complete;
    let tableAction = NO_ACTION;
    lines.clear(ply);
    if (table !== null) {
      const slot = table.find(state.hashLow, state.hashHigh);
      if (slot >= 0) {
        if (table.settles(slot, depth, alpha, beta)) {
          if (table.depth[slot] < COMPLETE) this.complete = false;
          return table.value[slot];
        }
        tableAction = table.action[slot];
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
      table.store(state, stored, bound, best, bestAction);
      this.complete = this.complete && completeSoFar;
    }
    return best;
  }
}

function bringToFront(actions: Int32Array, action: number): void {
  const at = actions.indexOf(action);
  actions.copyWithin(1, 0, at);
  actions[0] = action;
}
