import { TERMINAL, type Game, type PlayedGame, type State } from "../game/game.ts";
import { possibleActions } from "../game/notation.ts";

/** What happened after a move of a book in the games that it was made from. */
interface BookMove {
  /** In how many games it was played. */
  readonly count: number;
  /** What its player got there in all, each game from 0 for the worst return to 1 for the best. */
  readonly points: number;
}

/** The moves known in one position, by their text. */
type BookMoves = Readonly<Record<string, BookMove>>;

/** The moves known, by `keyOf` of the position. */
export type Book = ReadonlyMap<string, BookMoves>;

/** The hash of a position as text. */
export function keyOf({ hashLow, hashHigh }: State): string {
  const hex = (word: number) => (word >>> 0).toString(16).padStart(8, "0");
  return hex(hashHigh) + hex(hashLow);
}

/** The legal actions of a position that a book knows, each with its weight: its points. */
export function bookActions(game: Game, book: Book, state: State): { action: number; weight: number }[] {
  const moves = book.get(keyOf(state));
  if (moves === undefined) return [];
  return Array.from(possibleActions(game, state), (action) => {
    const text = game.formatAction(action, state);
    return { action, weight: Object.hasOwn(moves, text) ? moves[text]!.points : 0 };
  }).filter(({ weight }) => weight > 0);
}

/** A played game, and how many actions at its beginning nobody chose. */
export interface BookGame extends PlayedGame {
  readonly openingLength?: number;
}

/** Collects the moves of played games. */
export class BookMaker {
  private readonly game: Game;
  private readonly plies: number;
  private readonly found = new Map<string, Record<string, { count: number; points: number }>>();
  games = 0;

  /** @param plies how many decisions of each game are looked at; those of its opening count, but are not taken */
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

  /** The moves that occurred in at least `least` games, and the positions that have some. */
  book(least: number): Book {
    const kept = new Map<string, BookMoves>();
    for (const [key, moves] of this.found) {
      const often = Object.entries(moves).filter(([, { count }]) => count >= least);
      if (often.length > 0) kept.set(key, Object.fromEntries(often));
    }
    return kept;
  }
}
