import {
  TERMINAL,
  type Finish,
  type Foresight,
  type Solving,
  type Tactics,
} from "../../games/contract/game.ts";
import type { AgentParts } from "../agent.ts";
import { DepthFirstSearch, type DepthFirstOptions } from "../search/depth-first.ts";
import { bringBest } from "../search/ordering.ts";
import { WinDistance } from "./win-distance.ts";

/** The parts of a search with quiescence. */
export interface QuiescenceParts extends AgentParts<DepthFirstOptions> {
  /** True if a nearer win counts for more. */
  readonly measures: boolean;
  /** The facets of the game that the search uses. */
  readonly tactics: Tactics | null;
  readonly solving: Solving | null;
  /** True if the search goes on along noisy actions where the depth ends; otherwise it evaluates such a position. */
  readonly quiescence: boolean;
  /** True if the search goes to the ends of the game. */
  readonly solves: boolean;
}

/**
 * The part of alpha-beta where the depth ends: a position has the evaluator's value, or that of a search along noisy
 * actions (quiescence; Shannon 1950, Harris 1975). Unless it is forced to react, the player to move may always stay at
 * the evaluator's value (stand pat).
 */
export abstract class QuiescenceSearch extends DepthFirstSearch {
  protected readonly stack: Int32Array;
  protected readonly distance: WinDistance | null;
  protected readonly tactics: Tactics | null;
  /** A whole number beyond every value on both sides; V8 keeps whole numbers unboxed. */
  protected readonly infinity: number;
  /** The game's foresight beyond the depth; null where it is not used. */
  protected readonly foresight: Foresight | null;
  /** The game's own search of its last plies; null where that is not used. */
  private readonly finish: Finish | null;
  /** True if the game has foresight or a finish. */
  protected readonly foresees: boolean;
  private readonly settles: boolean;
  /** By index of the stack: the gain of a noisy action. */
  private readonly gains: Int32Array;

  constructor(parts: QuiescenceParts) {
    super(parts);
    const { game, measures, quiescence, solves, solving, tactics } = parts;
    const stackSize = this.levels * game.maxActions;
    this.stack = new Int32Array(stackSize);
    this.gains = new Int32Array(tactics === null ? 0 : stackSize);
    this.distance = measures ? new WinDistance(game) : null;
    this.tactics = tactics;
    this.finish = (solves ? solving?.finish : null) ?? null;
    this.foresight = (quiescence || solves ? solving?.foresight : null) ?? null;
    this.foresees = this.finish !== null || this.foresight !== null;
    this.settles = quiescence && tactics !== null;
    this.infinity = Math.ceil(Math.max(game.maxReturn, 0 - game.minReturn)) + 2;
  }

  protected override reported(value: number): number {
    return this.distance === null ? value : this.distance.toReturn(value);
  }

  protected override pliesToEnd(value: number): number | undefined {
    return this.distance?.plies(value);
  }

  /** Returns the value for `me` of the position at `ply`, where the game is over or the depth ends. */
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

  /**
   * Returns the value for the player to move if the game can prove it, or a bound outside the window if the game cannot
   * end so soon. Returns more than `infinity` if the game can tell neither.
   */
  protected foreseen(alpha: number, beta: number, ply: number): number {
    const { finish, foresight, game, state } = this;
    const distance = this.distance!;
    if (finish !== null && finish.isNear(state)) {
      const value = this.finished(finish, alpha, beta);
      if (value <= this.infinity) return value;
    }
    if (foresight === null) return Infinity;
    const plies = foresight.foresee(state);
    if (plies > 0) return distance.ofReturn(game.maxReturn, ply + plies);
    if (plies < 0) return distance.ofReturn(game.minReturn, ply - plies);
    const most = distance.ofReturn(game.maxReturn, ply + foresight.soonest);
    if (most <= alpha) return most;
    const least = distance.ofReturn(game.minReturn, ply + foresight.soonest + 1);
    return least >= beta ? least : Infinity;
  }

  /**
   * Writes the actions of the position to stack[at...], with foresight only those that can be best; returns their
   * number.
   */
  protected list(at: number): number {
    const { foresight, state, stack } = this;
    return foresight === null ? state.legalActions(stack, at) : foresight.candidates(state, stack, at);
  }

  /**
   * Returns the value of a position near the end by the game's own search, or a bound. Returns more than `infinity` for
   * a win or a loss whose plies are not known but matter.
   */
  private finished(finish: Finish, alpha: number, beta: number): number {
    const { game, meter, state } = this;
    const value = finish.value(state, alpha, beta);
    // The position itself is counted already.
    meter.add(finish.nodes - 1);
    const tells = (value < game.maxReturn || value >= beta) && (value > game.minReturn || value <= alpha);
    return tells ? value : Infinity;
  }

  /** Returns the value for the player to move by a fail-soft search along noisy actions. */
  private settle(alpha: number, beta: number, at: number, ply: number): number {
    const { state, stack, gains } = this;
    const me = state.toMove;
    const tactics = this.tactics!;
    if (this.foresees) {
      const value = this.foreseen(alpha, beta, ply);
      if (value <= this.infinity) return value;
    }
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

  /** Returns the value for `me` of the position that a noisy action has just reached. */
  protected noisyChild(me: number, alpha: number, beta: number, at: number, ply: number): number {
    return this.leaf(me, alpha, beta, at, ply);
  }
}
