import type { SearchedTree } from "../../agents/alpha-beta/searched-tree.ts";
import type { SearchReport } from "../../agents/search-report.ts";
import { CHANCE, TERMINAL, type Game, type State } from "../../games/contract/game.ts";
import type { Learner } from "../learn/learner.ts";
import type { StartPositions } from "./start-positions.ts";

/** The moves of games: of players who decide now, or of games that were recorded. */
export interface Moves {
  /** True if the last move was exploration, after which the position before it learns nothing. */
  readonly explored: boolean;
  /** True if the evaluator that learns holds its features of the position after the last move. */
  readonly holds: boolean;
  /** The principal variation of the last decision and the position at its end, where an agent searches; else empty. */
  readonly line: readonly number[];
  readonly leaf: State | undefined;
  /**
   * The tree of the last decision, or what it found, empty if its player is an opponent; undefined where nobody
   * learns from searches.
   */
  readonly tree: SearchedTree | SearchReport | undefined;
  /** A game begins. */
  begin(): void;
  /** Returns the action of the player to move, or the outcome of the chance event; leaves `state` as it was. */
  next(state: State): number;
}

/** Hears of every move of a game. */
export interface Listener {
  begin(state: State): void;
  /** `action`, the last of `moves`, is about to be made in `state`. */
  before(state: State, action: number, moves: Moves): void;
  /** The player `by`, or CHANCE, has made the last of `moves`; it led to `state`. */
  after(state: State, by: number, moves: Moves): void;
}

/** Plays games of self-play: one source makes the moves of all players, one listener hears of them. */
export class SelfPlay {
  /** Decisions by players so far, without the random plies of openings. */
  decisions = 0;
  private readonly state: State;
  private readonly starts: StartPositions;
  private readonly moves: Moves;
  private readonly listener: Listener;

  constructor(
    game: Game,
    { starts, moves, listener }: { starts: StartPositions; moves: Moves; listener: Listener },
  ) {
    this.state = game.start();
    this.starts = starts;
    this.moves = moves;
    this.listener = listener;
  }

  playGame(): void {
    const { state, starts, moves, listener } = this;
    starts.setUp(state);
    moves.begin();
    listener.begin(state);
    while (state.toMove !== TERMINAL) {
      const by = state.toMove;
      const action = moves.next(state);
      if (by !== CHANCE) this.decisions++;
      listener.before(state, action, moves);
      state.apply(action);
      listener.after(state, by, moves);
    }
  }
}

/** Shows a learner every position of a game. */
export class PositionListener implements Listener {
  private readonly learner: Learner;

  constructor(learner: Learner) {
    this.learner = learner;
  }

  begin(state: State): void {
    this.learner.begin(state);
  }

  before(): void {}

  after(state: State, by: number, { explored, holds }: Moves): void {
    if (state.toMove === TERMINAL) this.learner.end(state, explored);
    else this.learner.observe(state, by, explored, holds);
  }
}

/** Shows a learner the tree of each decision (TreeStrap), or what it found (expert iteration). */
export class TreeListener implements Listener {
  private readonly learner: Learner;

  constructor(learner: Learner) {
    this.learner = learner;
  }

  begin(state: State): void {
    this.learner.begin(state);
  }

  before(state: State, _: number, { tree }: Moves): void {
    if (tree !== undefined && tree.length > 0 && state.toMove !== CHANCE) this.learner.study!(state, tree);
  }

  after(state: State): void {
    if (state.toMove === TERMINAL) this.learner.end(state, false);
  }
}

/** Shows a learner the leaf of each decision instead of the position (TDLeaf), and the end of the game. */
export class LeafListener implements Listener {
  private readonly learner: Learner;
  /** True if the last decision was exploration. */
  private explored = false;

  constructor(learner: Learner) {
    this.learner = learner;
  }

  begin(state: State): void {
    this.explored = false;
    this.learner.begin(state);
  }

  before(state: State, _: number, { leaf, explored }: Moves): void {
    if (state.toMove === CHANCE) return;
    this.learner.observe(leaf!, state.toMove, this.explored);
    this.explored = explored;
  }

  after(state: State): void {
    if (state.toMove === TERMINAL) this.learner.end(state, this.explored);
  }
}
