import { TERMINAL } from "../../games/game.ts";
import type { AgentParts } from "../agent.ts";
import { DepthFirstSearch, type DepthFirstOptions } from "./depth-first.ts";

/** How many of the others act against me between two plies of mine. */
export type Opposition = "all" | "one";

/** In a round in which no opponent has acted yet. */
const NOBODY = -1;

/**
 * Fail-soft alpha-beta for any number of players, without chance; all values are those of the player
 * to move at the root, "me". An opponent that acts takes what is worst for me. Where only one does,
 * the others make their usual moves, see `bringUsual`.
 */
export class AgainstMe extends DepthFirstSearch {
  protected readonly proves = true;
  private readonly stack: Int32Array;
  private readonly oneActs: boolean;
  private me = 0;

  constructor(parts: AgentParts<DepthFirstOptions>, opposition: Opposition) {
    super(parts);
    this.stack = new Int32Array(this.levels * this.game.maxActions);
    this.oneActs = opposition === "one" && this.game.players > 2;
  }

  protected search(depth: number, actions: Int32Array): number {
    this.me = this.state.toMove;
    this.stack.set(actions);
    return this.best(depth, 0, actions.length, 0, -Infinity, Infinity, NOBODY);
  }

  /**
   * Value of the position just reached, exact when it is within the window; its actions go to
   * stack[at...]. `acting` is the opponent that has acted since my last ply, or NOBODY.
   */
  private visit(depth: number, at: number, ply: number, alpha: number, beta: number, acting: number): number {
    const { state, stack } = this;
    const mover = state.toMove;
    this.lines.clear(ply);
    if (mover === TERMINAL) return state.returns(this.me);
    if (depth === 0) {
      this.complete = false;
      return this.evaluator.evaluate(state, this.me);
    }
    let count = state.legalActions(stack, at);
    if (this.oneActs && mover !== this.me && mover !== acting) {
      const mayAct = acting === NOBODY;
      // Just before the leaves all moves of one who may act are alike.
      if (!mayAct || depth > 1) this.bringUsual(at, count);
      if (!mayAct) count = 1;
    }
    return this.best(depth, at, count, ply, alpha, beta, acting);
  }

  /**
   * The highest value over the `count` actions at stack[at...], or the lowest where an opponent moves;
   * it has acted unless it takes the first.
   */
  private best(
    depth: number,
    at: number,
    count: number,
    ply: number,
    alpha: number,
    beta: number,
    acting: number,
  ): number {
    const { state, stack, meter, lines } = this;
    const mover = state.toMove;
    const mine = mover === this.me;
    let best = mine ? -Infinity : Infinity;
    let floor = alpha;
    let ceiling = beta;
    for (let index = at; index < at + count && floor < ceiling; index++) {
      const action = stack[index];
      const actor = mine ? NOBODY : index === at ? acting : mover;
      state.apply(action);
      meter.count();
      const value = this.visit(depth - 1, at + count, ply + 1, floor, ceiling, actor);
      state.undo();
      if (mine ? value > best : value < best) {
        best = value;
        lines.extend(ply, action);
        if (mine) floor = Math.max(floor, value);
        else ceiling = Math.min(ceiling, value);
      }
    }
    return best;
  }

  /**
   * Puts the usual move before the others, which keep their order: the one whose next position the
   * evaluator, or the result, finds best for who makes it, the first of equals.
   */
  private bringUsual(at: number, count: number): void {
    const { state, stack, meter } = this;
    const mover = state.toMove;
    let usual = at;
    let most = -Infinity;
    for (let index = at; index < at + count && count > 1; index++) {
      state.apply(stack[index]);
      meter.count();
      const worth = state.toMove === TERMINAL ? state.returns(mover) : this.evaluator.evaluate(state, mover);
      state.undo();
      if (worth > most) {
        most = worth;
        usual = index;
      }
    }
    const action = stack[usual];
    stack.copyWithin(at + 1, at, usual);
    stack[at] = action;
  }
}
