import type { SearchedTree } from "../../agents/alpha-beta/searched-tree.ts";
import type { SearchReport } from "../../agents/search-report.ts";
import type { Losses } from "../../ratings/sections/curve.ts";
import type { State } from "../../games/contract/game.ts";
import type { ChangedRows } from "./update-rule.ts";

/** The temporal-difference errors of the steps that were learned from, in the game's units. */
export interface ErrorTally {
  count: number;
  /** Sum of the squares. */
  squares: number;
}

/** The root of the mean square of the errors; undefined if there were none. */
export function rootMeanSquare({ count, squares }: ErrorTally): number | undefined {
  return count === 0 ? undefined : Math.sqrt(squares / count);
}

/** Tunes an evaluator from the positions of games, one game at a time. */
export interface Learner {
  /** Positions learned from so far. */
  steps: number;
  /** Share of each error that is corrected; set anew for each game. */
  stepSize: number;
  /**
   * The player whose moves an opponent made, with older weights or as another agent; set anew for each game. Its positions and, unless the game is a
   * duel, its lesson are left out: positions before its moves learn from the position after the next move of another.
   */
  opponentSeat?: number | undefined;
  /** The errors so far; the caller sets them back. They do not influence learning. */
  readonly errors: ErrorTally;
  /** The learner's state between two games besides the evaluator's weights, by name. */
  readonly memory: Readonly<Record<string, Float32Array>>;
  /** The weights that have changed in a round; undefined if all of them change. */
  readonly changed?: ChangedRows | undefined;
  /** Copies the `memory` of a learner of the same kind; throws if an array is missing or too long. */
  restore(memory: Readonly<Record<string, Float32Array>>): void;
  /** A game begins at `state`. */
  begin(state: State): void;
  /**
   * The game has come to `state`, which is no end, by an action of the player `by`, or by a chance outcome (CHANCE).
   * `explored`: the action was a random one, after which the position before it learns nothing. `isHeld`: the
   * evaluator holds its reading of `state`, with the present weights. Throws DivergenceError.
   */
  observe(state: State, by: number, explored: boolean, isHeld?: boolean): void;
  /**
   * The player to move at `state` has searched; `tree` has the positions and their values, or what was found.
   * Only for rules that learn from searches. Throws DivergenceError.
   */
  study?(state: State, tree: SearchedTree | SearchReport): void;
  /** A round is over, or the training, where it learns in rounds: actors are given the weights then. Throws DivergenceError. */
  endRound?(): void;
  /** The losses of the present weights; undefined before anything was learned. They do not influence learning. */
  losses?(): Losses | undefined;
  /** The game is over at `state`; `explored` as in `observe`. Throws DivergenceError. */
  end(state: State, explored: boolean): void;
}

/** Copies the arrays of a saved memory into those of the same names; throws RangeError if one is missing or has another length. */
export function restoreArrays(
  arrays: Readonly<Record<string, Float32Array>>,
  memory: Readonly<Record<string, Float32Array>>,
): void {
  for (const [name, array] of Object.entries(arrays)) {
    const saved = memory[name];
    if (saved?.length !== array.length)
      throw new RangeError(`${name} has ${saved?.length ?? 0} numbers where ${array.length} are wanted`);
    array.set(saved);
  }
}

/** Training failed: a weight, or a sum of weights, is no longer a finite number. */
export class DivergenceError extends Error {
  /** Positions learned from before it was noticed. */
  readonly step: number;

  constructor(step: number, details = "") {
    super(`the weights diverged at step ${step}${details === "" ? "" : ` ${details}`}`);
    this.name = "DivergenceError";
    this.step = step;
  }
}
