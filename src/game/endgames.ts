import type { State } from "./rules.ts";

/**
 * The endgames of a game: how positions with few pieces fall into classes, and how the positions of a class are
 * numbered. Endgame tables are built and looked up by it. The numbers leave out what `isSafe` answers for: how long
 * ago the last progress was, and what has occurred before.
 */
export interface Endgames<S extends State = State> {
  /** One line for people: how classes are named, such as `KQK`, and the most pieces. */
  readonly summary: string;
  /** Increased when a number changes its meaning, so that older tables are refused. */
  readonly version: number;
  /** A state to place positions in. No rule draws its games by counting moves or repetitions. */
  createState(): S;
  /** The class of that name; throws InputError, which says what is allowed. */
  classNamed(name: string): EndgameClass<S>;
  /** The key of the class that a position belongs to; -1 if none has it. It must be fast: searches call it often. */
  keyOf(state: S): number;
  /**
   * Whether a result that is `plies` away without rules that draw by counting is the result here too, under the
   * rules and after the moves of `state`. A draw needs no such question: those rules take no draw away.
   */
  isSafe(state: S, plies: number): boolean;
}

/** All positions with the same pieces. Positions that are alike by symmetry share a number. */
export interface EndgameClass<S extends State = State> {
  readonly name: string;
  /** A whole number from 0 on, another one for each class of the game. */
  readonly key: number;
  /** Numbers are 0 to size - 1. Some of them may stand for no position. */
  readonly size: number;
  /** The names of the other classes that one move may lead to. */
  readonly leadsTo: readonly string[];
  /** Makes `state`, which came from `createState`, the position of that number; false if there is none. */
  place(state: S, index: number): boolean;
  /** The number of a position of this class. */
  indexOf(state: S): number;
}
