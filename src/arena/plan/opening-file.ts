import { InputError } from "../../base/errors.ts";
import { counted } from "../../base/text.ts";
import { parseLines } from "../../specs/files/documents.ts";
import { isForeignBook, readForeignBook } from "../../specs/files/book-file.ts";
import { endingOf, readForeign } from "../../specs/files/foreign-file.ts";
import { CHANCE, TERMINAL, type Game, type PlayedGame, type State } from "../../games/contract/game.ts";
import { bookLines } from "../../games/endgames/book.ts";
import { describeResult } from "../../games/contract/notation.ts";
import { parseOpening } from "../../specs/games.ts";
import { FileProblems } from "../result-files/file-problems.ts";
import { hasPlayedGames, readPlayedGames } from "../result-files/played-games.ts";
import type { Openings } from "./plan.ts";

/** The most openings that are taken from a file: all of them are part of the plan. */
const MAX_OPENINGS = 100_000;

/** The most lines that are taken from a book, the likeliest ones. */
const MAX_BOOK_LINES = 1000;

/** The most positions that are taken from a file: the rules of the run have all of them. */
const MAX_POSITIONS = 10_000;

/** True if a file lists positions, by the ending of its name. */
export function listsPositions(path: string): boolean {
  return [".epd", ".fen"].includes(endingOf(path));
}

/**
 * Reads the positions of a list, one a line, each once, in the order of the file: in the game's notation (`.fen`), or for chess
 * in Extended Position Description (`.epd`). A line whose position cannot be read or is over is left out, with a note; throws
 * InputError if there is no other.
 * @param strict whether a file is refused for such a line
 */
export async function readSetups(
  game: Game,
  path: string,
  { strict }: { strict?: boolean | undefined } = {},
): Promise<FileOpenings & { setups: string[] }> {
  const isEpd = endingOf(path) === ".epd";
  if (isEpd && game.id !== "chess")
    throw new InputError(
      `has positions of chess; those of ${game.id} stand in a .fen file, one a line`,
      path,
    );
  const { text, notes } = await readForeign(path);
  const changed: string[] = [];
  const found = readList({ text, path, strict }, (line) => {
    // A quoted text may have any sign.
    const plain = line.replace(/("[^"]*")|\s#.*/g, "$1").trim();
    const given = isEpd ? fenOfEpd(plain) : plain;
    const state = game.parseState(given);
    if (state.toMove === TERMINAL)
      throw new InputError(`the game is over in "${plain}": ${describeResult(game, state)}`);
    if (lacksRights(game, given)) changed.push(given);
    return game.formatState(state);
  });
  const positions = [...new Set(found.list)];
  checkCount(positions.length, { most: MAX_POSITIONS, what: "positions", path });
  return { setups: positions, notes: [...notes, ...found.notes, ...noteOnRights(path, changed)] };
}

/** The lines of a list that can be read, and notes on the others. Throws InputError if there is none, or one is wrong in a strict reading. */
function readList<T>(
  { text, path, strict }: { text: string; path: string; strict: boolean | undefined },
  parse: (line: string) => T,
): { list: T[]; notes: readonly string[] } {
  const problems = new FileProblems(path, { strict });
  const list = parseLines(text, path, parse, (problem) => problems.passOver(problem));
  problems.throwIfAny();
  if (list.length === 0) problems.throwIfPassedOver();
  return { list, notes: problems.notes() };
}

/** True if a position of chess is given with castling rights that it cannot have. */
function lacksRights(game: Game, given: string): boolean {
  const rights = (fen: string) => /\s[wb]\s+([KQkqHAha]+)\s/i.exec(fen)?.[1]?.length ?? 0;
  const [start = ""] = given.split(/\s+moves\b/);
  return game.id === "chess" && rights(game.formatState(game.parseState(start))) < rights(`${start} `);
}

function noteOnRights(path: string, positions: readonly string[]): string[] {
  if (positions.length === 0) return [];
  const where = `${counted(positions.length, "position")}, such as "${positions[0]}"`;
  return [`${path}: castling rights without king and rook at home are left out in ${where}`];
}

/** A line of EPD as a FEN: four fields, and the counters where the operations hmvc and fmvn have them. */
function fenOfEpd(line: string): string {
  const [, fields, operations] = /^(\S+\s+\S+\s+\S+\s+\S+)\s*(.*)$/.exec(line) ?? [];
  if (fields === undefined)
    throw new InputError(
      `"${line}" is no EPD: it has fewer than the four fields pieces, side to move, castling, en passant`,
    );
  if (/^\d/.test(operations!)) return line;
  const listed = operations!.match(/(?:"[^"]*"|[^;"])+/g) ?? [];
  const counter = (name: string, usual: number) =>
    listed.map((one) => new RegExp(`^\\s*${name}\\s+(\\d+)\\s*$`).exec(one)?.[1]).find(Boolean) ?? usual;
  return `${fields} ${counter("hmvc", 0)} ${counter("fmvn", 1)}`;
}

/** The openings of a file: actions from the start of the game, or positions. */
export interface FileOpenings {
  readonly lines?: readonly (readonly number[])[];
  readonly setups?: readonly string[];
  /** Notes for the user on how the file was read. */
  readonly notes: readonly string[];
}

/**
 * Reads openings, each once, in the order of the file. The ending of the file's name says the format: one in which the game
 * reads played games, such as `.pgn`, else one opening a line in the game's notation. If a game of the file begins at a
 * position of its own, the openings are the positions that the beginnings lead to. From a book of another program come its 1000
 * likeliest lines. Throws InputError, with file, line and
 * move, where an opening is not legal or ends the game.
 * @param plies the decisions that are taken of each opening [all]
 * @param strict whether a file is refused for games and lines that cannot be read, which are left out otherwise
 */
export async function readOpenings(
  game: Game,
  path: string,
  { plies = Infinity, strict }: { plies?: number | undefined; strict?: boolean | undefined } = {},
): Promise<FileOpenings> {
  if (isForeignBook(path, game)) {
    if (plies === Infinity)
      throw new InputError("is a book: say how many plies are taken of it, as in plies: 8", path);
    const lines = bookLines(game, readForeignBook(path, game), { plies, most: MAX_BOOK_LINES });
    if (lines.length === 0) throw new InputError("has no move for the start of the game", path);
    return { lines, notes: [] };
  }
  if (!hasPlayedGames(game, path)) {
    const { text, notes } = await readForeign(path);
    const read = (line: string) => parseOpening(game, line.replace(/\s#.*/, ""), plies);
    const found = readList({ text, path, strict }, read);
    const lines = distinct(found.list);
    checkCount(lines.length, { most: MAX_OPENINGS, what: "openings", path });
    return { lines, notes: [...notes, ...found.notes] };
  }
  const problems = new FileProblems(path, { strict });
  const notes: string[] = [];
  const note = (text: string) => void notes.push(text);
  const games = await readPlayedGames(game, path, { plies, problems, note });
  const found: Beginning[] = [];
  const changed = games.flatMap(({ from }) => (from !== undefined && lacksRights(game, from) ? [from] : []));
  notes.push(...noteOnRights(path, changed));
  for (const [at, played] of games.entries()) {
    if (played.from === undefined && played.actions.length === 0) continue;
    try {
      found.push(firstPlies(game, played, plies));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      problems.passOver({ path: `game ${at + 1}`, message: error.message });
    }
  }
  problems.throwIfAny();
  if (found.length === 0) problems.throwIfPassedOver();
  notes.push(...problems.notes());
  if (found.some(({ isOfPosition }) => isOfPosition)) {
    const setups = [...new Set(found.map(({ end }) => game.formatState(end)))];
    checkCount(setups.length, { most: MAX_POSITIONS, what: "positions", path });
    return { setups, notes };
  }
  const lines = distinct(found.map(({ line }) => line));
  checkCount(lines.length, { most: MAX_OPENINGS, what: "openings", path });
  return { lines, notes };
}

function checkCount(count: number, { most, what, path }: { most: number; what: string; path: string }): void {
  if (count === 0) throw new InputError(`has no ${what}`, path);
  if (count > most) throw new InputError(`has ${count} ${what}; at most ${most} are taken`, path);
}

/** The begin of a game. */
interface Beginning {
  readonly line: readonly number[];
  readonly end: State;
  /** True if it begins at a position of its own. */
  readonly isOfPosition: boolean;
}

/** The actions up to the last of the first `plies` decisions; throws InputError if they end the game. */
function firstPlies(game: Game, { from, actions }: PlayedGame, plies: number): Beginning {
  const state = from === undefined ? game.start() : game.parseState(from);
  const line: number[] = [];
  let decisions = 0;
  for (const action of actions) {
    if (decisions === plies) break;
    if (state.toMove !== CHANCE) decisions++;
    state.apply(action);
    line.push(action);
  }
  if (state.toMove !== TERMINAL) return { line, end: state, isOfPosition: from !== undefined };
  throw new InputError(`the opening ends the game: ${describeResult(game, state)}; take fewer plies of each`);
}

function distinct<T extends readonly number[]>(lines: readonly T[]): T[] {
  return [...new Map(lines.map((line) => [line.join(), line])).values()];
}

/** The plies of the longest opening. */
export function longestOpening(game: Game, openings: Openings): number {
  if ("randomPlies" in openings) return openings.randomPlies;
  return openings.lines.reduce((longest, line) => Math.max(longest, pliesOf(game, line)), 0);
}

/** The decisions in a line. */
function pliesOf(game: Game, line: readonly number[]): number {
  if (!game.chance) return line.length;
  const state = game.start();
  let plies = 0;
  for (const action of line) {
    if (state.toMove !== CHANCE) plies++;
    state.apply(action);
  }
  return plies;
}
