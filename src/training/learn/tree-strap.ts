import {
  AT_LEAST,
  AT_MOST,
  rootOf,
  walkTree,
  type SearchedTree,
} from "../../agents/alpha-beta/searched-tree.ts";
import type { LinearEvaluator } from "../../evaluators/linear.ts";
import type { Game, State } from "../../games/contract/game.ts";
import { GameCredit } from "./credit.ts";
import { DivergenceError, restoreArrays, type ErrorTally, type Learner } from "./learner.ts";
import { PlayerLesson, type TdOptions } from "./td.ts";
import { createUpdate, type ChangedRows } from "./update-rule.ts";

/** Options of TreeStrapLearner; those of TdOptions mean the same. */
interface TreeStrapOptions extends Pick<TdOptions, "normalized" | "coherence" | "allocate" | "inRounds"> {
  /** The positions that learn: all inner ones of the tree, or the root alone (RootStrap). */
  readonly nodes: "all" | "root";
}

/**
 * TreeStrap (Veness, Silver, Uther and Blair 2009): after each search, every inner position s of the tree learns from its own
 * searched value. Let V(s) be the estimate for the player to move, by the weights before:
 *
 *     d(s) = value - V(s)               if the value is exact
 *     d(s) = max(0, value - V(s))       if it is a lower bound
 *     d(s) = min(0, value - V(s))       if it is an upper bound
 *     w   += stepSize * sum over s of d(s) * gradient of V(s)
 *
 * A position that the search has met more than once counts as often. RootStrap is the same for the root alone.
 */
export class TreeStrapLearner implements Learner {
  steps = 0;
  stepSize = 0;
  readonly errors: ErrorTally = { count: 0, squares: 0 };
  readonly memory: Readonly<Record<string, Float32Array>>;
  readonly changed: ChangedRows | undefined;
  private readonly evaluator: LinearEvaluator;
  private readonly copy: State;
  private readonly credit: GameCredit;
  private readonly lesson: PlayerLesson;
  private readonly rootOnly: boolean;

  constructor(game: Game, evaluator: LinearEvaluator, options: TreeStrapOptions) {
    const { rule, changed } = createUpdate(evaluator.weights, options);
    this.memory = rule.memory;
    this.changed = changed;
    this.evaluator = evaluator;
    this.copy = game.start();
    // With lambda 0 all errors are those of the weights before, and are corrected at the end.
    this.credit = new GameCredit(rule, { maxActive: evaluator.index.length, lambda: 0 });
    const { normalized = false } = options;
    this.lesson = new PlayerLesson(0, evaluator, { normalized, credit: this.credit, errors: this.errors });
    this.rootOnly = options.nodes === "root";
  }

  restore(memory: Readonly<Record<string, Float32Array>>): void {
    restoreArrays(this.memory, memory);
  }

  begin(): void {}

  observe(): void {}

  end(): void {}

  study(root: State, tree: SearchedTree): void {
    const { copy, evaluator, lesson, rootOnly } = this;
    copy.copyFrom(root);
    lesson.begin();
    walkTree(copy, rootOnly ? rootOf(tree) : tree, (state, bound, value) => {
      this.steps++;
      const sum = evaluator.sum(state, state.toMove);
      if (!Number.isFinite(sum)) throw new DivergenceError(this.steps);
      const output = evaluator.output === "identity" ? sum : evaluator.squash(sum);
      const error = value - output;
      if ((bound === AT_LEAST && error <= 0) || (bound === AT_MOST && error >= 0)) return;
      lesson.copyActive(evaluator);
      lesson.remember(output, evaluator.slope(output));
      lesson.error = error;
      lesson.learn(this.stepSize);
    });
    lesson.end();
  }
}
