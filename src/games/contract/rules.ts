/** `State.toMove` when chance decides next: dice, a drawn tile. */
export const CHANCE = -1;
/** `State.toMove` when the game is over. */
export const TERMINAL = -2;

/**
 * A position. `apply` changes it in place and `undo` takes the change back. No method allocates memory,
 * except where a history grows that has no small bound.
 */
export interface State {
  /** The player who decides next (0 to players - 1), CHANCE or TERMINAL. */
  readonly toMove: number;
  /**
   * Writes the legal actions to `out`, from index `at` on, and returns their number. They are ascending and
   * distinct, and there is at least one. Called only when a player is to move.
   */
  legalActions(out: Int32Array, at: number): number;
  /**
   * Writes the chance outcomes to `out` and their probabilities to `probabilities`, from index `at` on, and
   * returns their number. Probabilities are positive and sum to 1. Called only when `toMove` is CHANCE: games without
   * chance do not have it.
   */
  chanceOutcomes?(out: Int32Array, probabilities: Float64Array, at: number): number;
  /** Plays a legal action or a chance outcome. It does not check the action: callers do. */
  apply(action: number): void;
  /** Takes the last applied action back. */
  undo(): void;
  /** The reward that `player` has collected so far; at the end, the result. */
  returns(player: number): number;
  /**
   * `hashLow` and `hashHigh`, two int32, identify everything that the future depends on. Equal positions
   * have equal hashes, however they were reached.
   */
  readonly hashLow: number;
  readonly hashHigh: number;
  /** Becomes the position of `other`, a state of the same game. `undo` cannot go back before it. */
  copyFrom(other: this): void;
}

/**
 * The rules of a game, written by its author. The first seven members are required. The defaults of the others are
 * those of a zero-sum game of two players without chance.
 */
export interface Rules<S extends State = State> {
  /** The most numbers that `legalActions` or `chanceOutcomes` ever writes. */
  readonly maxActions: number;
  /** The most decisions by players in one game. */
  readonly maxPlies: number;
  /** Makes a new state at the start of the game. */
  start(): S;
  /**
   * Writes an action or a chance outcome as text, in the notation that players of the game use. `state` is
   * the position before it. Two possible actions of one position have different texts.
   */
  formatAction(action: number, state: S): string;
  /** Writes the position on one line. */
  formatState(state: S): string;
  /** Reads what `formatState` writes; throws InputError for any text that is not a position of this game. */
  parseState(text: string): S;
  /** Draws the board for people, on several lines. */
  render(state: S): string;

  /** Number of players. Default: 2. */
  readonly players?: number;
  /** By player: its team. The players of a team always have equal returns. Default: everybody plays for itself. */
  readonly teams?: readonly number[] | undefined;
  /** True if `toMove` may be CHANCE. Default: false. */
  readonly chance?: boolean;
  /** True if chance decides before the first decision of a player only, as a deal of cards does. Default: false. */
  readonly dealt?: boolean;
  /** True if a player sees less than the whole state. Default: false. */
  readonly hiddenInformation?: boolean;
  /** True if the returns of all players always sum to zero. Default: true. */
  readonly zeroSum?: boolean;
  /** True if `returns` can change before the end, as the score of 2048 does. Default: false. */
  readonly rewardsAlongTheWay?: boolean;
  /** The lowest return that any player can have. Default: -1. */
  readonly minReturn?: number;
  /** The highest return that any player can have. Default: 1. */
  readonly maxReturn?: number;
  /**
   * The final returns that a player may have, ascending, if there are few. A network can then learn the
   * probability of each. A rare one that lies between two others may be left out, such as a draw by a limit
   * on turns. In a duel the list holds the negative of each of its members. Default: not known.
   */
  readonly outcomes?: readonly number[] | undefined;
  /**
   * The inverse of `formatAction`, for the possible actions of `state`; throws InputError that lists them.
   * Default: `parseLegal`, which compares the text with `formatAction` of each. Write it to allow other
   * spellings, or where there are very many actions.
   */
  parseAction?(text: string, state: S): number;
  /**
   * The reason for which a finished game is over, in a few words without the winner, such as `stalemate`; undefined if
   * the result says enough. Called only when `toMove` is TERMINAL. Default: no reasons.
   */
  describeEnding?(state: S): string | undefined;
  /**
   * False if no sequence of legal actions leads from the state to a win of `player`. A flag that falls against such a player
   * is a draw. Called in games of two players that are not over. Default: everybody can win.
   */
  canWin?(state: S, player: number): boolean;
  /** The number of plies before a position, where its notation counts them; lists of moves go on from there. Default: not known. */
  plyOf?(state: S): number;
  /** Draws the board with pieces from Unicode. Default: absent. */
  renderUnicode?(state: S): string;
  /** By player: the characters of the player's pieces in both drawings, which may be coloured. Default: not known. */
  readonly pieces?: readonly string[];
  /** The positions that games may begin at by the rules, in the game's notation; openings draw them. Default: the start alone. */
  readonly starts?: readonly string[] | undefined;
  /** The options in one fixed form, if the rules fill in some of them. Default: the options as they were checked. */
  readonly options?: Readonly<Record<string, unknown>>;
}
