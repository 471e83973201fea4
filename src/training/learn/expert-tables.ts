import { readReport, type Reported, type SearchReport } from "../../agents/search-report.ts";
import type { LinearEvaluator } from "../../evaluators/linear.ts";
import type { Losses } from "../../ratings/sections/curve.ts";
import { TERMINAL, type Game, type State, isDuel } from "../../games/contract/game.ts";
import { PresentCredit, TraceCredit } from "./credit.ts";
import { DivergenceError, restoreArrays, type ErrorTally, type Learner } from "./learner.ts";
import { policyLoss } from "./network/batch.ts";
import { PlayerLesson, type TdOptions } from "./td.ts";
import { createUpdate, type ChangedRows } from "./update-rule.ts";

/** The step size of a policy by that of the value, where a config names none. */
const POLICY_STEP = 10;
/** Losses are means over some so many positions, the last ones counting most. */
const LOSS_POSITIONS = 2048;
const ONE = Float32Array.of(1);

/** Options of ExpertTableLearner; those of TdOptions mean the same. */
interface ExpertTableOptions extends Pick<TdOptions, "normalized" | "coherence" | "allocate" | "inRounds"> {
  /** See ExpertOptions. */
  readonly rootShare: number;
  /** The step size of the policy is this multiple of `stepSize`. */
  readonly policyStep?: number | undefined;
}

/**
 * Expert iteration (see ExpertLearner) for linear evaluators and n-tuple networks. When a game is over, each position that its
 * searches tell of learns once, the last search first. Let V(s) be the estimate of position s, v the value to be learned, pi(a)
 * the probability of action a in the search's policy, L(a) its logit, the weighted sum over the position after it, and p(a) its
 * probability in the evaluator's policy, the softmax of the logits:
 *
 *     w += stepSize * (v - V(s)) * gradient of V(s)
 *     w += policyStep * stepSize * sum over a of (pi(a) - p(a)) * gradient of L(a)
 *
 * Each is a step down the gradient: of half the squared error, and of the cross-entropy. An action that ends the game has a
 * fixed logit, and no weight gets credit for it.
 */
export class ExpertTableLearner implements Learner {
  steps = 0;
  stepSize = 0;
  readonly errors: ErrorTally = { count: 0, squares: 0 };
  readonly memory: Readonly<Record<string, Float32Array>>;
  readonly changed: ChangedRows | undefined;
  private readonly game: Game;
  private readonly isDuel: boolean;
  private readonly evaluator: LinearEvaluator;
  private readonly rootShare: number;
  private readonly policyStep: number;
  private readonly normalized: boolean;
  private readonly lesson: PlayerLesson;
  /** With lambda 0 it sums up, for each weight, the credit for all actions of a position. */
  private readonly credit: TraceCredit;
  /** The searches of this game: their roots, of which there may be more, and their reports. */
  private readonly roots: State[] = [];
  private readonly reports: SearchReport[] = [];
  private readonly actions: Int32Array;
  private readonly logits: Float32Array;
  /** The numbers of values and of policies, and the sums of squared errors, of policy losses and of target entropies. */
  private readonly tally = new Float32Array(5);

  constructor(game: Game, evaluator: LinearEvaluator, options: ExpertTableOptions) {
    const { weights, index } = evaluator;
    const { normalized = false, policyStep = POLICY_STEP, rootShare } = options;
    const { rule, changed } = createUpdate(weights, options);
    this.memory = { ...rule.memory, losses: this.tally };
    this.changed = changed;
    this.game = game;
    this.isDuel = isDuel(game);
    this.evaluator = evaluator;
    this.rootShare = rootShare;
    this.policyStep = policyStep;
    this.normalized = normalized;
    const credit = new PresentCredit(rule, index.length);
    this.lesson = new PlayerLesson(0, evaluator, { normalized, credit, errors: this.errors });
    this.credit = new TraceCredit(rule, { weights: weights.length, kind: "accumulating", lambda: 0 });
    this.actions = new Int32Array(game.maxActions);
    this.logits = new Float32Array(game.maxActions);
  }

  restore(memory: Readonly<Record<string, Float32Array>>): void {
    restoreArrays(this.memory, memory);
  }

  begin(): void {
    this.reports.length = 0;
  }

  observe(): void {}

  study(root: State, report: SearchReport): void {
    const at = this.reports.push(report) - 1;
    this.roots[at] ??= this.game.start();
    this.roots[at].copyFrom(root);
  }

  end(end: State): void {
    if (end.toMove !== TERMINAL) return;
    const { game, isDuel: oneIsEnough, evaluator, roots, reports } = this;
    for (let at = reports.length - 1; at >= 0; at--)
      readReport(roots[at]!, reports[at]!, (state, found) => {
        this.steps++;
        if (oneIsEnough) this.learnValue(state, state.toMove, found, end);
        else for (let player = 0; player < game.players; player++) this.learnValue(state, player, found, end);
        if (evaluator.logits !== undefined) this.learnPolicy(state, evaluator.logits, found);
      });
  }

  private learnValue(state: State, player: number, { depth, value, isProven }: Reported, end: State): void {
    const { evaluator, lesson, game, rootShare } = this;
    const isSeen = player === state.toMove;
    // The search tells the value for the player to move alone, and the game did not come to positions inside its tree.
    if (!isSeen && depth > 0) return;
    const share = !isSeen ? 0 : isProven || depth > 0 ? 1 : rootShare;
    const later = (1 - share) * end.returns(player) + share * value;
    const sum = evaluator.sum(state, player);
    if (!Number.isFinite(sum)) throw new DivergenceError(this.steps);
    const output = evaluator.output === "identity" ? sum : evaluator.squash(sum);
    lesson.copyActive(evaluator);
    lesson.remember(output, evaluator.slope(output));
    lesson.error = later - (game.rewardsAlongTheWay ? state.returns(player) : 0) - output;
    lesson.learn(this.stepSize);
    this.count(0, lesson.error * lesson.error);
  }

  private learnPolicy(state: State, logits: LinearEvaluator, { actions: told, policy }: Reported): void {
    if (told.length === 0) return;
    const { evaluator, actions, credit, lesson } = this;
    const mover = state.toMove;
    const count = state.legalActions(actions, 0);
    evaluator.prefer!(state, actions, 0, count, this.logits);
    const shares = new Map(told.map((action, at) => [action, policy[at]!]));
    const targets = Float32Array.from(actions.subarray(0, count), (action) => shares.get(action) ?? 0);
    const gradient = new Float64Array(count);
    const sample = { targets, weights: ONE, size: 1 };
    const loss = policyLoss(sample, 0, {
      outputs: 0,
      logits: Float64Array.from(this.logits.subarray(0, count)),
      gradient,
    });
    if (!Number.isFinite(loss)) throw new DivergenceError(this.steps);
    for (let at = 0; at < count; at++) {
      state.apply(actions[at]);
      if (state.toMove !== TERMINAL) {
        logits.sum(state, mover);
        const { index, value, active, sign } = logits;
        // The position itself has about as many features.
        const norm = this.normalized ? lesson.norm() : 1;
        credit.add({ index, value, active, factor: -sign * gradient[at] }, norm);
      }
      state.undo();
    }
    credit.learn(1, this.policyStep * this.stepSize);
    const entropy = targets.reduce((sum, share) => (share > 0 ? sum - share * Math.log(share) : sum), 0);
    this.count(2, loss, entropy);
  }

  /** Adds a position with its numbers to the tally, from place `at` on. */
  private count(at: number, ...numbers: readonly number[]): void {
    for (const [more, number] of [1, ...numbers].entries())
      this.tally[at + more] += number - this.tally[at + more] / LOSS_POSITIONS;
  }

  /** The losses of the weights before they learned from each position. */
  losses(): Losses | undefined {
    const [values, squares, policies, policy, entropy] = this.tally as unknown as readonly number[];
    if (values === 0) return undefined;
    return {
      value: squares! / values!,
      ...(policies! > 0 && { policy: policy! / policies!, entropy: entropy! / policies! }),
    };
  }
}
