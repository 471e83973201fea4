import { z } from "zod";
import { TERMINAL, notDeterministicContest } from "../games/contract/game.ts";
import { defineAgent, type AgentParts } from "./agent.ts";
import { BoundsSearch, NO_ACTION } from "./search/bounds-search.ts";
import { depthFirstOptions } from "./search/depth-first.ts";

const options = z.strictObject({
  ...depthFirstOptions,
  table: z
    .int()
    .min(0)
    .max(2 ** 26)
    .default(2 ** 16)
    .describe("entries of the transposition table; 0 for none"),
  ordering: z
    .enum(["none", "history"])
    .default("history")
    .describe(
      "the actions that come first: none, the game's order; history, the table's action and those that were best elsewhere",
    ),
});

/** The options, checked. */
export type AgainstMeOptions = z.output<typeof options>;

/**
 * Paranoid search (Sturtevant and Korf 2000): every other player takes what is worst for the player who decides at
 * the root, except those of its team. So alpha-beta pruning is possible for any number of players. With two players or two
 * teams it is minimax.
 */
export const paranoid = defineAgent({
  id: "paranoid",
  summary: "alpha-beta, all others together against me; two or more players, no chance",
  options,
  budgets: ["depth", "nodes", "timeMs"],
  heedsClocks: true,
  unsupported: notDeterministicContest,
  create: (parts) => new AgainstMe(parts, "all"),
});

/**
 * Best-reply search (Schadd and Winands 2011), in its form BRS+, in which all positions are legal (Esser, Gras,
 * Winands, Schadd and Lanctot 2013). Between two plies of mine at most one opponent acts against me: from its first
 * such ply on, all its plies are the worst for me. The other opponents make their usual moves. A usual move looks best
 * to the evaluator, one ply on, for the player who makes it. So I guard against each single opponent, but not, as in
 * `paranoid`, against all of them together. With two players it is minimax.
 *
 * A ply is one decision of one player, also a usual move: with three players, a depth of 4 is my move, one move of each
 * opponent, and my next move. Positions visited to find usual moves count as nodes.
 */
export const bestReply = defineAgent({
  id: "best-reply",
  summary: "alpha-beta, at most one of the others against me at a time; two or more players, no chance",
  options,
  budgets: ["depth", "nodes", "timeMs"],
  heedsClocks: true,
  unsupported: notDeterministicContest,
  create: (parts) => new AgainstMe(parts, "one"),
});

/** Stands for an opponent where none has acted since my last ply. */
const NOBODY = -1;

/**
 * Fail-soft alpha-beta for any number of players, without chance. "Me" is the player to move at the root, and all
 * values are for me. The players of my team count as me. An opponent that acts against me takes what is worst for me. Between two plies of mine either
 * all opponents act, or one; then the others make their usual moves, see `bringUsual`.
 */
export class AgainstMe extends BoundsSearch {
  protected readonly proves = true;
  private readonly stack: Int32Array;
  private readonly oneActs: boolean;
  /** The opponent that has acted since my last ply, or NOBODY. */
  private acting = NOBODY;

  constructor(parts: AgentParts<AgainstMeOptions>, opposition: "all" | "one") {
    super(parts);
    this.stack = new Int32Array(this.levels * this.game.maxActions);
    this.oneActs = opposition === "one" && this.game.players > 2;
  }

  private isMine(player: number): boolean {
    const { teams } = this.game;
    return player === this.me || (teams !== undefined && teams[player] === teams[this.me]);
  }

  protected search(depth: number, actions: Int32Array): number {
    this.me = this.state.toMove;
    this.acting = NOBODY;
    this.stack.set(actions);
    const value = this.best(depth, 0, actions.length, 0, -Infinity, Infinity, NO_ACTION);
    if (this.history !== null) {
      const at = actions.indexOf(this.bestAction);
      actions.copyWithin(1, 0, at);
      actions[0] = this.bestAction;
    }
    return value;
  }

  protected expand(
    depth: number,
    at: number,
    ply: number,
    alpha: number,
    beta: number,
    first: number,
  ): number {
    const { state, stack, acting } = this;
    const mover = state.toMove;
    let count = state.legalActions(stack, at);
    if (this.oneActs && mover !== acting && !this.isMine(mover)) {
      const mayAct = acting === NOBODY;
      // At depth 1 leaves are next, whose value does not depend on who has acted: all moves are searched.
      if (!mayAct || depth > 1) this.bringUsual(at, count);
      if (!mayAct) count = 1;
    }
    return this.best(depth, at, count, ply, alpha, beta, first);
  }

  /**
   * Returns the highest value over the `count` actions at stack[at...], or the lowest if an opponent moves. The first of
   * them is the usual move; with any other one an opponent acts. They are searched in another order, `first` first.
   */
  protected best(
    depth: number,
    at: number,
    count: number,
    ply: number,
    alpha: number,
    beta: number,
    first: number,
  ): number {
    const { state, stack, meter, lines, history, acting } = this;
    const mover = state.toMove;
    const mine = this.isMine(mover);
    const usual = stack[at];
    const end = at + count;
    const isOrdered = history !== null && ply > 0 && count > 1;
    if (isOrdered) history.score(stack, at, count, first, mover, 0);
    let best = mine ? -Infinity : Infinity;
    let bestAction = usual;
    let floor = alpha;
    let ceiling = beta;
    for (let index = at; index < end && floor < ceiling; index++) {
      if (isOrdered) history.bringBest(stack, index, end);
      const action = stack[index];
      this.acting = mine || !this.oneActs ? NOBODY : action === usual ? acting : mover;
      state.apply(action);
      meter.count();
      const value = this.visit(depth - 1, end, ply + 1, floor, ceiling);
      state.undo();
      if (mine ? value > best : value < best) {
        best = value;
        bestAction = action;
        lines.extend(ply, action);
        if (mine) floor = Math.max(floor, value);
        else ceiling = Math.min(ceiling, value);
      }
    }
    history?.reward(bestAction, mover, 0, depth);
    this.bestAction = bestAction;
    this.acting = acting;
    return best;
  }

  /** Hashes who has acted, too. */
  protected override salt(): number {
    return this.oneActs ? super.salt() ^ Math.imul(this.acting + 1, 0x9e3779b1) : super.salt();
  }

  /**
   * Puts the usual move of the player to move before the others, which keep their order: the first of the moves after
   * which the position is worth most to that player.
   */
  protected bringUsual(at: number, count: number): void {
    const { state, stack, meter } = this;
    const mover = state.toMove;
    let usual = at;
    let most = -Infinity;
    for (let index = at; index < at + count && count > 1; index++) {
      state.apply(stack[index]);
      meter.count();
      const worth = this.worthTo(mover);
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

  /** Returns what the position just reached is worth to `player`, by the result of the game or the evaluator. */
  protected worthTo(player: number): number {
    const { state } = this;
    return state.toMove === TERMINAL ? state.returns(player) : this.evaluator.evaluate(state, player);
  }
}
