import type { LinearEvaluator } from "../../evaluators/linear.ts";
import { isTracked } from "../../evaluators/tracked-features.ts";
import { CHANCE, TERMINAL, type Game, type State } from "../../games/game.ts";
import { View } from "./view.ts";
import { GameCredit, PresentCredit, TraceCredit, type Credit } from "./credit.ts";
import { DivergenceError, type Learner } from "./learner.ts";
import { CoherentSteps, EvenSteps, type Steps, type Transfer } from "./steps.ts";
import type { TraceKind } from "./traces.ts";

/** Which positions are learnt from; see TdLearner. */
export const POSITIONS = ["all", "afterstates", "own"] as const;
export type Positions = (typeof POSITIONS)[number];

export interface TdOptions {
  /** 0: learn from the next position's estimate alone; 1: from the final return alone. */
  readonly lambda: number;
  readonly traces?: TraceKind;
  /** What a random move does to the credit of the positions before it. */
  readonly afterRandomMove?: "cut" | "continue";
  /** When the weights change: at every step, or when the game is over, each position once. */
  readonly updates?: "step" | "game";
  readonly positions?: Positions;
  /** Whether the step size is shared among the active features, so that it is the share of the error corrected. */
  readonly normalized?: boolean;
  /** Rates of their own for all weights, by temporal coherence; one rate for all where it is absent. */
  readonly coherence?: Transfer | undefined;
  /** Whether what is observed are the ends of lines looked ahead to (TDLeaf), so that the start of a game is no step. */
  readonly leaves?: boolean;
  /** Players whose views learn; by default as many as have something to add. */
  readonly players?: readonly number[];
  /** Makes an array of zeros that others may share, by its name. */
  readonly allocate?: (name: string, length: number) => Float32Array;
}

/**
 * TD(lambda) (Sutton 1988) for linear evaluators and n-tuple networks, from games of self-play (Tesauro
 * 1992). With w the weights, f(s, v) the features of s from the point of view of player v, and
 * V(s, v) = output(w . f(s, v)) the estimate of what v will still get:
 *
 *     G(t) = returns(s_t, v) + V(s_t, v)        v's final return, as estimated at step t
 *     G(T) = returns(s_T, v)                    at the end, nothing is still to come
 *     d(t) = G(t+1) - G(t)                      rewards along the way are inside, as differences
 *     e(t) = lambda e(t-1) + gradient of V(s_t, v)
 *     w   += stepSize d(t) e(t)
 *
 * without a discount, and with both estimates of d(t) by the same weights. The sign never depends on
 * who is to move: v's estimate always approaches what v got later on, good or bad.
 *
 * The steps are, by `positions`: `all` positions, after an action as well as after a chance outcome, from
 * the start on; `afterstates`, those that a player's action led to; or each player's `own` afterstates
 * alone. Whichever they are, every view's last one learns from the final return, also of a player who
 * did not make the last move (the final adaptation of Konen and Bagheri 2021).
 *
 * Each player's view learns, so that a game of n players gives n lessons. In two-player zero-sum games
 * the two estimates negate, so that the second lesson would be the first one again (both the error and
 * the gradient change signs), and the first player's view is enough, unless each learns its own positions.
 *
 * After a random move the error is not learnt from and the traces are cut (as in Watkins 1989; called
 * resetting traces elsewhere), since what follows a blunder is not what the position before it is worth.
 */
export class TdLearner implements Learner {
  steps = 0;
  stepSize = 0;
  readonly memory: Readonly<Record<string, Float32Array>>;
  private readonly evaluator: LinearEvaluator;
  private readonly views: readonly View[];
  private readonly positions: Positions;
  private readonly leaves: boolean;
  private readonly cuts: boolean;
  private readonly addsReturns: boolean;
  /** Whether what a player's choice leaves held is the one view that learns. */
  private readonly readsHeld: boolean;

  constructor(game: Game, evaluator: LinearEvaluator, options: TdOptions) {
    const { weights } = evaluator;
    const { positions = "all", allocate = (_, length) => new Float32Array(length) } = options;
    const oneIsEnough = game.players === 2 && game.zeroSum && positions !== "own";
    const players = options.players ?? Array.from({ length: oneIsEnough ? 1 : game.players }, (_, at) => at);
    this.evaluator = evaluator;
    this.positions = positions;
    this.leaves = options.leaves === true;
    this.cuts = options.afterRandomMove !== "continue";
    this.addsReturns = game.rewardsAlongTheWay;
    const steps: Steps =
      options.coherence === undefined
        ? new EvenSteps(weights)
        : new CoherentSteps(weights, options.coherence, allocate);
    this.memory = steps.memory;
    // Where a look goes by what changed, looking again makes the position the base for those after it.
    this.readsHeld = players.length === 1 && players[0] === 0 && !isTracked(evaluator.features);
    const { normalized = false } = options;
    this.views = players.map((player) => {
      const credit = createCredit(evaluator, options, steps);
      return new View(player, evaluator, { normalized, credit });
    });
  }

  restore(memory: Readonly<Record<string, Float32Array>>): void {
    for (const [name, values] of Object.entries(this.memory)) {
      const saved = memory[name];
      if (saved?.length !== values.length)
        throw new RangeError(`${name} has ${saved?.length ?? 0} numbers where ${values.length} are wanted`);
      values.set(saved);
    }
  }

  begin(state: State): void {
    const { views } = this;
    for (let at = 0; at < views.length; at++) views[at].begin();
    if (this.positions !== "all" || this.leaves || state.toMove === TERMINAL) return;
    for (let at = 0; at < views.length; at++) this.look(views[at], state, false);
    this.remember(CHANCE);
  }

  observe(state: State, by: number, explored: boolean, isHeld = false): void {
    const { views, positions, cuts } = this;
    if (positions !== "all" && by === CHANCE) return;
    this.steps++;
    // All estimates first: the views share their weights.
    for (let at = 0; at < views.length; at++) {
      const view = views[at];
      if (explored && cuts) view.cut = true;
      if (positions === "own") {
        if (by !== view.player) continue;
        this.renew(view);
      }
      const before = view.estimate;
      view.error = this.look(view, state, isHeld && this.readsHeld) - before;
    }
    for (let at = 0; at < views.length; at++) {
      if (positions !== "own" || by === views[at].player) views[at].learn(this.stepSize);
    }
    this.evaluator.touch();
    this.remember(by);
  }

  end(state: State, explored: boolean): void {
    const { views } = this;
    this.steps++;
    for (let at = 0; at < views.length; at++) {
      const view = views[at];
      if (explored && this.cuts) view.cut = true;
      if (this.positions === "own") this.renew(view);
      view.error = state.returns(view.player) - view.estimate;
    }
    for (let at = 0; at < views.length; at++) views[at].learn(this.stepSize);
    for (let at = 0; at < views.length; at++) views[at].end();
    this.evaluator.touch();
  }

  /** Reads the features of `state`, if need be; returns the final return as the weights estimate it. */
  private look(view: View, state: State, isHeld: boolean): number {
    const { evaluator } = this;
    // A position looked ahead to may be an end: then its value is known, and no weight is to blame for it.
    view.isKnown = state.toMove === TERMINAL;
    view.collected = view.isKnown || this.addsReturns ? state.returns(view.player) : 0;
    view.active = 0;
    if (view.isKnown) return view.collected;
    const sum = isHeld ? evaluator.held.last : evaluator.sum(state, view.player);
    view.copyActive(isHeld ? evaluator.held : evaluator);
    return view.collected + this.output(sum);
  }

  /** Takes the positions just read as the present ones: their estimates by the newest weights, their gradients. */
  private remember(by: number): void {
    const { views, evaluator, positions } = this;
    for (let at = 0; at < views.length; at++) {
      const view = views[at];
      if (positions === "own" && by !== view.player) continue;
      const output = view.isKnown ? 0 : this.output(this.sumOf(view));
      view.remember(view.collected + output, view.isKnown ? 0 : evaluator.slope(output));
    }
  }

  /** By the newest weights. */
  private sumOf(view: View): number {
    const { evaluator, views } = this;
    return views.length === 1 && !this.readsHeld ? evaluator.sumAgain() : view.sum(evaluator.weights);
  }

  /** Makes the estimate of the present position anew: other views have learnt since. */
  private renew(view: View): void {
    if (!view.cut) view.estimate = view.collected + this.output(view.sum(this.evaluator.weights));
  }

  /** The output function; `identity` without the cut to the range, which has no slope to learn by. */
  private output(sum: number): number {
    if (!Number.isFinite(sum)) throw new DivergenceError(this.steps);
    return this.evaluator.output === "identity" ? sum : this.evaluator.squash(sum);
  }
}

function createCredit(
  { weights, index }: LinearEvaluator,
  { lambda, traces: kind = "accumulating", updates }: TdOptions,
  steps: Steps,
): Credit {
  if (updates === "game") return new GameCredit(steps, { maxActive: index.length, lambda });
  if (lambda === 0) return new PresentCredit(steps, index.length);
  return new TraceCredit(steps, { weights: weights.length, kind, lambda });
}
