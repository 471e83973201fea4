import { InputError } from "../../base/errors.ts";
import { TERMINAL } from "../contract/rules.ts";
import { squareName, PASS, type OthelloState } from "./state.ts";
import { STRIDE } from "../shared/square-set.ts";

const NAMES = ["Black", "White"] as const;

/** `c4`: column from the left, row from the top; or `pass`. */
export function formatAction(action: number): string {
  return action === PASS ? "pass" : squareName(action);
}

/** All squares row by row, X for Black, O for White and - for none; then X or O for the player to move. */
export function formatState(state: OthelloState): string {
  return `${rows(state).join("")} ${"XO"[state.turn]}`;
}

function rows(state: OthelloState): string[] {
  return Array.from({ length: state.size }, (_, row) =>
    Array.from({ length: state.size }, (__, column) => {
      const square = STRIDE * row + column;
      return state.black.has(square) ? "X" : state.white.has(square) ? "O" : "-";
    }).join(""),
  );
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
    const names = Array.from(legal.subarray(0, state.legalActions(legal, 0)), formatAction);
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
  state.black.clear();
  state.white.clear();
  Array.from(symbols.slice(0, -1)).forEach((symbol, index) => {
    const square = STRIDE * Math.floor(index / size) + (index % size);
    if (symbol === "X") state.black.add(square);
    else if (symbol === "O") state.white.add(square);
  });
  state.turn = "XO".indexOf(symbols.at(-1)!);
  if (state.turn < 0)
    throw new InputError(`"${text}" ends with "-"; the last sign is the player to move, X or O`);
  const middle = size / 2;
  for (const square of [-1, 0].flatMap((row) =>
    [-1, 0].map((column) => STRIDE * (middle + row) + middle + column),
  )) {
    if (!state.black.has(square) && !state.white.has(square))
      throw new InputError(`${squareName(square)} is empty in "${text}"; the four middle squares never are`);
  }
  state.settle();
}

/** The board with Black's discs as ●, White's as ○ and moves as +; then the discs of each player and the turn. */
export function render(state: OthelloState): string {
  const columns = `   ${Array.from("abcdefgh").slice(0, state.size).join(" ")}`;
  const board = rows(state).map((cells, row) => {
    const signs = Array.from(cells, (cell, column) =>
      cell === "X" ? "●" : cell === "O" ? "○" : state.moves.has(STRIDE * row + column) ? "+" : "·",
    );
    return ` ${row + 1} ${signs.join(" ")}`;
  });
  const discs = `● ${state.black.count()}  ○ ${state.white.count()}`;
  const pass = state.moves.isEmpty() ? ", who must pass" : "";
  const next = state.toMove === TERMINAL ? "game over" : `${NAMES[state.turn]} to move${pass}`;
  return [columns, ...board, ` ${discs}  ${next}`].join("\n");
}
