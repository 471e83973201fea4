import { InputError } from "../../base/errors.ts";
import { TicTacToeState } from "./state.ts";

const STONES = "xo";

/** `a1` for cell 0, `b1` for cell 1, ... `c3` for cell 8; row 1 is the top row. */
export function formatCell(cell: number): string {
  return `${"abc"[cell % 3]}${Math.floor(cell / 3) + 1}`;
}

function stoneAt(state: TicTacToeState, cell: number): string {
  return ((state.first >>> cell) & 1) === 1 ? "x" : ((state.second >>> cell) & 1) === 1 ? "o" : ".";
}

function rowsOf(state: TicTacToeState): string[] {
  return [0, 3, 6].map((start) => [0, 1, 2].map((column) => stoneAt(state, start + column)).join(""));
}

/** Rows from the top, `x`, `o` and `.` for an empty cell: `x.o/.../...`. */
export function formatState(state: TicTacToeState): string {
  return rowsOf(state).join("/");
}

export function parseState(text: string): TicTacToeState {
  const given = text.trim();
  if (!/^[xo.]{3}(\/[xo.]{3}){2}$/.test(given)) {
    throw new InputError(`"${given}" is not three rows of three cells (x, o or .), such as "x.o/.../..."`);
  }
  const cells = Array.from(given.replaceAll("/", ""));
  const xs = cells.flatMap((stone, cell) => (stone === "x" ? [cell] : []));
  const os = cells.flatMap((stone, cell) => (stone === "o" ? [cell] : []));
  if (xs.length !== os.length && xs.length !== os.length + 1) {
    throw new InputError(
      `"${given}" has ${xs.length} x and ${os.length} o; x moves first, so it has as many as o or one more`,
    );
  }
  const state = new TicTacToeState();
  xs.forEach((cell, turn) => {
    state.apply(cell);
    if (turn < os.length) state.apply(os[turn]!);
  });
  const lastMover = xs.length === os.length ? 1 : 0;
  const [last, other] = [state.hasLine(lastMover), state.hasLine(1 - lastMover)];
  if (last && other) throw new InputError(`both players have three in a line in "${given}"`);
  if (other) {
    const winner = STONES[1 - lastMover];
    throw new InputError(`"${winner}" has three in a line in "${given}", yet the other moved last`);
  }
  return state;
}

/** Columns are a to c, rows 1 to 3 from the top. */
export function render(state: TicTacToeState): string {
  const rows = rowsOf(state).map((row, index) => `${index + 1} ${Array.from(row).join(" ")}`);
  return [...rows, "  a b c"].join("\n");
}
