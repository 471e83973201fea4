import { InputError } from "../../base/errors.ts";
import { TERMINAL } from "../contract/rules.ts";
import { STRIDE } from "../shared/square-set.ts";
import { PASS, type OthelloState } from "./state.ts";

const SIGNS = "XO-";

/** `c4`: column from the left, row from the top; or `pass`. */
export function formatAction(action: number, state: OthelloState): string {
  return action === PASS ? "pass" : state.board.nameOf(action);
}

/** The discs on the board at the end, those of the winner first: `34 discs to 30`. */
export function describeEnding({ black, white }: OthelloState): string {
  const [most, least] = [black.count(), white.count()].toSorted((one, other) => other - one);
  return `${most} discs to ${least}`;
}

/** All squares row by row, X for Black, O for White and - for none; then X or O for the player to move. */
export function formatState(state: OthelloState): string {
  return `${state.rows(SIGNS).join("")} ${SIGNS[state.turn]}`;
}

/**
 * Reads what `formatState` writes, also with `*`, `b` or `w` for discs, `.` for none, and spaces or
 * slashes between rows. It also reads the moves from the start: `f5d6c3`, with passes or without.
 * @param state the start; it becomes the position
 */
export function parseState(text: string, state: OthelloState): OthelloState {
  const given = text.trim();
  if (given === "start") return state;
  if (/^([a-h][1-8]|pass|\s)+$/i.test(given)) playTranscript(state, given);
  else readBoard(state, given);
  return state;
}

function playTranscript(state: OthelloState, text: string): void {
  const legal = new Int32Array(PASS);
  for (const [move] of text.toLowerCase().matchAll(/[a-h][1-8]|pass/g)) {
    if (state.toMove === TERMINAL)
      throw new InputError(`${move} in "${text}" comes after the end of the game`);
    if (move !== "pass" && state.moves.isEmpty()) state.apply(PASS);
    const names = Array.from(legal.subarray(0, state.legalActions(legal, 0)), (action) =>
      formatAction(action, state),
    );
    const at = names.indexOf(move);
    if (at < 0)
      throw new InputError(`${move} in "${text}" is not possible there; allowed: ${names.join(" ")}`);
    state.apply(legal[at]);
  }
}

function readBoard(state: OthelloState, text: string): void {
  const { size } = state;
  const symbols = text
    .replace(/[\s/]/g, "")
    .toUpperCase()
    .replace(/[*B]/g, "X")
    .replace(/W/g, "O")
    .replace(/\./g, "-");
  const wrong = /[^XO-]/.exec(symbols)?.[0];
  if (wrong !== undefined) {
    throw new InputError(
      `"${wrong}" in "${text}"; allowed: X, O and - for each square, then X or O to move; or moves such as f5d6`,
    );
  }
  if (symbols.length !== size * size + 1) {
    throw new InputError(
      `"${text}" has ${symbols.length} signs; a ${size}x${size} board has ${size * size}, and one for the player to move`,
    );
  }
  state.place(symbols.slice(0, -1), SIGNS);
  state.turn = "XO".indexOf(symbols.at(-1)!);
  if (state.turn < 0)
    throw new InputError(`"${text}" ends with "-"; the last sign is the player to move, X or O`);
  const middle = size / 2;
  for (const square of [-1, 0].flatMap((row) =>
    [-1, 0].map((column) => STRIDE * (middle + row) + middle + column),
  )) {
    if (state.ownerOf(square) === undefined)
      throw new InputError(
        `${state.board.nameOf(square)} is empty in "${text}"; the four middle squares never are`,
      );
  }
  state.settle();
}

/** The board with Black's discs as ●, White's as ○ and moves as +; then the discs of each player and the turn. */
export function render(state: OthelloState): string {
  const { board, black, white, moves } = state;
  const rows = board
    .map((square) => "●○"[state.ownerOf(square) ?? -1] ?? (moves.has(square) ? "+" : "·"))
    .map((row, at) => ` ${board.rowNames[at]} ${row.join(" ")}`);
  const pass = state.toMove !== TERMINAL && moves.isEmpty() ? ", who must pass" : "";
  const discs = ` ● ${black.count()}  ○ ${white.count()}  ${state.next()}${pass}`;
  return [`   ${board.columnNames.join(" ")}`, ...rows, discs].join("\n");
}
