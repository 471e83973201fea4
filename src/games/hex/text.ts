import { InputError } from "../../base/errors.ts";
import { parseLegal } from "../contract/notation.ts";
import { TERMINAL, type Rules } from "../contract/rules.ts";
import type { HexState } from "./state.ts";

/** The players' stones. */
export const STONES = "xo";

/** `a1` for the upper left cell: columns from the left, rows from the top. */
export function formatCell(cell: number, size: number): string {
  return `${String.fromCharCode(97 + (cell % size))}${Math.floor(cell / size) + 1}`;
}

export function formatAction(action: number, { board }: HexState): string {
  return action === board.swapAction ? "swap" : formatCell(action, board.size);
}

/** Rows from the top, a sign for each cell. */
function rowsOf(state: HexState): string[] {
  const { size, pointOf } = state.board;
  const signs = Array.from(pointOf, (_, cell) => STONES[state.ownerOf(cell)] ?? ".").join("");
  return Array.from({ length: size }, (_, row) => signs.slice(row * size, (row + 1) * size));
}

/** Rows from the top, `x` and `o` for stones, numbers for runs of empty cells, then who is to move: `3/1x1/3 o`. */
export function formatState(state: HexState): string {
  const rows = rowsOf(state).map((row) => row.replace(/\.+/g, (run) => String(run.length)));
  return `${rows.join("/")} ${STONES[state.turn]}`;
}

/** Reads `formatState`'s form, also with dots for empty cells; or `start`, or the moves from there: `b3 c2 swap`. */
export function parseState(text: string, game: Rules<HexState>): HexState {
  const state = game.start();
  if (text.includes("/")) readBoard(text, state);
  else {
    for (const move of text.trim().split(/\s+/))
      if (move !== "start") state.apply(parseLegal(game, move, state));
  }
  return state;
}

/** Puts the stones of a text on the empty board. */
function readBoard(text: string, state: HexState): void {
  const { size, swap } = state.board;
  const [rows = "", turnSign = "", ...rest] = text.trim().split(/\s+/);
  const turn = turnSign.length === 1 ? STONES.indexOf(turnSign) : -1;
  if (turn < 0 || rest.length > 0)
    throw new InputError(`"${text}" must be rows, then x or o to move, such as "3/1x1/3 o"`);
  const lines = rows.split("/").map((row) => row.replace(/\d+/g, (run) => ".".repeat(Math.min(+run, 99))));
  if (lines.length !== size || lines.some((line) => line.length !== size || /[^.xo]/.test(line)))
    throw new InputError(`"${rows}" is not ${size} rows of ${size} cells, each of them x, o or empty`);
  const owners = Array.from(lines.join(""), (sign) => STONES.indexOf(sign));
  const [xs, os] = [0, 1].map((player) => owners.filter((owner) => owner === player).length);
  // After a swap, o has the first stone.
  const isSwapped = swap && os! > 0 && xs! - os! === turn - 1;
  if (xs! - os! !== turn && !isSwapped)
    throw new InputError(`"${text}" has ${xs} x and ${os} o, which cannot be when ${turnSign} is to move`);
  owners.forEach((owner, cell) => {
    if (owner >= 0) state.put(cell, owner);
  });
  if (turn !== state.turn) state.passTurn();
  if (state.winner === turn) throw new InputError(`${turnSign} has won in "${text}", and cannot be to move`);
  if (state.winner >= 0) state.toMove = TERMINAL;
}

/** The board leans to the right; x goes from top to bottom, o from left to right. */
export function render(state: HexState): string {
  const { size } = state.board;
  const columns = Array.from({ length: size }, (_, column) => String.fromCharCode(97 + column));
  const rows = rowsOf(state).map(
    (row, at) => `${" ".repeat(at)}${String(at + 1).padStart(2)}  ${Array.from(row).join(" ")}`,
  );
  const next = state.winner >= 0 ? `${STONES[state.winner]} has won` : `${STONES[state.turn]} to move`;
  return [`   ${columns.join(" ")}`, ...rows, next].join("\n");
}
