import { InputError } from "../../base/errors.ts";
import { TERMINAL } from "../contract/rules.ts";
import { STRIDE } from "../shared/square-set.ts";
import { BLACK, type BreakthroughState, originOf, targetOf, WHITE } from "./state.ts";

const NAMES = ["Black", "White"] as const;
export const COLUMN_NAMES = "abcdefgh";

/** `d7d6`, `d4c5*` for a capture: columns from the left, rows from the bottom. */
export function formatAction(action: number, state: BreakthroughState): string {
  const to = targetOf(action, state.turn);
  const captures = (state.turn === BLACK ? state.white : state.black).has(to);
  const { height } = state.shape;
  return `${squareName(originOf(action), height)}${squareName(to, height)}${captures ? "*" : ""}`;
}

/** `c2`: columns from the left, rows from the bottom. */
export function squareName(square: number, height: number): string {
  return `${COLUMN_NAMES[square % STRIDE]}${height - Math.floor(square / STRIDE)}`;
}

/** Rows from the top, `b` and `w` for pieces, digits for runs of empty squares, then the turn: `bbb/bbb/3/www/www b`. */
export function formatState(state: BreakthroughState): string {
  const rows = boardRows(state).map((row) => row.replace(/\.+/g, (run) => String(run.length)));
  return `${rows.join("/")} ${"bw"[state.turn]}`;
}

function boardRows(state: BreakthroughState): string[] {
  return Array.from({ length: state.shape.height }, (_, row) =>
    Array.from({ length: state.shape.width }, (__, column) => {
      const square = STRIDE * row + column;
      return state.black.has(square) ? "b" : state.white.has(square) ? "w" : ".";
    }).join(""),
  );
}

/** Reads `formatState`'s form, or `start`, into a state at the start of the game. */
export function parseState(text: string, state: BreakthroughState): BreakthroughState {
  const given = text.trim();
  if (given === "start") return state;
  const [board = "", turn = "", ...rest] = given.split(/\s+/);
  if (!/^[bw]$/.test(turn) || rest.length > 0) {
    throw new InputError(`"${text}" must be the rows, then b or w to move, such as "${formatState(state)}"`);
  }
  const rows = board.split("/").map((row) => row.replace(/\d/g, (digit) => ".".repeat(Number(digit))));
  if (rows.length !== state.shape.height || rows.some((row) => row.length !== state.shape.width)) {
    throw new InputError(`"${board}" is not ${state.shape.height} rows of ${state.shape.width} squares`);
  }
  state.black.clear();
  state.white.clear();
  rows.forEach((cells, row) =>
    Array.from(cells).forEach((cell, column) => {
      if (cell === "b") state.black.add(STRIDE * row + column);
      else if (cell === "w") state.white.add(STRIDE * row + column);
      else if (cell !== ".") throw new InputError(`"${cell}" in "${board}"; allowed: b, w and digits`);
    }),
  );
  state.turn = "bw".indexOf(turn);
  settle(state, rows, text);
  return state;
}

/** Sets the winner, if there is one; throws InputError for a position that no game leads to. */
function settle(state: BreakthroughState, rows: readonly string[], text: string): void {
  const most = state.shape.pieceRows * state.shape.width;
  const counts = [state.black.count(), state.white.count()];
  counts.forEach((count, player) => {
    if (count > most)
      throw new InputError(`${NAMES[player]} has ${count} pieces in "${text}"; at most ${most}`);
  });
  const arrived = [rows.at(-1)!.replace(/[^b]/g, "").length, rows[0]!.replace(/[^w]/g, "").length];
  for (const player of [BLACK, WHITE]) {
    const through = arrived[player]! > 0;
    if (arrived[player]! > 1) throw new InputError(`${NAMES[player]} has broken through twice in "${text}"`);
    if ((through || counts[1 - player] === 0) && state.turn === player) {
      throw new InputError(`${NAMES[player]} has won in "${text}", and cannot be to move`);
    }
    if (through || counts[1 - player] === 0) state.winner = player;
  }
  state.toMove = state.winner < 0 ? state.turn : TERMINAL;
}

/** The board with Black, who moves down, as ● and White as ○. */
export function render(state: BreakthroughState): string {
  const rows = boardRows(state).map((cells, row) => {
    const signs = Array.from(cells, (cell) => (cell === "b" ? "●" : cell === "w" ? "○" : "·"));
    return ` ${state.shape.height - row} ${signs.join(" ")}`;
  });
  const columns = `   ${Array.from(COLUMN_NAMES.slice(0, state.shape.width)).join(" ")}`;
  const next = state.toMove === TERMINAL ? "game over" : `${NAMES[state.turn]} to move`;
  return [...rows, columns, ` ${next}`].join("\n");
}
