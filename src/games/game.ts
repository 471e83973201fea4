import type { z } from "zod";
import type { Random } from "../base/random.ts";

/** `State.toMove` when the next action is a chance outcome. */
export const CHANCE = -1;
/** `State.toMove` when the game is over. */
export const TERMINAL = -2;

/**
 * A position, advanced by `apply` and taken back by `undo`. No method allocates, save the growth of
 * a history that has no small bound.
 */
export interface State {
  /** Who decides next: a player (0..players-1), CHANCE or TERMINAL. */
  readonly toMove: number;
  /**
   * Writes the legal actions, ascending and distinct, to out[at...]; returns how many: at least one
   * when a player is to move. Unspecified at CHANCE and TERMINAL.
   */
  legalActions(out: Int32Array, at: number): number;
  /**
   * Writes the chance outcomes and their probabilities (positive, summing to 1) to the two arrays
   * from `at` on; returns how many. Unspecified unless toMove is CHANCE.
   */
  chanceOutcomes(out: Int32Array, probabilities: Float64Array, at: number): number;
  /** Plays a legal action or a chance outcome. Unspecified for any other action: callers check. */
  apply(action: number): void;
  /** Takes the last applied action back. */
  undo(): void;
  /** Reward that `player` has collected so far; the utility once TERMINAL. */
  returns(player: number): number;
  /**
   * 64 bits, as two int32, that identify everything the future depends on: equal positions have
   * equal hashes however they were reached.
   */
  readonly hashLow: number;
  readonly hashHigh: number;
  /** Becomes the position of `other`, a state of the same game. `undo` then reaches back to here only. */
  copyFrom(other: this): void;
}

/**
 * Estimates the final `returns(player)` of a state, rewards collected so far included, in the game's
 * own units. It stays strictly between minReturn and maxReturn, so that a proven result always
 * outweighs an estimate. In two-player zero-sum games the two players' values negate exactly.
 */
export interface Evaluator<S extends State = State> {
  evaluate(state: S, player: number): number;
}

/** An evaluator made by hand. */
export interface Heuristic<S extends State = State> extends Evaluator<S> {
  /** One line for `agon games`: what it looks at, its source. */
  readonly summary: string;
}

/** A ready way to choose an action: from theory, an exact solution or a published program. */
export interface Policy<S extends State = State> {
  /**
   * A legal action for `state.toMove`, a player; the state is left as it was. Of several actions that
   * are equally good any, by `random`, or the first without it; the choice depends on nothing else.
   */
  choose(state: S, random?: Random): number;
}

/** Makes policies of one kind for a game; what is long to compute is computed when one is made, or later. */
export interface PolicyFamily<S extends State = State> {
  /** One line for `agon games`: how it chooses, its source. */
  readonly summary: string;
  create(): Policy<S>;
}

/** Numbers as they lie on a board, for pictures. */
export interface Layout {
  /** Rows from the top, each from the left, all of one length; undefined where there is nothing. */
  readonly rows: readonly (readonly (number | undefined)[])[];
  /** What stands at the board's edges, such as 8 to 1 and a to h. */
  readonly rowNames?: readonly string[];
  readonly columnNames?: readonly string[];
}

/** Features that lie on a board, such as those of one kind of piece by square. */
export interface FeatureGrid extends Layout {
  readonly name: string;
}

/** Maps a state to sparse (index, value) pairs: what linear, n-tuple and network evaluators read. */
export interface FeatureSet<S extends State = State> {
  readonly summary: string;
  /** Bumped when an index changes its meaning, so that older weights are refused. */
  readonly version: number;
  /** Number of distinct features; indexes are 0..size-1. */
  readonly size: number;
  /** Upper bound for the pairs that `extract` writes. */
  readonly maxActive: number;
  /** Every active feature has the value 1, and `extract` leaves `value` alone: its readers fill it once. */
  readonly unit?: boolean;
  /**
   * How the two players' views of one state relate in a two-player zero-sum game. `negated`, the
   * default: each other's negatives, index by index, so that every linear evaluator is antisymmetric.
   * `mirrored`: the same description with the players' roles exchanged (own men on some inputs, the
   * other's on others); its readers see to antisymmetry themselves: they evaluate one player's view
   * and negate it for the other, or take half the difference of both views.
   */
  readonly symmetry?: "negated" | "mirrored";
  /**
   * The player whose view is to be read, in two-player zero-sum games, whoever asks; the other player's
   * value is the negative. Where it is absent: player 0.
   */
  viewer?(state: S): number;
  /**
   * Writes the non-zero features of `state` from `player`'s point of view; returns how many pairs.
   * In two-player zero-sum games the players' values relate as `symmetry` says.
   */
  extract(state: S, player: number, index: Int32Array, value: Float32Array): number;
  /** A name for people, such as `own corner`. */
  describe(index: number): string;
  /** The features that lie on a board; one that stands for several squares is at each of them. */
  readonly grids?: readonly FeatureGrid[];
}

/**
 * How far a game has come, for evaluators that have weights of their own for each stage of it: a whole
 * number from 0 to `max` that tends to rise, such as the discs on the board.
 */
export interface Progress<S extends State = State> {
  /** What is counted. */
  readonly unit: string;
  readonly max: number;
  of(state: S): number;
}

/** A board as n-tuple networks read it: cells, each holding one of a few digits. */
export interface Board<S extends State = State> {
  readonly cells: number;
  /** What a cell may hold: `read` writes 0..digits-1. */
  readonly digits: number;
  /** Symmetries of the game: each maps cell numbers to cell numbers; the identity is among them. */
  readonly symmetries: readonly (readonly number[])[];
  /** By cell: those that touch it, for tuples made by random walks. */
  readonly neighbours: readonly (readonly number[])[];
  /** Where each cell lies. */
  readonly layout?: Layout;
  /** The last cell, off the board, that every tuple looks at besides its own: it may hold whose turn it is. */
  readonly context?: number;
  /** See FeatureSet; absent where the two players' pieces have worths of their own, as in connect four. */
  viewer?(state: S): number;
  /** Writes what each cell holds as `player` sees it. */
  read(state: S, player: number, digits: Uint8Array): void;
  cellName(cell: number): string;
  /** What a digit stands for, such as `x`, for people. */
  digitName(digit: number): string;
}

/** A played game, for the field's own file formats. */
export interface Transcript {
  /** Where it was played, such as a tournament's name, and which game it was there, from 1. */
  readonly event: string;
  readonly round: number;
  /** Who sat in each seat. */
  readonly names: readonly string[];
  /** Every action from the start on, chance outcomes included. */
  readonly actions: readonly number[];
  readonly returns: readonly number[];
  /** How it ended where the rules did not end it, such as `time-out by NAME`; empty otherwise. */
  readonly forfeit: string;
}

/** Writes played games as one file of a format that other programs read. */
export interface TranscriptFormat {
  readonly summary: string;
  write(games: readonly Transcript[]): string;
}

/** A set of rules plus its options, and everything an arena needs to know about them. */
export interface Game<S extends State = State> {
  readonly id: string;
  /** The checked options, with defaults filled in; `{}` where there are none. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Bumped when behaviour changes, so that older results and weights are not mixed with newer. */
  readonly version: number;
  readonly players: number;
  /** Whether CHANCE ever moves. */
  readonly chance: boolean;
  readonly hiddenInformation: boolean;
  /** Whether the players' returns always sum to zero. */
  readonly zeroSum: boolean;
  /** Whether `returns` can change before the end. */
  readonly rewardsAlongTheWay: boolean;
  readonly minReturn: number;
  readonly maxReturn: number;
  /**
   * The final returns that a player may have, ascending, where they are few: what a network may tell the
   * probabilities of. Left out may be rare ones between two others, such as a draw by a limit on turns. In
   * two-player zero-sum games they are each other's negatives.
   */
  readonly outcomes?: readonly number[];
  /** Upper bound for what `legalActions` and `chanceOutcomes` write. */
  readonly maxActions: number;
  /** Upper bound for the decisions by players in one game. */
  readonly maxPlies: number;
  /** A new state at the start of the game. */
  start(): S;
  /** The action in the field's notation; `state` is the position before it. */
  formatAction(action: number, state: S): string;
  /** The inverse, for legal actions and outcomes of `state`; throws InputError, saying what is legal. */
  parseAction(text: string, state: S): number;
  /** The position on one line. */
  formatState(state: S): string;
  /** The inverse; throws InputError for a text that is no position of this game. */
  parseState(text: string): S;
  /** A board for people, several lines. */
  render(state: S): string;
  /** The same with the pieces that Unicode has, for games whose pieces it has. */
  renderUnicode?(state: S): string;
  readonly featureSets: Readonly<Record<string, FeatureSet<S>>>;
  readonly heuristics: Readonly<Record<string, Heuristic<S>>>;
  readonly policies?: Readonly<Record<string, PolicyFamily<S>>>;
  readonly progress?: Progress<S>;
  readonly board?: Board<S>;
  /** The field's file formats for played games, by the usual ending of their names. */
  readonly transcripts?: Readonly<Record<string, TranscriptFormat>>;
}

/** Makes the games of one kind, each from checked options. */
export interface GameFamily<Options extends z.ZodObject = z.ZodObject> {
  readonly id: string;
  /** One line for `agon games`. */
  readonly summary: string;
  /** Schema of the options, each with a default where the game has a usual form. */
  readonly options: Options;
  create(options: z.output<Options>): Game;
}

/** Types a family; the identity function. */
export function defineGame<Options extends z.ZodObject>(family: GameFamily<Options>): GameFamily<Options> {
  return family;
}
