import type { Problem } from "../../base/errors.ts";
import type { Random } from "../../base/random.ts";
import type { Thought } from "../../base/thought.ts";
import type { BookFormat } from "./books.ts";
import type { Picture } from "./picture.ts";
import type { Privacy } from "./privacy.ts";
import type { State } from "./rules.ts";
import type { DecisiveMoves, Solving, Tactics } from "./tactics.ts";

/** Facets of a game besides its rules. All of them are optional: a game of pure rules can be played. */
export interface Facets<S extends State = State> {
  /** Feature sets by name; learned evaluators read them. */
  readonly featureSets?: Readonly<Record<string, FeatureSet<S>>>;
  /** Evaluators made by hand, by name. */
  readonly heuristics?: Readonly<Record<string, Heuristic<S>>>;
  /** Ready ways to choose an action, by name; the agent `policy` plays them. */
  readonly policies?: Readonly<Record<string, PolicyFamily<S>>>;
  /** File formats for played games that other programs read, by the usual ending of their file names. */
  readonly transcripts?: Readonly<Record<string, TranscriptFormat>>;
  /** File formats for opening books of other programs, by the ending of their file names. */
  readonly books?: Readonly<Record<string, BookFormat<S>>>;
  /** The notations of protocols between programs and engines, by the protocol: `uci`. */
  readonly protocols?: Readonly<Record<string, ProtocolNotation<S>>>;
  /** The stage that a game has reached. */
  readonly phase?: Phase<S> | undefined;
  /** The board as n-tuple networks read it. */
  readonly tupleBoard?: TupleBoard<S> | undefined;
  /** The actions that searches try first, and those that they follow beyond their depth. */
  readonly tactics?: Tactics<S> | undefined;
  /** Proofs of results, found sooner than by searching on. */
  readonly solving?: Solving<S> | undefined;
  /** Makes a solver of positions, for `agon positions --against solver`. */
  readonly solver?: (() => ExactValues<S>) | undefined;
  /** The actions that win at once, or may prevent a loss at once. */
  readonly decisiveMoves?: DecisiveMoves<S> | undefined;
  /** The drawing of positions; without it they are shown as text. */
  readonly picture?: Picture<S> | undefined;
  /** Numbers of the positions with few pieces, for endgame tables. */
  readonly endgames?: Endgames<S> | undefined;
  /** The numbers of actions that policies of networks have outputs for. */
  readonly policyHead?: PolicyHead<S> | undefined;
  /** Merges information states that are alike, for solving a game that is too large to be solved whole. */
  readonly abstraction?: Abstraction<S> | undefined;
  /** The kinds of actions that reports count for each entrant. */
  readonly deeds?: Deeds<S> | undefined;
  /** The knowledge of each player: exactly in games that declare hidden information. */
  readonly privacy?: Privacy<S> | undefined;
}

/** Kinds of actions that tell how somebody plays, such as offers of an alliance. */
interface Deeds<S extends State = State> {
  /** Their names, which are heads of columns. */
  readonly kinds: readonly string[];
  /** The number of the kind of a legal action for the player to move, from 0; -1 if it is of none. */
  kindOf(action: number, state: S): number;
}

/** Information states that share a policy. Chance must not depend on what players do, as where cards are dealt from one pack. */
export interface Abstraction<S extends State = State> {
  readonly summary: string;
  /** @param buckets the number of steps of whatever is measured, at least 1 */
  create(buckets: number): Merging<S>;
}

/** Names information states. */
export interface Merging<S extends State = State> {
  /**
   * The key of the player to move, which follows from what it knows: states with the same key share a policy, and have the same
   * legal actions.
   */
  keyOf(state: S): string;
}

/**
 * Estimates the final `returns(player)` of a state, with the rewards collected so far, in the game's own
 * units. The value lies strictly between minReturn and maxReturn, so that a proven result always counts
 * more than an estimate. In duels (`isDuel`) the values of the two players negate exactly.
 */
export interface Evaluator<S extends State = State> {
  evaluate(state: S, player: number): number;
  /**
   * An upper bound of the value for `player` of `state` and of each position that follows within `plies` plies, returns
   * included. A closer bound lets searches with chance events leave out more. Default: maxReturn.
   */
  atMost?(state: S, player: number, plies: number): number;
  /**
   * Writes the logit of each legal action at actions[at...end-1] for the player to move to the same index of `out`. Searches
   * ask for it right after the value of the same position. Absent: no policy.
   */
  prefer?(state: S, actions: Int32Array, at: number, end: number, out: Float32Array): void;
}

/** The numbers of a game's actions, as the player to move sees them: a network's policy has an output for each. */
export interface PolicyHead<S extends State = State> {
  /** Increased when a number changes its meaning, so that older weights are refused. */
  readonly version: number;
  /** Numbers are 0 to size - 1. */
  readonly size: number;
  /** The number of a legal action at `state`; no two legal actions share one. */
  index(action: number, state: S): number;
  /** By image of a position, in the order of FeatureSet.images: the number that each number becomes. */
  readonly images?: readonly Int32Array[];
}

/** Solves positions. */
export interface ExactValues<S extends State = State> {
  /** The return of `player` if everybody plays best from here on, with all open. Called where a player is to move. */
  value(state: S, player: number): number;
}

/** An evaluator made by hand. */
export interface Heuristic<S extends State = State> extends Evaluator<S> {
  /** One line for `agon games`: the traits of a position that count, and the source. */
  readonly summary: string;
}

/** A ready way to choose an action: theory, an exact solution or a published program. */
export interface Policy<S extends State = State> {
  /**
   * Returns a legal action for the player `state.toMove` and leaves the state as it was. `random` picks one of several
   * equally good actions; without `random` the first is returned. Nothing else influences the choice.
   */
  choose(state: S, random?: Random): number;
  /**
   * Writes how promising each legal action at actions[at...end-1] looks to the same index of `out`: 0 to 255, 128 for an
   * action of which nothing is known. MCTS takes it for results that it has seen already.
   */
  promises?(state: S, actions: Int32Array, at: number, end: number, out: Int32Array): void;
}

/** Makes policies of one kind. Long calculations happen in `create` or later. */
export interface PolicyFamily<S extends State = State> {
  /** One line for `agon games`: the way of choosing, and its source. */
  readonly summary: string;
  create(): Policy<S>;
}

/** Numbers by their place on a board, for pictures. */
export interface Layout {
  /** Rows from the top, each from the left, all of one length; undefined where there is nothing. */
  readonly rows: readonly (readonly (number | undefined)[])[];
  /** Labels at the edges of the board, such as 8 to 1 and a to h. */
  readonly rowNames?: readonly string[];
  readonly columnNames?: readonly string[];
}

/** Features by their place on a board, such as those of one kind of piece. */
export interface FeatureGrid extends Layout {
  readonly name: string;
}

/** Maps a state to sparse pairs (index, value). Linear, n-tuple and network evaluators read them. */
export interface FeatureSet<S extends State = State> {
  readonly summary: string;
  /** Increased when an index changes its meaning, so that older weights are refused. */
  readonly version: number;
  /** Number of distinct features; indexes are 0 to size - 1. */
  readonly size: number;
  /** The most pairs that `extract` writes. */
  readonly maxActive: number;
  /** True if every active feature has the value 1. Then `extract` does not write `value`: its readers fill it once. */
  readonly unit?: boolean;
  /**
   * The relation of the two players' views of one state in a duel. `negated`, the default: the values of one view are
   * the negatives of the other's, index by index, so that every linear evaluator is antisymmetric. `mirrored`: both
   * views describe the state in the same way with the players exchanged (own men on some inputs, the other player's men
   * on others). Readers of a mirrored set make their values antisymmetric themselves: they evaluate one player's view
   * and negate it for the other, or they take half the difference of both views.
   */
  readonly symmetry?: "negated" | "mirrored";
  /**
   * The player whose view is read in a duel, for both players: the other player's value is the negative. Default:
   * player 0.
   */
  viewer?(state: S): number;
  /**
   * Writes the non-zero features of `state` from `player`'s point of view and returns the number of pairs.
   * In duels the two views relate as `symmetry` says.
   */
  extract(state: S, player: number, index: Int32Array, value: Float32Array): number;
  /**
   * The sum over the pairs of `extract` of weights[offset + index] * value, up to rounding: linear evaluators read it in
   * searches, for speed. They do not where `symmetry` is mirrored.
   */
  weigh?(state: S, player: number, weights: Float32Array, offset: number): number;
  /**
   * By image of a position, such as its mirror image, which is worth the same: the feature that each feature becomes. Learners
   * of policies show networks the images too. Default: none.
   */
  readonly images?: readonly Int32Array[];
  /** A name for people, such as `own corner`. */
  describe(index: number): string;
  /** The group that a feature belongs to, such as `king safety`. Default: no groups. */
  groupOf?(index: number): string;
  /**
   * The kinds of pieces, the pawn or man first: the features that count them, player's less the other's. With one for each
   * square a piece has one of them.
   */
  readonly pieces?: readonly { readonly name: string; readonly features: readonly number[] }[];
  /** The features that have a place on a board. A feature that stands for several squares is at each of them. */
  readonly grids?: readonly FeatureGrid[];
}

/** Actions and positions as one protocol writes them. */
export interface ProtocolNotation<S extends State = State> {
  formatAction(action: number, state: S): string;
  /** The legal action that a text names; undefined if it names none. */
  parseAction(text: string, state: S): number | undefined;
  /** The position without the play that led to it. `Game.parseState` reads it. */
  formatState(state: S): string;
  /** The options that have a program play this game and no other, by name. [none] */
  readonly settings?: Readonly<Record<string, boolean | string>>;
}

/**
 * The stage that a game has reached: a whole number from 0 to `max` that tends to rise, such as the discs on the board.
 * Evaluators with weights for several stages of a game read it.
 */
export interface Phase<S extends State = State> {
  /** The name of the things that are counted. */
  readonly unit: string;
  readonly max: number;
  of(state: S): number;
}

/** A board as n-tuple networks read it: numbered cells, each of which holds a digit. */
export interface TupleBoard<S extends State = State> {
  readonly cells: number;
  /** Number of different digits: `read` writes 0 to digits - 1. */
  readonly digits: number;
  /** Symmetries of the game. Each maps cell numbers to cell numbers; the identity is one of them. */
  readonly symmetries: readonly (readonly number[])[];
  /** By cell: the cells that touch it. Random walks go along them. */
  readonly neighbours: readonly (readonly number[])[];
  /** The place of each cell. */
  readonly layout?: Layout;
  /** A cell off the board, the last one, that belongs to every tuple. It may hold whose turn it is. */
  readonly context?: number;
  /** See FeatureSet. Left out where the digits tell the players' pieces apart, as in connect four. */
  viewer?(state: S): number;
  /** Sets of tuples that know the game, by name; configs of trainings name them. */
  readonly tupleSets?: Readonly<Record<string, TupleSet>>;
  /** Writes the digit of each cell as `player` sees it. */
  read(state: S, player: number, digits: Uint8Array): void;
  /** The same, for speed: groups of cells, such as rows, in which nothing has changed are not read. */
  readonly groups?: TupleGroups<S> | undefined;
  cellName(cell: number): string;
  /** The meaning of a digit for people, such as `x`. */
  digitName(digit: number): string;
}

/** A named set of tuples. */
export interface TupleSet {
  readonly summary: string;
  readonly tuples: readonly TupleShape[];
}

/** The cells of a tuple, or a straight line or a block of cells, which makes a tuple wherever it fits. */
export type TupleShape = readonly number[] | (PlacedShape & { readonly with?: TupleNeighbours | undefined });

type PlacedShape = { readonly lines: number } | { readonly rows: number; readonly columns: number };

/** The neighbours that each cell of a placed shape brings into its tuple, where the board has them. */
export type TupleNeighbours = "below" | "above" | "beside" | "around";

/** The cells of a TupleBoard in groups. The digits of a group's cells follow from one number, its key. */
export interface TupleGroups<S extends State = State> {
  /** By group: its cells. Each cell is in one group, and a context alone in its own. */
  readonly cells: readonly (readonly number[])[];
  /** Writes the key of each group, as `player` sees it. */
  keys(state: S, player: number, keys: Int32Array): void;
  /** Writes the digits of a group's cells, whose key is `key`. */
  read(group: number, key: number, digits: Uint8Array): void;
}

/**
 * The endgames of a game: classes of positions with few pieces, and numbers for the positions of a class. Endgame
 * tables are built and read by these numbers. The numbers leave out the plies since the last progress and the earlier
 * positions: `isSafe` answers for them.
 */
export interface Endgames<S extends State = State> {
  /** One line for people: the names of classes, such as `KQK`, and the most pieces. */
  readonly summary: string;
  /** Increased when a number changes its meaning, so that older tables are refused. */
  readonly version: number;
  /** A state to place positions in. No rule draws its games by counting moves or repetitions. */
  createState(): S;
  /** The class called `name`; throws InputError, which lists the allowed names. */
  classNamed(name: string): EndgameClass<S>;
  /** The key of the class that a position belongs to; -1 if it belongs to none. Searches call this often. */
  keyOf(state: S): number;
  /**
   * True if a win or loss that is `plies` away stays one under the rules that draw by counting, after the moves of
   * `state`. Draws are never asked about: those rules take no draw away.
   */
  isSafe(state: S, plies: number): boolean;
}

/** All positions with the same pieces. Positions that are alike by symmetry share a number. */
export interface EndgameClass<S extends State = State> {
  readonly name: string;
  /** A whole number from 0 on, different for each class of the game. */
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

/** A played game, to be written in a file format of other programs. */
export interface Transcript {
  /** The tournament or other event that the game belongs to. */
  readonly event: string;
  /** The number of the game in the event, from 1. */
  readonly round: number;
  /** The names of the players, by player. */
  readonly names: readonly string[];
  /** The position that it began at, as `formatState` writes it; absent: the start of the game. */
  readonly from?: string;
  /** Every action, with the chance outcomes. */
  readonly actions: readonly number[];
  /** The returns by player; empty if the game was left before its end. */
  readonly returns: readonly number[];
  /** The reason why the game ended before the rules ended it, such as `time-out by NAME`; otherwise empty. */
  readonly forfeit: string;
  /** The sentence about the adjudication that ended the game before the rules did; absent without one. */
  readonly adjudication?: string | undefined;
  /**
   * The agent's thought behind each action; undefined for actions that no agent chose. Absent if no thoughts are known.
   */
  readonly thoughts?: readonly (Thought | undefined)[] | undefined;
  /** The number of its block in the event, and its number in the block, both from 1. */
  readonly block?: readonly [number, number];
  /** The number of actions that were played before the players took over. */
  readonly openingLength?: number;
  /** The time control of each player, such as `10+0.1`; `-` without clocks. */
  readonly timeControls?: readonly string[];
  /** The time at which the event ended. */
  readonly date?: Date | undefined;
  /** The id of the game, and the seed of its event. */
  readonly id?: string;
  readonly seed?: string;
  /** The game's end, such as `finished`. */
  readonly ending?: string;
  /** The program that played the event, and the day. */
  readonly program?: string | undefined;
}

/** A played game as it is read from a file, without the names of its players; `from` is missing at the start. */
export interface PlayedGame extends Pick<Transcript, "from" | "actions" | "returns"> {
  /** By action: the value that the file gives the position before it, for the player to move. Absent if it gives none. */
  readonly values?: readonly (number | undefined)[];
}

/** Writes played games, which began at the start, as one file in a format that other programs read. */
export interface TranscriptFormat {
  readonly summary: string;
  /** True if it writes games that began at a position of their own, as `Transcript.from` says [false]. */
  readonly writesFrom?: boolean;
  /** The text of the file in pieces, each when it is asked for, so that large files need no memory. */
  write(games: Iterable<Transcript>): Iterable<string>;
  /**
   * Reads the games of such a file one by one, of each the first `plies` decisions [all]. A problem stands for a game that
   * cannot be read, or for a part of the file that belongs to none; its path tells the line. Absent if the format is only
   * written.
   */
  read?(text: string, plies?: number): Iterable<PlayedGame | Problem>;
}

/**
 * Makes a policy that takes an action of the highest worth. `worth` returns the worth of a legal action for
 * the player to move and leaves the state as it was.
 */
export function takeBest<S extends State>(
  maxActions: number,
  worth: (state: S, action: number) => number,
): Policy<S> {
  const actions = new Int32Array(maxActions);
  return {
    choose(state, random) {
      const count = state.legalActions(actions, 0);
      let best = -Infinity;
      let choice = actions[0];
      let equals = 0;
      for (let at = 0; at < count; at++) {
        const value = worth(state, actions[at]);
        if (value > best) {
          best = value;
          equals = 0;
        }
        // The n-th of several equals replaces the choice with probability 1/n: in the end all are as likely.
        if (value === best && (equals++ === 0 || random?.below(equals) === 0)) choice = actions[at];
      }
      return choice;
    },
  };
}
