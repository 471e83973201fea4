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

/** Returns the legal actions that a book has in a position, each with its points as weight. */
export function bookActions(game: Game, book: Book, state: State): { action: number; weight: number }[] {
  const moves = book.get(keyOf(state));
  if (moves === undefined) return [];
  return Array.from(possibleActions(game, state), (action) => {
    const text = game.formatAction(action, state);
    return { action, weight: Object.hasOwn(moves, text) ? moves[text]!.points : 0 };
  }).filter(({ weight }) => weight > 0);
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
