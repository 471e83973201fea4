import { InputError } from "../../base/errors.ts";
import { TERMINAL } from "../contract/rules.ts";
import { ConnectFourState } from "./state.ts";

const STONES = "xo";

/** The player who has a stone on a cell, or -1. */
export function stoneAt(state: ConnectFourState, column: number, row: number): number {
  const bits = state.lines[row] >>> column;
  return (bits & 1) === 1 ? 0 : ((bits >>> 16) & 1) === 1 ? 1 : -1;
}

/** Rows from the top, `x` and `o` for stones, digits for runs of empty cells: `7/7/7/7/3o3/3x3`. */
export function formatState(state: ConnectFourState): string {
  const rows: string[] = [];
  for (let row = state.height - 1; row >= 0; row--) {
    let text = "";
    for (let column = 0; column < state.width; column++) text += STONES[stoneAt(state, column, row)] ?? ".";
    rows.push(text.replace(/\.+/g, (run) => String(run.length)));
  }
  return rows.join("/");
}

/** Reads `formatState`'s form, or the columns of the moves: `4453`. */
export function parseState(text: string, width: number, height: number): ConnectFourState {
  return text.includes("/") ? parseBoard(text, width, height) : parseMoves(text, width, height);
}

function parseMoves(text: string, width: number, height: number): ConnectFourState {
  const state = new ConnectFourState(width, height);
  const moves = text.trim() === "start" ? [] : Array.from(text.replace(/\s+/g, ""));
  moves.forEach((move, index) => {
    const where = `move ${index + 1} of "${text}"`;
    const column = Number(move) - 1;
    if (!(column >= 0 && column < width)) {
      throw new InputError(
        `${where} is "${move}"; allowed: a column 1 to ${width}, or rows such as "7/7/7/7/7/3x3"`,
      );
    }
    if (state.toMove === TERMINAL) throw new InputError(`${where} comes after the end of the game`);
    if (state.heights[column] === height) throw new InputError(`${where}: column ${move} is full`);
    state.apply(column);
  });
  return state;
}

function parseBoard(text: string, width: number, height: number): ConnectFourState {
  const rows = text
    .trim()
    .split("/")
    .map((row) => row.replace(/\d/g, (digit) => ".".repeat(Number(digit))))
    .toReversed();
  if (rows.length !== height || rows.some((row) => row.length !== width)) {
    throw new InputError(`"${text}" is not ${height} rows of ${width} cells`);
  }
  const state = new ConnectFourState(width, height);
  const counts = [0, 0];
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const cell = rows[row]![column]!;
      if (cell === ".") continue;
      const player = STONES.indexOf(cell);
      if (player < 0) throw new InputError(`"${cell}" in "${text}"; allowed: x, o and digits`);
      if (state.heights[column] !== row) {
        throw new InputError(`a stone hangs over an empty cell in column ${column + 1} of "${text}"`);
      }
      counts[player]!++;
      state.toMove = player;
      state.apply(column);
    }
  }
  const lead = counts[0]! - counts[1]!;
  if (lead !== 0 && lead !== 1) {
    throw new InputError(
      `"${text}" has ${counts[0]} x and ${counts[1]} o; x moves first, so it has as many as o or one more`,
    );
  }
  const winners = [0, 1].filter((player) => state.hasFour(player));
  if (winners.length === 2) throw new InputError(`both players have four in a line in "${text}"`);
  const winner = winners[0] ?? -1;
  if (winner === lead)
    throw new InputError(`"${STONES[winner]}" has four in a line in "${text}", yet the other moved last`);
  state.winner = winner;
  state.toMove = winner >= 0 || state.stones === state.cells ? TERMINAL : lead;
  return state;
}

export function render(state: ConnectFourState): string {
  const rows: string[] = [];
  for (let row = state.height - 1; row >= 0; row--) {
    const cells = Array.from(
      { length: state.width },
      (_, column) => STONES[stoneAt(state, column, row)] ?? ".",
    );
    rows.push(` ${cells.join(" ")}`);
  }
  rows.push(` ${Array.from({ length: state.width }, (_, column) => column + 1).join(" ")}`);
  return rows.join("\n");
}
