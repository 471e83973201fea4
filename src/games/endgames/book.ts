import type { ForeignBook, WeightedAction } from "../contract/books.ts";
import { TERMINAL, type Game, type PlayedGame, type State } from "../contract/game.ts";
import { possibleActions } from "../contract/notation.ts";

/** The results of a move in the games that a book was made from. */
interface BookMove {
  /** The number of games in which it was played. */
  readonly count: number;
  /** The sum of its player's results: 0 for the worst return of the game to 1 for the best. */
  readonly points: number;
}

/** The moves of one position, by their text. */
type BookMoves = Readonly<Record<string, BookMove>>;

/** An opening book: moves by `keyOf` of the position. */
export type Book = ReadonlyMap<string, BookMoves>;

/** Returns the hash of a position as text. */
export function keyOf({ hashLow, hashHigh }: State): string {
  const hex = (word: number) => (word >>> 0).toString(16).padStart(8, "0");
  return hex(hashHigh) + hex(hashLow);
}

/** Returns the legal actions that a book has in a position, each with its weight: of our books, its points. */
export function bookActions(game: Game, book: Book | ForeignBook, state: State): WeightedAction[] {
  if ("actions" in book) return book.actions(state);
  const moves = book.get(keyOf(state));
  if (moves === undefined) return [];
  return Array.from(possibleActions(game, state), (action) => {
    const text = game.formatAction(action, state);
    return { action, weight: Object.hasOwn(moves, text) ? moves[text]!.points : 0 };
  }).filter(({ weight }) => weight > 0);
}

/** The lines of a book, and the most that are kept of them. */
interface BookLines {
  /** The most actions of a line, at least 1. */
  readonly plies: number;
  readonly most: number;
}

/**
 * The lines of a book from the start of the game: the `most` likeliest ones, if each move is drawn by its weight, the likeliest
 * first. A line ends after `plies` actions, or before a position that the book does not have.
 */
export function bookLines(game: Game, book: Book | ForeignBook, { plies, most }: BookLines): number[][] {
  let lines = [{ actions: [] as number[], chance: 1, isOpen: true }];
  for (let ply = 0; ply < plies && lines.some(({ isOpen }) => isOpen); ply++) {
    lines = lines
      .flatMap((line) => {
        const state = game.start();
        for (const action of line.actions) state.apply(action);
        const moves = line.isOpen ? bookActions(game, book, state) : [];
        const sum = moves.reduce((all, { weight }) => all + weight, 0);
        if (moves.length === 0) return [{ ...line, isOpen: false }];
        return moves.map(({ action, weight }) => ({
          actions: [...line.actions, action],
          chance: (line.chance * weight) / sum,
          isOpen: true,
        }));
      })
      .toSorted((one, other) => other.chance - one.chance)
      .slice(0, most);
  }
  return lines.map(({ actions }) => actions).filter((actions) => actions.length > 0);
}

/** A played game; its first `openingLength` actions were not chosen by a player. */
export interface BookGame extends PlayedGame {
  readonly openingLength?: number;
}

/** Makes an opening book from played games. */
export class BookMaker {
  private readonly game: Game;
  private readonly plies: number;
  private readonly found = new Map<string, Record<string, { count: number; points: number }>>();
  games = 0;

  /**
   * @param plies the number of decisions that are read of each game; decisions of the opening count, but are not taken
   */
  constructor(game: Game, plies: number) {
    this.game = game;
    this.plies = plies;
  }

  /** Adds the moves of a game that has ended. */
  add({ from, actions, openingLength = 0, returns }: BookGame): void {
    const { game, found } = this;
    const { minReturn, maxReturn } = game;
    const state = from === undefined ? game.start() : game.parseState(from);
    let plies = 0;
    this.games++;
    for (const [index, action] of actions.entries()) {
      if (state.toMove === TERMINAL || plies === this.plies) return;
      if (state.toMove >= 0 && plies++ >= 0 && index >= openingLength) {
        const points = (returns[state.toMove]! - minReturn) / (maxReturn - minReturn);
        const key = keyOf(state);
        const moves = found.get(key) ?? {};
        found.set(key, moves);
        const move = (moves[game.formatAction(action, state)] ??= { count: 0, points: 0 });
        move.count++;
        move.points += points;
      }
      state.apply(action);
    }
  }

  /** Adds the moves of another program's book along these lines: as many games and points as its weight says. */
  addBook(book: ForeignBook, lines: readonly (readonly number[])[]): void {
    const { game, found } = this;
    for (const line of lines) {
      const state = game.start();
      for (const action of line) {
        const key = keyOf(state);
        if (!found.has(key)) {
          const moves = book
            .actions(state)
            .map((one) => [game.formatAction(one.action, state), { count: one.weight, points: one.weight }]);
          found.set(key, Object.fromEntries(moves) as Record<string, { count: number; points: number }>);
        }
        state.apply(action);
      }
    }
  }

  /** Returns the book of the moves that were played in at least `least` games. */
  book(least: number): Book {
    const kept = new Map<string, BookMoves>();
    for (const [key, moves] of this.found) {
      const often = Object.entries(moves).filter(([, { count }]) => count >= least);
      if (often.length > 0) kept.set(key, Object.fromEntries(often));
    }
    return kept;
  }
}
