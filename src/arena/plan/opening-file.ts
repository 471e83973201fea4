import { extname } from "node:path";
import { InputError } from "../../base/errors.ts";
import { readLines, readLongText } from "../../specs/files/documents.ts";
import { CHANCE, TERMINAL, type Game } from "../../games/contract/game.ts";
import { describeResult } from "../../games/contract/notation.ts";
import { parseOpening } from "../../specs/games.ts";
import type { Openings } from "./plan.ts";

/** The most openings that are taken from a file: all of them are part of the plan. */
const MAX_OPENINGS = 100_000;

/** The most positions that are taken from a file: the rules of the run have all of them. */
const MAX_POSITIONS = 10_000;

/** True if a file lists positions, by the ending of its name. */
export function listsPositions(path: string): boolean {
  return [".epd", ".fen"].includes(extname(path).toLowerCase());
}

/**
 * Reads the positions of a list, one a line, each once, in the order of the file: in the game's notation (`.fen`), or for chess
 * in Extended Position Description (`.epd`). Throws InputError, with file and line, where a position cannot be read or is over.
 */
export function readSetups(game: Game, path: string): string[] {
  const isEpd = extname(path).toLowerCase() === ".epd";
  if (isEpd && game.id !== "chess")
    throw new InputError(
      `has positions of chess; those of ${game.id} stand in a .fen file, one a line`,
      path,
    );
  const setups = readLines(path, (line) => {
    const text = line.replace(/\s#.*/, "");
    const state = game.parseState(isEpd ? fenOfEpd(text) : text);
    if (state.toMove !== TERMINAL) return game.formatState(state);
    throw new InputError(`the game is over in "${text}": ${describeResult(game, state)}`);
  });
  const positions = [...new Set(setups)];
  if (positions.length === 0) throw new InputError("has no positions", path);
  if (positions.length > MAX_POSITIONS)
    throw new InputError(`has ${positions.length} positions; at most ${MAX_POSITIONS} are taken`, path);
  return positions;
}

/** A line of EPD as a FEN: four fields, and the counters where the operations hmvc and fmvn have them. */
function fenOfEpd(line: string): string {
  const [, fields, operations] = /^(\S+\s+\S+\s+\S+\s+\S+)\s*(.*)$/.exec(line) ?? [];
  if (fields === undefined)
    throw new InputError(
      `"${line}" is no EPD: it has fewer than the four fields pieces, side to move, castling, en passant`,
    );
  if (/^\d/.test(operations!)) return line;
  const counter = (name: string, usual: number) =>
    new RegExp(`(?:^|;)\\s*${name}\\s+(\\d+)\\s*;`).exec(operations!)?.[1] ?? usual;
  return `${fields} ${counter("hmvc", 0)} ${counter("fmvn", 1)}`;
}

/**
 * Reads openings as actions from the start of the game, each once, in the order of the file. The ending of the file's name
 * says the format: one in which the game reads played games, such as `.pgn`, else one opening a line in the game's
 * notation. Throws InputError, with file, line and move, where an opening is not legal or ends the game.
 * @param plies the decisions that are taken of each opening [all]
 */
export function readOpenings(game: Game, path: string, plies = Infinity): number[][] {
  const ending = extname(path).toLowerCase();
  const isTranscript = ending === ".jsonl" || Object.hasOwn(game.transcripts, ending.slice(1));
  const read = isTranscript
    ? playedGames(game, { path, ending, plies })
    : readLines(path, (line) => parseOpening(game, line.replace(/\s#.*/, ""), plies));
  const openings = distinct(read);
  if (openings.length === 0) throw new InputError("has no openings", path);
  if (openings.length > MAX_OPENINGS)
    throw new InputError(`has ${openings.length} openings; at most ${MAX_OPENINGS} are taken`, path);
  return openings;
}

function allowedFiles({ transcripts }: Game): string {
  const readable = Object.keys(transcripts).filter((name) => transcripts[name]!.read !== undefined);
  return [...readable.map((name) => `.${name}`), "one line of moves an opening (.txt)"].join(", ");
}

/** The beginnings of the games of a file, without games that have no moves. */
function playedGames(
  game: Game,
  { path, ending, plies }: { path: string; ending: string; plies: number },
): number[][] {
  const format = game.transcripts[ending.slice(1)];
  if (format?.read === undefined)
    throw new InputError(
      `openings of ${game.id} in ${ending} cannot be read; can be read: ${allowedFiles(game)}`,
      path,
    );
  const openings: number[][] = [];
  let number = 0;
  try {
    for (const { from, actions } of format.read(readLongText(path), plies)) {
      const at = `game ${++number}`;
      if (from !== undefined)
        throw new InputError([
          { path: at, message: "begins at a position of its own, not at the start of the game" },
        ]);
      if (actions.length === 0) continue;
      try {
        openings.push(firstPlies(game, actions, plies));
      } catch (error) {
        throw error instanceof InputError ? new InputError([{ path: at, message: error.message }]) : error;
      }
    }
  } catch (error) {
    throw error instanceof InputError && error.source === "" ? new InputError(error.problems, path) : error;
  }
  return openings;
}

/** The actions up to the last of the first `plies` decisions; throws InputError if they end the game. */
function firstPlies(game: Game, actions: readonly number[], plies: number): number[] {
  const state = game.start();
  const line: number[] = [];
  let decisions = 0;
  for (const action of actions) {
    if (decisions === plies) break;
    if (state.toMove !== CHANCE) decisions++;
    state.apply(action);
    line.push(action);
  }
  if (state.toMove !== TERMINAL) return line;
  throw new InputError(`the opening ends the game: ${describeResult(game, state)}; take fewer plies of each`);
}

function distinct(lines: readonly number[][]): number[][] {
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
