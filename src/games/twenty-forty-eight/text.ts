import { InputError } from "../../base/errors.ts";
import { parseLegal } from "../contract/notation.ts";
import { CHANCE, TERMINAL, type Rules } from "../contract/rules.ts";
import { ROWS, type BoardSize } from "./board.ts";
import { exponentAt, highestExponent, lineOf, MAX_SIDE, mergesOf } from "./line.ts";
import { FOUR, rowOf, TwentyFortyEightState } from "./state.ts";

/** The names of the directions, by action. */
export const DIRECTIONS = ["up", "right", "down", "left"] as const;

/** A direction, or the new tile and its place, row and column counted from 1: `r1c3=2`. */
export function formatAction(action: number, { toMove }: TwentyFortyEightState): string {
  if (toMove !== CHANCE) return DIRECTIONS[action]!;
  const cell = action % FOUR;
  const row = rowOf(cell);
  return `r${row + 1}c${cell - MAX_SIDE * row + 1}=${action < FOUR ? 2 : 4}`;
}

/** Reads what `formatAction` writes; a direction may be its first letter alone. */
export function parseAction(
  text: string,
  state: TwentyFortyEightState,
  game: Rules<TwentyFortyEightState>,
): number {
  const letter = text.trim().toLowerCase();
  const direction = state.toMove < 0 ? undefined : DIRECTIONS.find((name) => name[0] === letter);
  return parseLegal(game, direction ?? text, state);
}

/** The tiles of one row, `.` for none. */
function tilesOf(state: TwentyFortyEightState, row: number): string[] {
  return Array.from({ length: state.shape.columns }, (_, column) => {
    const exponent = exponentAt(state.board.lines[ROWS + row], column);
    return exponent === 0 ? "." : String(2 ** exponent);
  });
}

function rowsOf(state: TwentyFortyEightState): string[][] {
  return Array.from({ length: state.shape.rows }, (_, row) => tilesOf(state, row));
}

/** Rows from the top, the score, and whether a tile is to come: `2 . / . 4 score 0 tile`. */
export function formatState(state: TwentyFortyEightState): string {
  const board = rowsOf(state)
    .map((tiles) => tiles.join(" "))
    .join(" / ");
  return `${board} score ${state.returns()}${state.toMove === CHANCE ? " tile" : ""}`;
}

/** Reads what `formatState` writes. Without a score, all new tiles were twos. */
export function parseState(text: string, shape: BoardSize): TwentyFortyEightState {
  const given = text.trim();
  const state = new TwentyFortyEightState(shape);
  if (given === "start") return state;
  const refuse = (message: string) => new InputError(`"${given}": ${message}`);
  const parts = /^([^a-z]*?)\s*(?:\bscore (\d+))?\s*(\btile)?$/.exec(given);
  if (parts === null) {
    throw refuse('not of the form "2 . / . 4 score 0", with "tile" at the end if a tile is to come');
  }
  const cells = parts[1]!.split("/").map((row) => row.trim().split(/\s+/));
  if (cells.length !== shape.rows || cells.some((row) => row.length !== shape.columns))
    throw refuse(`not ${shape.rows} rows of ${shape.columns} cells`);
  const rows = cells.map((row) => row.map(parseTile));
  const tiles = rows.flat().filter((exponent) => exponent > 0);
  checkTiles(tiles, shape, refuse);
  const tileToCome = parts[3] !== undefined;
  if (tileToCome && tiles.length === shape.rows * shape.columns) throw refuse("no room for a tile to come");
  if (!tileToCome && tiles.length < 2) throw refuse(`${tiles.length} tiles; a game begins with two`);
  state.place(rows.map(lineOf), { fours: foursOf(tiles, parts[2], refuse), tileToCome });
  return state;
}

/** The exponent of a tile, 0 for an empty cell. */
function parseTile(text: string): number {
  if (text === ".") return 0;
  const exponent = Math.log2(Number(text));
  if (!/^\d+$/.test(text) || !Number.isInteger(exponent) || exponent < 1)
    throw new InputError(`"${text}" is no tile; allowed: 2, 4, 8 and so on, and "." for an empty cell`);
  return exponent;
}

function checkTiles(
  tiles: readonly number[],
  { rows, columns }: BoardSize,
  refuse: (message: string) => InputError,
): void {
  for (const [at, exponent] of tiles.toSorted((a, b) => b - a).entries()) {
    const highest = highestExponent(rows * columns, at + 1);
    if (exponent > highest) {
      const others = at === 0 ? "" : ` beside ${at} as high or higher`;
      throw refuse(`no game comes to ${2 ** exponent}${others}; at most ${2 ** highest}`);
    }
  }
}

/**
 * The number of new tiles that were fours, from the score. The score must fit the tiles, each of which may be made of twos,
 * of fours, or of both.
 */
function foursOf(
  tiles: readonly number[],
  score: string | undefined,
  refuse: (message: string) => InputError,
): number {
  if (score === undefined) return 0;
  const ofTwos = tiles.reduce((sum, exponent) => sum + mergesOf(exponent), 0);
  const mostFours = tiles.reduce((sum, exponent) => sum + Math.floor(2 ** (exponent - 2)), 0);
  const fours = (ofTwos - Number(score)) / 4;
  if (fours < 0 || fours > mostFours || !Number.isInteger(fours)) {
    const least = ofTwos - 4 * mostFours;
    throw refuse(`score ${score} does not fit the tiles, which bring ${least} to ${ofTwos} in steps of 4`);
  }
  return fours;
}

/** A grid and the score below it, with a note where a tile is to come or the game is over. */
export function render(state: TwentyFortyEightState): string {
  const rows = rowsOf(state);
  const width = Math.max(4, ...rows.flat().map((tile) => tile.length));
  const line = `+${`${"-".repeat(width + 2)}+`.repeat(state.shape.columns)}`;
  const cells = rows.map((tiles) => {
    const padded = tiles.map((tile) => (tile === "." ? "" : tile).padStart(width));
    return `| ${padded.join(" | ")} |\n${line}`;
  });
  const next = state.toMove === CHANCE ? ", a tile is to come" : state.toMove === TERMINAL ? ", over" : "";
  return [line, ...cells, `score ${state.returns()}${next}`].join("\n");
}
