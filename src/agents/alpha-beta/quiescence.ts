import { TERMINAL, type Finish, type Foresight, type Solving, type Tactics } from "../../game/game.ts";
import type { AgentParts } from "../agent.ts";
import { DepthFirstSearch, type DepthFirstOptions } from "../search/depth-first.ts";
import { bringBest } from "./ordering.ts";
import { WinDistance } from "./win-distance.ts";

/** What this part of the search needs to know. */
export interface QuiescenceParts extends AgentParts<DepthFirstOptions> {
  /** Whether wins are told apart by their distance. */
  readonly measures: boolean;
  /** The game's facets, where they are used. */
  readonly tactics: Tactics | null;
  readonly solving: Solving | null;
  /** Whether the search goes on along noisy actions where the depth ends; otherwise such a position is evaluated. */
  readonly quiescence: boolean;
  /** Whether the search goes to the ends of the game. */
  readonly solves: boolean;
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
  /** What the game foresees, where it is used: it tells more than the depth allows. */
  protected readonly foresight: Foresight | null;
  /** The game's own search of its end, where the search goes so far. */
  private readonly finish: Finish | null;
  /** Whether there is either of them. */
  protected readonly foresees: boolean;
  private readonly settles: boolean;
  /** What the noisy actions on the stack gain. */
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

  /**
   * The value of the position for the player to move if the game can prove it, or a bound outside the window: the game
   * does not end so soon. More than `infinity` if the game can tell neither.
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

  /** Writes the actions of the position to stack[at...]: where the search foresees, only those that may be best. */
  protected list(at: number): number {
    const { foresight, state, stack } = this;
    return foresight === null ? state.legalActions(stack, at) : foresight.candidates(state, stack, at);
  }

  /**
   * The value of a position near the end by the game's own search, or a bound. More than `infinity` where all that can be
   * won or lost is, and the plies matter.
   */
  private finished(finish: Finish, alpha: number, beta: number): number {
    const { game, meter, state } = this;
    const value = finish.value(state, alpha, beta);
    // The position itself is counted already.
    meter.add(finish.nodes - 1);
    const tells = (value < game.maxReturn || value >= beta) && (value > game.minReturn || value <= alpha);
    return tells ? value : Infinity;
  }

  /** Value for the player to move along noisy actions, fail-soft. */
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

  /** Value for `me` of the position that a noisy action has just reached. */
  protected noisyChild(me: number, alpha: number, beta: number, at: number, ply: number): number {
    return this.leaf(me, alpha, beta, at, ply);
  }
}
