import type { State } from "./rules.ts";

/*
 * The facets that searches ask while they search. A method is called only when a player is to move. It leaves the state
 * as it was, and allocates nothing.
 */

/**
 * Tells noisy actions, which change an evaluation at once as captures do, from quiet ones. Alpha-beta goes on along the
 * noisy ones where its depth ends (quiescence), and tries those first that gain most.
 */
export interface Tactics<S extends State = State> {
  /** One line for `agon games`: the noisy actions. */
  readonly summary: string;
  /**
   * True if the player to move has to react, to a check for example. Then `noisyActions` writes every action that can be
   * best, and at least one.
   */
  isForced(state: S): boolean;
  /** Writes the noisy legal actions to `out`, from index `at` on, and returns their number. */
  noisyActions(state: S, out: Int32Array, at: number): number;
  /**
   * Returns the gain of a legal action: 0 for a quiet action, a positive int32 for a noisy one that loses nothing, a
   * negative one for a noisy one that loses more than it wins. Its size is less than 2 ** 20. A noisy action with 0 is
   * ordered by `promises` and by what the search remembers.
   */
  gain(state: S, action: number): number;
  /**
   * Writes how promising each legal action at actions[at...end-1] looks to the same index of `out`: 0 to 255, or a
   * negative number for an action that loses. Searches try the most promising first. Left out where only a search can
   * tell.
   */
  promises?(state: S, actions: Int32Array, at: number, end: number, out: Int32Array): void;
  /**
   * A quiet ply rarely changes an evaluation by the game's heuristics by more than this, in the game's units. Near the
   * end of its depth a search gives up positions that are farther outside its window (futility). Default: 0, never.
   */
  readonly futility?: number;
  /**
   * True if a search goes one ply deeper along actions that force the other player to react (check extensions;
   * Anantharaman 1991), and never gives them up by futility. Default: false.
   */
  readonly extends?: boolean;
  /** Passes the turn in a search (null move). Left out where having to move is often bad (zugzwang). */
  readonly pass?: Pass<S>;
}

/** Passes the turn, which is no action of the game. */
export interface Pass<S extends State = State> {
  /** True if a second move in a row surely helps the player to move; false in check and near zugzwang. */
  isSafe(state: S): boolean;
  apply(state: S): void;
  /** Takes `apply` back. */
  undo(state: S): void;
}

/** Proves results without visiting all that follows. For duels without chance. */
export interface Solving<S extends State = State> {
  /** Proves results a few plies ahead. Alpha-beta asks it wherever it goes on along noisy actions, and with `solve`. */
  readonly foresight?: Foresight<S>;
  /** Searches the last plies for alpha-beta with `solve`. */
  readonly finish?: Finish<S>;
}

/** Certain knowledge about a position without a search. */
export interface Foresight<S extends State = State> {
  /**
   * Returns the plies in which the player to move wins; as a negative number, those in which it loses; 0 if neither is
   * known.
   */
  foresee(state: S): number;
  /** The fewest plies in which the player to move can win where `foresee` is 0. The other player needs one more. */
  readonly soonest: number;
  /** Writes the legal actions that can be best where `foresee` is 0, as `noisyActions` does; at least one. */
  candidates(state: S, out: Int32Array, at: number): number;
}

/** Searches positions near the end of a game faster than a search that knows the game by its states alone. */
export interface Finish<S extends State = State> {
  /** True if so little is left of the game that `value` takes no longer than some ten thousand nodes. */
  isNear(state: S): boolean;
  /**
   * Returns the return of the player to move with best play, which comes at the end. It is exact if it lies between
   * `alpha` and `beta`; otherwise it is a bound: not above alpha and not less than the true value, or not below beta
   * and not more.
   */
  value(state: S, alpha: number, beta: number): number;
  /** The positions that the last call of `value` visited, the given one included. */
  readonly nodes: number;
}

/** Decisive and anti-decisive moves (Teytaud and Teytaud 2010), for duels without chance. MCTS tries them alone. */
export interface DecisiveMoves<S extends State = State> {
  /**
   * Keeps the decisive ones of the legal actions `actions[0..count-1]`, in their order, and returns their number. If
   * actions win at once, it keeps some of them. Else, if the other player threatens to win with the next action, it keeps
   * those that may prevent it: every other one loses at once. It keeps all where no move is decisive.
   */
  keep(state: S, actions: Int32Array, count: number): number;
}
