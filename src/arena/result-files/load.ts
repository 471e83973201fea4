import { statSync } from "node:fs";
import { basename } from "node:path";
import { InputError } from "../../base/errors.ts";
import { counted } from "../../base/text.ts";
import { STANDARD_INPUT } from "../../specs/files/documents.ts";
import { endingOf, forEachLine, LineDecoder } from "../../specs/files/foreign-file.ts";
import { CsvResults } from "./csv.ts";
import { FileProblems } from "./file-problems.ts";
import { GameList } from "./game-list.ts";
import { PgnResults } from "./pgn.ts";

/** Takes the lines of a file; throws InputError at the latest at its end. */
interface ResultReader {
  read(line: string): void;
  finish(): void;
}

const READERS: Readonly<Record<string, new (list: GameList, problems: FileProblems) => ResultReader>> = {
  ".pgn": PgnResults,
  ".csv": CsvResults,
  ".tsv": CsvResults,
};

/** True for the name of a file of results, by its ending, or for standard input. */
export function isResultFile(path: string): boolean {
  return path === STANDARD_INPUT || Object.hasOwn(READERS, endingOf(path));
}

/** Games of files, their players in one list by name. */
export interface LoadedResults {
  /** The files, for people. */
  readonly game: string;
  readonly entrants: readonly string[];
  readonly records: GameList;
  /** Notes for the user on games that are left out, and on how files were read. */
  readonly warnings: readonly string[];
}

/** Reads files of results to rate them together; throws InputError. */
export async function loadResults(paths: readonly string[]): Promise<LoadedResults> {
  for (const path of paths) {
    if (isResultFile(path)) continue;
    throw new InputError(
      "is no file of results; allowed: folders of runs alone, or files alone: " +
        ".pgn, .csv and .tsv, perhaps packed as .gz or .zst, and - for standard input",
      path,
    );
  }
  const list = new GameList();
  const warnings: string[] = [];
  const seen = new Set<string>();
  for (const path of paths) {
    const again = namedTwice(path, seen);
    warnings.push(...(again === undefined ? await readFile(path, list) : [again]));
  }
  for (const [name, games] of list.alone)
    warnings.push(`left out: ${counted(games, "game")} of "${name}" with itself`);
  if (list.size === 0)
    throw new InputError(
      [list.unfinished === 0 ? "has no game" : "has no finished game", ...unfinished(list), ...warnings].join(
        ", and ",
      ),
      paths.join(", "),
    );
  warnings.push(...unfinished(list).map((games) => `left out: ${games}`));
  const [first = "", ...others] = paths.map((path) => basename(path));
  const game = others.length < 3 ? [first, ...others].join(", ") : `${first} and ${others.length} more files`;
  return { game, entrants: list.names, records: list, warnings };
}

function unfinished({ unfinished: games }: GameList): string[] {
  return games > 0 ? [counted(games, "unfinished game")] : [];
}

/** Adds the games of a file to the list; returns notes for the user on how it was read. */
async function readFile(path: string, list: GameList): Promise<string[]> {
  const problems = new FileProblems(path);
  const decoder = new LineDecoder();
  let reader: ResultReader | undefined;
  try {
    await forEachLine(path, (buffer, start, end) => {
      const line = decoder.decode(buffer, start, end);
      reader ??= new READERS[kindOf(path, line)]!(list, problems);
      reader.read(line);
    });
    reader ??= new READERS[kindOf(path, "[")]!(list, problems);
    reader.finish();
  } catch (error) {
    throw error instanceof InputError && error.source === "" ? new InputError(error.problems, path) : error;
  }
  problems.throwIfAny();
  return [...decoder.notes(path), ...problems.notes()];
}

/** The ending of a file's name; of standard input that of the files that begin with such a line. */
function kindOf(path: string, line: string): string {
  if (path !== STANDARD_INPUT) return endingOf(path);
  return /^\s*[[{%;]|^\s*$|^\s*1\s*\./.test(line) ? ".pgn" : ".csv";
}

/** A note on a file that was seen before, under any name or link; undefined for others, which `seen` takes. */
export function namedTwice(path: string, seen: Set<string>): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  const file = path === STANDARD_INPUT || stats === undefined ? path : `${stats.dev} ${stats.ino}`;
  if (seen.has(file)) return `${path}: is named twice; it is read once`;
  seen.add(file);
  return undefined;
}
