import { basename, extname } from "node:path";
import { InputError } from "../../base/errors.ts";
import { counted } from "../../base/text.ts";
import { readCsv } from "./csv.ts";
import { GameList } from "./game-list.ts";
import { readPgn } from "./pgn.ts";

const READERS: Readonly<Record<string, (path: string, list: GameList) => void>> = {
  ".pgn": readPgn,
  ".csv": readCsv,
};

/** True for the name of a file of results, by its ending. */
export function isResultFile(path: string): boolean {
  return Object.hasOwn(READERS, extname(path).toLowerCase());
}

/** Games of files, their players in one list by name. */
export interface LoadedResults {
  /** The files, for people. */
  readonly game: string;
  readonly entrants: readonly string[];
  readonly records: GameList;
  /** The number of games that are left out, if there are any. */
  readonly warnings: readonly string[];
}

/** Reads files of results to rate them together; throws InputError. */
export function loadResults(paths: readonly string[]): LoadedResults {
  for (const path of paths) {
    if (isResultFile(path)) continue;
    throw new InputError(
      "is no file of results; allowed: folders of runs alone, or .pgn and .csv files alone",
      path,
    );
  }
  const list = new GameList();
  for (const path of paths) READERS[extname(path).toLowerCase()]!(path, list);
  if (list.size === 0)
    throw new InputError(
      list.unfinished === 0
        ? "has no game"
        : `has no finished game, and ${counted(list.unfinished, "unfinished game")}`,
      paths.join(", "),
    );
  const [first = "", ...others] = paths.map((path) => basename(path));
  const game = others.length < 3 ? [first, ...others].join(", ") : `${first} and ${others.length} more files`;
  const warnings = list.unfinished > 0 ? [`left out: ${counted(list.unfinished, "unfinished game")}`] : [];
  return { game, entrants: list.names, records: list, warnings };
}
