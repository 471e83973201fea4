import { TERMINAL, type Tactics } from "../../games/game.ts";
import type { AgentParts } from "../agent.ts";
import { DepthFirstSearch, type DepthFirstOptions } from "../search/depth-first.ts";
import { bringBest } from "./ordering.ts";
import { WinDistance } from "./win-distance.ts";

/** What this part of the search needs to know. */
export interface QuiescenceParts extends AgentParts<DepthFirstOptions> {
  /** Whether wins are told apart by their distance. */
  readonly measures: boolean;
  /** The game's tactics, where they are used. */
  readonly tactics: Tactics | null;
  /** Whether they are used where the depth ends; otherwise such a position is evaluated as it is. */
  readonly quiescence: boolean;
}

/**
 * What a search finds where its depth ends: the evaluator's value, or that of a search along noisy actions
 * (quiescence; Shannon 1950, Harris 1975). The player to move may always stay at the evaluator's value instead (stand
 * pat), unless it is forced to react.
 */
export abstract class QuiescenceSearch extends DepthFirstSearch {
  protected readonly stack: Int32Array;
  protected readonly distance: WinDistance | null;
  protected readonly tactics: Tactics | null;
  /** Beyond every value on both sides; a whole number if the returns are whole, which V8 keeps unboxed. */
  protected readonly infinity: number;
  private readonly settles: boolean;
  /** What the noisy actions on the stack gain. */
  private readonly gains: Int32Array;

  constructor(parts: QuiescenceParts) {
    super(parts);
    const { game, measures, quiescence, tactics } = parts;
    const stackSize = this.levels * game.maxActions;
    this.stack = new Int32Array(stackSize);
    this.gains = new Int32Array(tactics === null ? 0 : stackSize);
    this.distance = measures ? new WinDistance(game) : null;
    this.tactics = tactics;
    this.settles = quiescence && tactics !== null;
    this.infinity = Math.ceil(Math.max(game.maxReturn, 0 - game.minReturn)) + 2;
  }

  /** Value for `me` of the position at `ply`, where the game is over or the depth ends. */
  protected leaf(me: number, alpha: number, beta: number, at: number, ply: number): number {
    const { state } = this;
    const mover = state.toMove;
    this.lines.clear(ply);
    if (mover === TERMINAL) {
      const value = state.returns(me);
      return this.distance === null ? value : this.distance.ofReturn(value, ply);
    }
    this.complete = false;
    if (!this.settles) return this.evaluator.evaluate(state, me);
    return mover === me ? this.settle(alpha, beta, at, ply) : 0 - this.settle(0 - beta, 0 - alpha, at, ply);
  }

  /** Value for the player to move along noisy actions, fail-soft. */
  private settle(alpha: number, beta: number, at: number, ply: number): number {
    const { state, stack, gains } = this;
    const me = state.toMove;
    const tactics = this.tactics!;
    const isForced = tactics.isForced(state);
    const isDeepest = ply >= this.levels - 1;
    let best = isForced && !isDeepest ? 0 - this.infinity : this.evaluator.evaluate(state, me);
    if (best >= beta || isDeepest) return best;
    let floor = Math.max(alpha, best);
    const count = tactics.noisyActions(state, stack, at);
    const end = at + count;
    for (let index = at; index < end; index++) gains[index] = tactics.gain(state, stack[index]);
    for (let index = at; index < end; index++) {
      bringBest(stack, gains, index, end);
      if (gains[index] < 0 && !isForced) break;
      const action = stack[index];
      const value = this.lookAt(action, me, floor, beta, end, ply);
      if (value > best) {
        best = value;
        if (value > floor) {
          floor = value;
          this.lines.extend(ply, action);
          if (floor >= beta) break;
        }
      }
    }
    return best;
  }

  private lookAt(action: number, me: number, alpha: number, beta: number, at: number, ply: number): number {
    const { state } = this;
    state.apply(action);
    this.meter.count();
    const value = this.noisyChild(me, alpha, beta, at, ply + 1);
    state.undo();
    return value;
  }

  /** Value for `me` of the position that a noisy action has just reached. */
  protected noisyChild(me: number, alpha: number, beta: number, at: number, ply: number): number {
    return this.leaf(me, alpha, beta, at, ply);
  }
}
