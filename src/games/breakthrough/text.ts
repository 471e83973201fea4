import { InputError } from "../../base/errors.ts";
import { TERMINAL } from "../contract/rules.ts";
import { BLACK, PLAYER_NAMES, WHITE } from "../shared/two-sets.ts";
import { type BreakthroughState, originOf, targetOf } from "./state.ts";

/** `d7d6`, `d4c5*` for a capture: columns from the left, rows from the bottom. */
export function formatAction(action: number, state: BreakthroughState): string {
  const to = targetOf(action, state.turn);
  const captures = (state.turn === BLACK ? state.white : state.black).has(to);
  return state.board.nameOf(originOf(action)) + state.board.nameOf(to) + (captures ? "*" : "");
}

const SIGNS = "bw.";

/** Rows from the top, `b` and `w` for pieces, digits for runs of empty squares, then the turn: `bbb/bbb/3/www/www b`. */
export function formatState(state: BreakthroughState): string {
  const rows = state.rows(SIGNS).map((row) => row.replace(/\.+/g, (run) => String(run.length)));
  return `${rows.join("/")} ${SIGNS[state.turn]}`;
}

/** Reads `formatState`'s form, or `start`, into a state at the start of the game. */
export function parseState(text: string, state: BreakthroughState): BreakthroughState {
  const given = text.trim();
  if (given === "start") return state;
  const [board = "", turn = "", ...rest] = given.split(/\s+/);
  if (!/^[bw]$/.test(turn) || rest.length > 0) {
    throw new InputError(`"${text}" must be the rows, then b or w to move, such as "${formatState(state)}"`);
  }
  const { width, height } = state.board;
  const rows = board.split("/").map((row) => row.replace(/\d/g, (digit) => ".".repeat(Number(digit))));
  if (rows.length !== height || rows.some((row) => row.length !== width))
    throw new InputError(`"${board}" is not ${height} rows of ${width} squares`);
  const cells = rows.join("");
  const wrong = /[^bw.]/u.exec(cells)?.[0];
  if (wrong !== undefined) throw new InputError(`"${wrong}" in "${board}"; allowed: b, w and digits`);
  state.place(cells, SIGNS);
  state.turn = SIGNS.indexOf(turn);
  settle(state, rows, text);
  return state;
}

/** Sets the winner, if there is one; throws InputError for a position that no game leads to. */
function settle(state: BreakthroughState, rows: readonly string[], text: string): void {
  const most = state.pieceRows * state.board.width;
  const counts = [state.black.count(), state.white.count()];
  counts.forEach((count, player) => {
    if (count > most)
      throw new InputError(`${PLAYER_NAMES[player]} has ${count} pieces in "${text}"; at most ${most}`);
  });
  const arrived = [rows.at(-1)!.replace(/[^b]/g, "").length, rows[0]!.replace(/[^w]/g, "").length];
  for (const player of [BLACK, WHITE]) {
    const through = arrived[player]! > 0;
    if (arrived[player]! > 1)
      throw new InputError(`${PLAYER_NAMES[player]} has broken through twice in "${text}"`);
    if ((through || counts[1 - player] === 0) && state.turn === player) {
      throw new InputError(`${PLAYER_NAMES[player]} has won in "${text}", and cannot be to move`);
    }
    if (through || counts[1 - player] === 0) state.winner = player;
  }
  state.toMove = state.winner < 0 ? state.turn : TERMINAL;
}

/** The board with Black, who moves down, as ● and White as ○. */
export function render(state: BreakthroughState): string {
  const { rowNames, columnNames } = state.board;
  const rows = state.rows("●○·").map((row, at) => ` ${rowNames[at]} ${Array.from(row).join(" ")}`);
  return [...rows, `   ${columnNames.join(" ")}`, ` ${state.next()}`].join("\n");
}
