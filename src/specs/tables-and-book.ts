import { statSync } from "node:fs";
import { InputError } from "../base/errors.ts";
import type { TablesAndBook, TablesAndBookOptions } from "../agents/tables-and-book.ts";
import type { Game } from "../game/game.ts";
import { unsupportedByTables, type EndgameTables } from "../endgames/endgame-tables.ts";
import { loadBook } from "../files/book-file.ts";
import { loadTables } from "../files/tables-file.ts";

/** Reads the files that the options name; throws InputError, its paths relative to the agent's spec. */
export function loadTablesAndBook(game: Game, { tables, book }: TablesAndBookOptions): TablesAndBook {
  return {
    tables: tables === undefined ? undefined : at("tables", () => tablesFor(game, tables)),
    book: book === undefined ? undefined : at("book", () => loadBook(book, game)),
  };
}

/** Tables that some agent still uses, by their file and their game: agents of one process share them. */
const inUse = new Map<string, WeakRef<EndgameTables>>();

function tablesFor(game: Game, path: string): EndgameTables {
  const trait = unsupportedByTables(game);
  if (trait !== undefined) throw new InputError(`there are no tables for ${game.id}, which has ${trait}`);
  const { mtimeMs, size } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: 0, size: 0 };
  const key = JSON.stringify([path, mtimeMs, size, game.id, game.version, game.options]);
  const known = inUse.get(key)?.deref();
  if (known !== undefined) return known;
  const tables = loadTables(path, game);
  inUse.set(key, new WeakRef(tables));
  return tables;
}

/** Runs `read`; an InputError is one of the option `key`. */
function at<T>(key: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(error.message.split("\n").map((message) => ({ path: key, message })));
  }
}
