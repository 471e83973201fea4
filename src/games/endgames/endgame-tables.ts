import {
  type EndgameClass,
  type Endgames,
  type Game,
  type State,
  TERMINAL,
  varyGame,
  notDeterministicDuel,
} from "../contract/game.ts";
import { InputError } from "../../base/errors.ts";

/** Tables that know the results of some positions of one game. */
export interface EndgameTables<S extends State = State> {
  /** The distance of a position in which a player is to move, or UNKNOWN; see distance.ts. */
  probe(state: S): number;
}

/** The distances of all positions of one class, by their number. Numbers without a position have any value. */
export interface ClassTable<S extends State = State> {
  readonly of: EndgameClass<S>;
  readonly distances: Int16Array;
}

/** The numbers of won, drawn and lost positions of a table, and the most plies to a win or a loss. */
export interface TableCounts {
  readonly wins: number;
  readonly draws: number;
  readonly losses: number;
  readonly longest: number;
}

/** Counts distances, without those that are UNKNOWN. */
export function countDistances(distances: Int16Array): TableCounts {
  const counts = { wins: 0, draws: 0, losses: 0, longest: 0 };
  for (const distance of distances) {
    if (distance === UNKNOWN) continue;
    if (distance > 0) counts.wins++;
    else if (distance < 0) counts.losses++;
    else counts.draws++;
    counts.longest = Math.max(counts.longest, Math.abs(distance));
  }
  return counts;
}

/** The endgame tables of some classes of a game. */
export class ClassTables<S extends State = State> implements EndgameTables<S> {
  private readonly endgames: Endgames<S>;
  private readonly byKey = new Map<number, ClassTable<S>>();

  constructor(endgames: Endgames<S>, tables: Iterable<ClassTable<S>> = []) {
    this.endgames = endgames;
    for (const table of tables) this.add(table);
  }

  add(table: ClassTable<S>): void {
    this.byKey.set(table.of.key, table);
  }

  /** A win or a loss is UNKNOWN where a rule of the game, such as the 50-move rule, might spoil it. */
  probe(state: S): number {
    const key = this.endgames.keyOf(state);
    if (key < 0) return UNKNOWN;
    const table = this.byKey.get(key);
    if (table === undefined) return UNKNOWN;
    const distance = table.distances[table.of.indexOf(state)];
    return distance === 0 || this.endgames.isSafe(state, Math.abs(distance)) ? distance : UNKNOWN;
  }
}

/** The trait that keeps a game from having endgame tables; undefined if the game can have them. */
export function unsupportedByTables(game: Game): string | undefined {
  return notDeterministicDuel(game) ?? (game.rewardsAlongTheWay ? "rewards along the way" : undefined);
}

/*
 * A distance is the result of a position under perfect play, for the player to move, as one whole number: n > 0 is a win
 * after n plies, -n a loss after n plies, 0 a draw. Its sign is what the field calls WDL. The winner wins as soon as
 * possible; the loser loses as late as possible. The game has no chance. A finished game has no distance: its result is
 * in its returns.
 */

/** Stands for the distance of a position that no table knows. */
export const UNKNOWN = 0x7fff;

/** The greatest distance in plies that tables keep. */
export const MOST_PLIES = 0x7ffe;

/**
 * The distance for the player who moves, one ply before a position with `distance`.
 * @param isSame whether the same player moves in both positions
 */
export function oneEarlier(distance: number, isSame: boolean): number {
  const mine = isSame ? distance : 0 - distance;
  return mine > 0 ? mine + 1 : mine < 0 ? mine - 1 : 0;
}

/** True if the player to move prefers distance `one` to distance `other`. */
export function isBetter(one: number, other: number): boolean {
  return rank(one) > rank(other);
}

/** Ranks quick wins first, then slow wins, draws, slow losses, and quick losses last. */
function rank(distance: number): number {
  return distance === 0 ? 0 : (distance > 0 ? MOST_PLIES + 1 : -MOST_PLIES - 1) - distance;
}

/** A state whose game may have ended because the tables know its result. */
interface EndingState extends State {
  toMove: number;
  /** The distance for `decider` if the tables ended the game; otherwise UNKNOWN. */
  distance: number;
  /** The player to move in the position that the tables know. */
  decider: number;
}

/**
 * Returns the same game, but over as soon as an action reaches a position that endgame tables know: then `toMove` is
 * TERMINAL, and `returns` is the result. So every search uses the tables, and a search without them pays nothing. A
 * position made by `copyFrom` is not looked up, so that a search can begin in it. Throws InputError for a game whose
 * states have their own `apply`, or a `toMove` that cannot be written.
 */
export function endingAtTables(game: Game, tables: EndgameTables): Game {
  const first = game.start();
  if (Object.hasOwn(first, "apply") || Object.getOwnPropertyDescriptor(first, "toMove")?.writable !== true)
    throw new InputError(
      `${game.id} cannot be played with tables: its states must be objects of a class, with toMove as a property`,
    );
  const prototype = endingPrototype(game, Object.getPrototypeOf(first) as State, tables);
  const start = (): State => {
    const state = Object.setPrototypeOf(game.start(), prototype) as EndingState;
    state.distance = UNKNOWN;
    state.decider = 0;
    return state;
  };
  const describeEnding = (state: State) =>
    ((state as EndingState).distance ?? UNKNOWN) === UNKNOWN
      ? game.describeEnding?.(state)
      : "known from a table";
  return varyGame(game, { start, describeEnding });
}

/** Returns a prototype for the states of the game, whose methods look into the tables. */
function endingPrototype({ maxReturn, minReturn }: Game, plain: State, tables: EndgameTables): object {
  const middle = (maxReturn + minReturn) / 2;
  // oxlint-disable-next-line typescript/unbound-method -- each is called with its state
  const { apply, undo, returns, copyFrom } = plain;
  return Object.assign(Object.create(plain) as object, {
    apply(this: EndingState, action: number): void {
      apply.call(this, action);
      if (this.toMove < 0) return;
      const distance = tables.probe(this);
      if (distance === UNKNOWN) return;
      this.distance = distance;
      this.decider = this.toMove;
      this.toMove = TERMINAL;
    },
    undo(this: EndingState): void {
      if (this.distance !== UNKNOWN) {
        this.distance = UNKNOWN;
        this.toMove = this.decider;
      }
      undo.call(this);
    },
    returns(this: EndingState, player: number): number {
      const { distance } = this;
      if (distance === UNKNOWN) return returns.call(this, player);
      if (distance === 0) return middle;
      return distance > 0 === (player === this.decider) ? maxReturn : minReturn;
    },
    copyFrom(this: EndingState, other: EndingState): void {
      copyFrom.call(this, other);
      this.distance = other.distance ?? UNKNOWN;
      this.decider = other.decider ?? 0;
    },
  });
}
