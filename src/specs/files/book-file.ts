import { z } from "zod";
import { check } from "../../base/check.ts";
import { InputError } from "../../base/errors.ts";
import type { ForeignBook } from "../../games/contract/books.ts";
import type { Game } from "../../games/contract/game.ts";
import { keyOf, type Book } from "../../games/endgames/book.ts";
import { readBytes, readJson } from "./documents.ts";
import { endingOf } from "./foreign-file.ts";
import { writeWhole } from "./write-file.ts";

/** A move: the number of games with it, and its points. */
const move = z.tuple([z.int().min(1), z.number().min(0)]);

/** The content of the file of an opening book. */
const bookSchema = z.strictObject({
  format: z.literal("agon-book"),
  formatVersion: z.literal(1),
  game: z.strictObject({ id: z.string(), version: z.int() }),
  /** The key of the game's first position. A game with another start needs another book. */
  start: z.string(),
  games: z.int().min(0),
  positions: z.record(z.string().regex(/^[0-9a-f]{16}$/), z.record(z.string(), move)),
});

/** Writes a book, its positions in the order of their keys. */
export function saveBook(path: string, game: Game, { book, games }: { book: Book; games: number }): void {
  const positions = Array.from(book, ([key, moves]): [string, object] => [
    key,
    Object.fromEntries(Object.entries(moves).map(([text, { count, points }]) => [text, [count, points]])),
  ]).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const head = {
    format: "agon-book",
    formatVersion: 1,
    game: { id: game.id, version: game.version },
    start: keyOf(game.start()),
    games,
  };
  const lines = positions.map(([key, moves]) => `    ${JSON.stringify(key)}: ${JSON.stringify(moves)}`);
  const opened = JSON.stringify(head, null, 2).slice(0, -2);
  writeWhole(path, `${opened},\n  "positions": {\n${lines.join(",\n")}\n  }\n}\n`);
}

/** The most bytes of a book of another program. */
const MAX_BOOK_BYTES = 2 ** 28;

/** True if the ending of the file's name is that of other programs' books of the game. */
export function isForeignBook(path: string, { books }: Game): boolean {
  return Object.hasOwn(books, endingOf(path).slice(1));
}

/** Reads a book of another program for `game`, whose ending `isForeignBook` knows. Throws InputError. */
export function readForeignBook(path: string, { books }: Game): ForeignBook {
  const bytes = readBytes(path, MAX_BOOK_BYTES);
  try {
    return books[endingOf(path).slice(1)]!.read(bytes);
  } catch (error) {
    throw error instanceof InputError ? new InputError(error.message, path) : error;
  }
}

/** Reads a book for `game`, of agon or of another program. Throws InputError. */
export function readBook(path: string, game: Game): Book | ForeignBook {
  if (isForeignBook(path, game)) return readForeignBook(path, game);
  if (endingOf(path) !== ".json")
    throw new InputError(`is a book of chess; ${game.id} has books of agon's own, in .json`, path);
  return loadBook(path, game);
}

/**
 * Reads a book of agon's for `game`. Throws InputError if the book is for another game, or for another first position.
 * @internal tests read such books alone.
 */
export function loadBook(path: string, game: Game): Book {
  const { game: made, start, positions } = check(bookSchema, readJson(path), path);
  if (made.id !== game.id || made.version !== game.version)
    throw new InputError(
      `is for version ${made.version} of ${made.id}; wanted: version ${game.version} of ${game.id}`,
      path,
    );
  if (start !== keyOf(game.start()))
    throw new InputError(`is for a game of ${game.id} that starts from another position`, path);
  return new Map(
    Object.entries(positions).map(([key, moves]) => [
      key,
      Object.fromEntries(Object.entries(moves).map(([text, [count, points]]) => [text, { count, points }])),
    ]),
  );
}
