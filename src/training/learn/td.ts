import type { LinearEvaluator, Reading } from "../../evaluators/linear.ts";
import { CHANCE, TERMINAL, type Game, type State, isDuel } from "../../games/contract/game.ts";
import { GameCredit, PresentCredit, TraceCredit, type Credit, type TraceKind } from "./credit.ts";
import { createUpdate, type ChangedRows, type Transfer, type UpdateRule } from "./update-rule.ts";
import { DivergenceError, restoreArrays, type ErrorTally, type Learner } from "./learner.ts";

/** The positions that are learned from; see TdLearner. */
export const POSITIONS = ["all", "afterstates", "own"] as const;
export type Positions = (typeof POSITIONS)[number];

/** Options of TdLearner. */
export interface TdOptions {
  /** From 0, learn from the next position's estimate alone, to 1, learn from the final return alone. */
  readonly lambda: number;
  readonly traces?: TraceKind;
  /** `continue` if positions before a random move learn from what came after it; default `cut`: they do not. */
  readonly afterRandomMove?: "cut" | "continue";
  /** The time of updates: at every step (default), or at the end of the game, then once for each position. */
  readonly updates?: "step" | "game";
  readonly positions?: Positions;
  /**
   * True to divide the step size among the active features and by the square of the output's steepest slope: where the
   * output is steepest, a step size of 1 then corrects the whole error.
   */
  readonly normalized?: boolean | undefined;
  /** Temporal coherence; without it all weights have the same rate. */
  readonly coherence?: Transfer | undefined;
  /** True if the observed positions are the ends of principal variations (TDLeaf); the start of a game is not one. */
  readonly leaves?: boolean;
  /** The players whose lessons are learned; by default all whose lessons differ. */
  readonly players?: readonly number[];
  /** True to remember which weights have changed in a round: `changed`. */
  readonly inRounds?: boolean;
  /** Makes an array of zeros with a name. */
  readonly allocate?: (name: string, length: number) => Float32Array;
}

/**
 * TD(lambda) (Sutton 1988) for linear evaluators and n-tuple networks, from games of self-play (Tesauro 1992). Let w
 * be the weights, f(s, v) the features of s from the point of view of player v, and V(s, v) = output(w . f(s, v)) the
 * estimate of the rewards that v will still get. With the positions s_0 ... s_T of a game, and e(-1) = 0:
 *
 *     G(t) = returns(s_t, v) + V(s_t, v)              v's final return, estimated at position t
 *     G(T) = returns(s_T, v)                          at the end, nothing is still to come
 *     d(t) = G(t+1) - G(t)                            the error of a step; it includes rewards on the way
 *     e(t) = lambda e(t-1) + gradient of V(s_t, v)    the eligibility traces
 *     w   += stepSize d(t) e(t)
 *
 * There is no discount. Both estimates in d(t) are made with the same weights. The sign does not depend on who is to
 * move: the estimate for v always moves towards what v got later.
 *
 * `positions` says which positions of a game are s_0 ... s_T: `all`, those after an action and those after a chance
 * outcome, from the start on; `afterstates`, those after an action of any player; or `own`, for each player v those
 * after v's own actions. In each case every player learns from the final return, also a player who did not make the
 * last move (the final adaptation of Konen and Bagheri 2021).
 *
 * In general each player has a lesson. In duels the second player's estimate is the negative of the
 * first player's. Error and gradient both change sign, so the second lesson would repeat the first: only the first
 * player's lesson is learned, unless `positions` is `own`.
 *
 * In a game in which an opponent has a seat (`opponentSeat`), the positions after that player's moves are not among s_0 ...
 * s_T: what it does belongs to the step from one position of the others to their next one.
 *
 * After a random move nothing is learned from the error of that step, and the traces are set to 0 (as in Watkins 1989;
 * also called resetting traces), because what follows a bad move does not show what the position before it is worth.
 */
export class TdLearner implements Learner {
  steps = 0;
  stepSize = 0;
  opponentSeat: number | undefined = undefined;
  readonly errors: ErrorTally = { count: 0, squares: 0 };
  readonly memory: Readonly<Record<string, Float32Array>>;
  readonly changed: ChangedRows | undefined;
  private readonly evaluator: LinearEvaluator;
  private readonly lessons: readonly PlayerLesson[];
  private readonly positions: Positions;
  private readonly leaves: boolean;
  private readonly cuts: boolean;
  private readonly addsReturns: boolean;
  /** True if the reading that the evaluator holds after a choice serves the only lesson. */
  private readonly readsHeld: boolean;

  constructor(game: Game, evaluator: LinearEvaluator, options: TdOptions) {
    const { weights } = evaluator;
    const { positions = "all" } = options;
    const oneIsEnough = isDuel(game) && positions !== "own";
    const players = options.players ?? Array.from({ length: oneIsEnough ? 1 : game.players }, (_, at) => at);
    this.evaluator = evaluator;
    this.positions = positions;
    this.leaves = options.leaves === true;
    this.cuts = options.afterRandomMove !== "continue";
    this.addsReturns = game.rewardsAlongTheWay;
    const { rule, changed } = createUpdate(weights, options);
    this.changed = changed;
    this.memory = rule.memory;
    this.readsHeld = players.length === 1 && players[0] === 0 && evaluator.leavesReading;
    const { normalized = false } = options;
    this.lessons = players.map((player) => {
      const credit = createCredit(evaluator, options, rule);
      return new PlayerLesson(player, evaluator, { normalized, credit, errors: this.errors });
    });
  }

  restore(memory: Readonly<Record<string, Float32Array>>): void {
    restoreArrays(this.memory, memory);
  }

  begin(state: State): void {
    const { lessons } = this;
    for (let at = 0; at < lessons.length; at++) lessons[at].begin();
    if (this.positions !== "all" || this.leaves || state.toMove === TERMINAL) return;
    for (let at = 0; at < lessons.length; at++) this.read(lessons[at], state, false);
    this.remember(CHANCE);
  }

  observe(state: State, by: number, explored: boolean, isHeld = false): void {
    const { lessons, positions, cuts, opponentSeat } = this;
    if (positions !== "all" && by === CHANCE) return;
    if (by === opponentSeat) {
      if (explored && cuts) for (let at = 0; at < lessons.length; at++) lessons[at].cut = true;
      return;
    }
    this.steps++;
    // All errors first: the lessons share their weights.
    for (let at = 0; at < lessons.length; at++) {
      const lesson = lessons[at];
      if ((explored && cuts) || this.isOpponents(lesson)) lesson.cut = true;
      if (positions === "own") {
        if (by !== lesson.player) continue;
        this.renew(lesson);
      }
      const before = lesson.estimate;
      lesson.error = this.read(lesson, state, isHeld && this.readsHeld) - before;
    }
    for (let at = 0; at < lessons.length; at++) {
      if (positions !== "own" || by === lessons[at].player) lessons[at].learn(this.stepSize);
    }
    this.remember(by);
  }

  end(state: State, explored: boolean): void {
    const { lessons } = this;
    this.steps++;
    for (let at = 0; at < lessons.length; at++) {
      const lesson = lessons[at];
      if ((explored && this.cuts) || this.isOpponents(lesson)) lesson.cut = true;
      if (this.positions === "own") this.renew(lesson);
      lesson.error = state.returns(lesson.player) - lesson.estimate;
    }
    for (let at = 0; at < lessons.length; at++) lessons[at].learn(this.stepSize);
    for (let at = 0; at < lessons.length; at++) lessons[at].end();
  }

  /** True if the lesson would teach what an opponent gets. In a duel the only lesson is that of both players. */
  private isOpponents({ player }: PlayerLesson): boolean {
    return player === this.opponentSeat && this.lessons.length > 1;
  }

  /** Reads `state` for a lesson, or takes the reading that is held; returns the estimate of the final return. */
  private read(lesson: PlayerLesson, state: State, isHeld: boolean): number {
    const { evaluator } = this;
    // The end of a principal variation may be the end of a game: its value is known, and no weight gets credit for it.
    lesson.isKnown = state.toMove === TERMINAL;
    lesson.collected = lesson.isKnown || this.addsReturns ? state.returns(lesson.player) : 0;
    lesson.active = 0;
    if (lesson.isKnown) return lesson.collected;
    const sum = isHeld ? evaluator.held.last : evaluator.sum(state, lesson.player);
    lesson.copyActive(isHeld ? evaluator.held : evaluator);
    return lesson.collected + this.output(sum);
  }

  /** Makes the position just read the present one, with its estimate and gradient by the present weights. */
  private remember(by: number): void {
    const { lessons, evaluator, positions } = this;
    for (let at = 0; at < lessons.length; at++) {
      const lesson = lessons[at];
      if (positions === "own" && by !== lesson.player) continue;
      const output = lesson.isKnown ? 0 : this.output(this.sumOf(lesson));
      lesson.remember(lesson.collected + output, lesson.isKnown ? 0 : evaluator.slope(output));
    }
  }

  /** The weighted sum of the position just read, by the present weights. */
  private sumOf(lesson: PlayerLesson): number {
    const { evaluator, lessons } = this;
    return lessons.length === 1 && !this.readsHeld ? evaluator.sumAgain() : lesson.sum(evaluator.weights);
  }

  /** Computes the estimate of the present position again: other lessons have changed the weights since. */
  private renew(lesson: PlayerLesson): void {
    if (!lesson.cut) lesson.estimate = lesson.collected + this.output(lesson.sum(this.evaluator.weights));
  }

  /** The output function. `identity` is not cut to the range of returns: beyond it the gradient would be 0. */
  private output(sum: number): number {
    if (!Number.isFinite(sum)) throw new DivergenceError(this.steps);
    return this.evaluator.output === "identity" ? sum : this.evaluator.squash(sum);
  }
}

function createCredit(
  { weights, index }: LinearEvaluator,
  { lambda, traces: kind = "accumulating", updates }: TdOptions,
  rule: UpdateRule,
): Credit {
  if (updates === "game") return new GameCredit(rule, { maxActive: index.length, lambda });
  if (lambda === 0) return new PresentCredit(rule, index.length);
  return new TraceCredit(rule, { weights: weights.length, kind, lambda });
}

/**
 * The lesson of one player in TdLearner: the present position with its features and estimate from this player's point
 * of view, and the error of the step to the next position.
 */
export class PlayerLesson {
  readonly player: number;
  /** The features of the position just read: index[0..active-1] and value[0..active-1]. */
  active = 0;
  readonly index: Int32Array;
  readonly value: Float32Array;
  /** -1 if the features are from the other player's point of view, so that their sum must be negated; otherwise 1. */
  private sign = 1;
  /** The gradient of the estimate by the weight of a feature is `factor` times its value. */
  factor = 0;
  /** The rewards that the player has collected at the position just read. */
  collected = 0;
  /** True if the position just read ends the game: its return is known, not estimated. */
  isKnown = false;
  /** The final return, estimated at the present position. */
  estimate = 0;
  /** The error of the step to the next position: the difference of the two estimates. */
  error = 0;
  /** True if nothing is learned from the step to the next position. */
  cut = true;
  private readonly unit: boolean;
  /** The square of the output's greatest slope; undefined if steps are not normalized. */
  private readonly scale: number | undefined;
  private readonly credit: Credit;
  private readonly errors: ErrorTally;

  constructor(
    player: number,
    { index, value, features, steepest }: LinearEvaluator,
    { normalized = false, credit, errors }: { normalized?: boolean; credit: Credit; errors: ErrorTally },
  ) {
    this.player = player;
    this.index = new Int32Array(index.length);
    this.value = Float32Array.from(value);
    this.unit = features.unit === true;
    this.scale = normalized ? steepest * steepest : undefined;
    this.credit = credit;
    this.errors = errors;
  }

  /** A game begins. There is no step before its first position. */
  begin(): void {
    this.credit.begin();
    this.cut = true;
  }

  /** Copies the features of a reading. */
  copyActive({ active, index, value, sign }: Reading): void {
    const { index: ours, value: values } = this;
    for (let at = 0; at < active; at++) ours[at] = index[at];
    if (!this.unit) for (let at = 0; at < active; at++) values[at] = value[at];
    this.active = active;
    this.sign = sign;
  }

  /** The weighted sum of the position read last. */
  sum(weights: Float32Array): number {
    const { active, index, value } = this;
    let sum = 0;
    for (let at = 0; at < active; at++) sum += weights[index[at]] * value[at];
    return this.sign * sum;
  }

  /** Makes the position just read the present one. */
  remember(estimate: number, slope: number): void {
    this.estimate = estimate;
    this.factor = this.sign * slope;
    this.cut = false;
    this.credit.add(this, this.scale === undefined ? 1 : this.scale * this.norm());
  }

  /** Learns from the error, unless `cut` is set. */
  learn(stepSize: number): void {
    const { error, errors, credit } = this;
    if (this.cut) {
      credit.cut();
      return;
    }
    errors.count++;
    errors.squares += error * error;
    credit.learn(error, stepSize);
  }

  end(): void {
    this.credit.end();
  }

  /** The sum of the squares of the values, at least 1. */
  norm(): number {
    const { active, value } = this;
    if (this.unit) return Math.max(active, 1);
    let norm = 0;
    for (let at = 0; at < active; at++) norm += value[at] * value[at];
    return Math.max(norm, 1);
  }
}
