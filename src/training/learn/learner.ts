import type { State } from "../../games/game.ts";

/** Tunes an evaluator from the positions of games, one game at a time. */
export interface Learner {
  /** Positions learnt from so far. */
  steps: number;
  /** Share of each error that is corrected; set from game to game. */
  stepSize: number;
  /** What it needs besides the evaluator's weights to go on where it stands between two games, by name. */
  readonly memory: Readonly<Record<string, Float32Array>>;
  /** Takes over the `memory` of a learner like this one. */
  restore(memory: Readonly<Record<string, Float32Array>>): void;
  /** A game begins at `state`; nothing that follows is credited to what came before. */
  begin(state: State): void;
  /**
   * `state`, where the game goes on, is what an action by the player `by`, or with CHANCE a chance outcome,
   * led to. `explored`: it was a random move, which says little about the worth of the positions before.
   * `isHeld`: the evaluator holds its reading of `state`, by these weights. Throws DivergenceError.
   */
  observe(state: State, by: number, explored: boolean, isHeld?: boolean): void;
  /** The game is over at `state`, TERMINAL; `explored` as in `observe`. */
  end(state: State, explored: boolean): void;
}

/** The weights have left all bounds: a sum or a weight is no longer a finite number. */
export class DivergenceError extends Error {
  readonly step: number;

  constructor(step: number, details = "") {
    super(`the weights diverged at step ${step}${details === "" ? "" : ` ${details}`}`);
    this.name = "DivergenceError";
    this.step = step;
  }
}
