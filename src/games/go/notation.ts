import { InputError } from "../../base/errors.ts";
import { TERMINAL, type Rules } from "../contract/rules.ts";
import { parseLegal, possibleActions } from "../contract/notation.ts";
import { actionAt, COLUMN_NAMES, EMPTY } from "./board.ts";
import { GoState, NO_POINT, type GoRules } from "./state.ts";

const STONES = "XO";
const TURNS = "bw";
const NAMES = ["black", "white"] as const;
const REPEATED = "repeated";

/** `d4`, letters without i and rows from the bottom as in GTP, or `pass`. */
export function formatAction(action: number, { size, pass }: GoState): string {
  return action === pass ? "pass" : formatPoint(action, size);
}

/** `d4` for the action of a point. */
export function formatPoint(action: number, size: number): string {
  const row = Math.floor(action / size);
  return `${COLUMN_NAMES[action - row * size]}${row + 1}`;
}

/** Reads `d4`, `D4`, `PASS`; the mover's colour may come first: `B d4`, `white pass`. */
export function parseAction(text: string, state: GoState, game: Rules<GoState>): number {
  const given = text.trim().toLowerCase();
  const [, colour, move = given] = /^(b|black|w|white)\s+(\S+)$/.exec(given) ?? [];
  if (state.toMove === TERMINAL) return parseLegal(game, text, state);
  if (colour !== undefined && colour[0] !== TURNS[state.turn])
    throw new InputError(`"${text.trim()}": it is ${NAMES[state.turn]}'s turn`);
  const action = move === "pass" ? state.pass : parsePoint(move, state.size);
  if (action < 0) return parseLegal(game, text, state);
  if (!possibleActions(game, state).includes(action))
    throw new InputError(`"${text.trim()}" is not possible here: ${reason(action, state)}`);
  return action;
}

/** The action of a point by its name, such as `d4`; -1 if there is no such point. */
function parsePoint(name: string, size: number): number {
  const [, letter = "", number] = /^([a-z])(\d+)$/.exec(name) ?? [];
  const column = letter === "" ? -1 : COLUMN_NAMES.indexOf(letter);
  const row = Number(number) - 1;
  return column >= 0 && column < size && row >= 0 && row < size ? row * size + column : -1;
}

/** The reason why an action on the board is not legal. */
function reason(action: number, state: GoState): string {
  const point = state.board.pointOf[action];
  const name = formatAction(action, state);
  if (state.colour[point] !== EMPTY) return `${name} is occupied`;
  if (point === state.ko) return `${name} was captured just now (ko)`;
  if (state.rules.superko && state.breathes(point)) return "it repeats an earlier board (superko)";
  return "it would take the player's own stones (suicide)";
}

/** The points that only ko forbids to the player to move. */
function koPoints(state: GoState): number[] {
  if (!state.rules.superko) return state.ko === NO_POINT ? [] : [state.ko];
  return Array.from(state.board.pointOf).filter(
    (point) => state.colour[point] === EMPTY && state.breathes(point) && state.isRepetition(point),
  );
}

/**
 * The position on one line, such as `9/9/9/9/4X4/9/9/9/9 w - 0 1`. First the rows from the top, with X for black, O for
 * white and numbers for runs of empty points. Then the turn; the points that ko forbids, or `-`; the number of passes just
 * before, or `repeated` if the last move brought back an earlier board and so ended the game; and the number of moves. The
 * text does not tell earlier boards, except by the ko points.
 */
export function formatState(state: GoState): string {
  const rows = boardRows(state).map((row) => row.replace(/\.+/g, (run) => String(run.length)));
  const ko = koPoints(state).map((point) => formatAction(actionAt(state.board, point), state));
  const passes = state.repeated ? REPEATED : state.passes;
  return `${rows.join("/")} ${TURNS[state.turn]} ${ko.join(",") || "-"} ${passes} ${state.moves}`;
}

/** The rows from the top, a character for each point. */
function boardRows({ size, board, colour }: GoState): string[] {
  return Array.from({ length: size }, (_, fromTop) =>
    Array.from({ length: size }, (__, column) => {
      const point = board.pointOf[(size - 1 - fromTop) * size + column];
      return STONES[colour[point]] ?? ".";
    }).join(""),
  );
}

/**
 * Reads what `formatState` writes, or `start`. The fields from ko on may be left out. Moves may follow:
 * `start moves d4 e5 pass`.
 */
export function parseState(text: string, game: Rules<GoState>, rules: GoRules): GoState {
  const state = game.start();
  const [position = "", moves = ""] = text.trim().split(/\s+moves\s+/);
  if (position !== "start") readPosition(state, position, rules);
  for (const move of moves.split(/\s+/).filter((word) => word !== ""))
    state.apply(parseAction(move, state, game));
  return state;
}

function readPosition(state: GoState, text: string, rules: GoRules): void {
  const [rows = "", turn = "", ko = "-", passes = "0", moves = "0", ...rest] = text.split(/\s+/);
  if (rest.length > 0) throw new InputError(`"${rest.join(" ")}" in "${text}" comes after the last field`);
  readRows(state, rows);
  state.turn = TURNS.indexOf(turn);
  if (turn.length !== 1 || state.turn < 0)
    throw new InputError(`the turn in "${text}" is "${turn}"; allowed: b, w after the rows`);
  if (!/^\d+$/.test(moves) || Number(moves) > rules.moveLimit)
    throw new InputError(`the moves in "${text}" are "${moves}"; allowed: 0 to ${rules.moveLimit}`);
  state.moves = Number(moves);
  const canRepeat = rules.drawByRepetition;
  if (!/^[012]$/.test(passes) && !(passes === REPEATED && canRepeat)) {
    const allowed = `0, 1, 2${canRepeat ? `, ${REPEATED}` : ""}`;
    throw new InputError(`the passes in "${text}" are "${passes}"; allowed: ${allowed}`);
  }
  state.repeated = passes === REPEATED;
  state.passes = state.repeated ? 0 : Number(passes);
  if (ko !== "-") readKo(state, ko, text);
  state.settle();
}

function readRows(state: GoState, text: string): void {
  const { size, board, colour } = state;
  const rows = text.split("/").map((row) => row.replace(/\d+/g, (run) => ".".repeat(Math.min(+run, 99))));
  if (rows.length !== size || rows.some((row) => row.length !== size))
    throw new InputError(`"${text}" is not ${size} rows of ${size} points`);
  const wrong = /[^XO.]/i.exec(rows.join(""))?.[0];
  if (wrong !== undefined) throw new InputError(`"${wrong}" in "${text}"; allowed: X, O and numbers`);
  const cells = rows.toReversed().join("").toUpperCase();
  const stones = Array.from(cells, (cell) => STONES.indexOf(cell));
  stones.forEach((player, action) => {
    if (player >= 0) state.put(board.pointOf[action], player);
  });
  const gone = stones.findIndex((player, action) => player >= 0 && colour[board.pointOf[action]] !== player);
  if (gone >= 0)
    throw new InputError(`the stone on ${formatAction(gone, state)} in "${text}" has no liberty`);
}

function readKo(state: GoState, list: string, text: string): void {
  const fail = (name: string) =>
    new InputError(`ko cannot forbid "${name}" in "${text}"; allowed: -, or where a stone was taken`);
  const names = list.split(",");
  for (const name of names) {
    const action = parsePoint(name.toLowerCase(), state.size);
    const point = action < 0 ? NO_POINT : state.board.pointOf[action];
    if (state.colour[point] !== EMPTY || !state.breathes(point)) throw fail(name);
    if (state.rules.superko) {
      state.forbid(point);
    } else {
      const surrounded = !state.isBeside(point, EMPTY) && !state.isBeside(point, state.turn);
      if (names.length > 1 || !surrounded || !state.wouldTakeKo(point)) throw fail(name);
      state.ko = point;
    }
  }
}

/** The board with its coordinates, X for black and O for white; then the turn, ko and the moves played. */
export function render(state: GoState): string {
  const { size, moves } = state;
  const columns = `    ${Array.from(COLUMN_NAMES.slice(0, size)).join(" ")}`;
  const rows = boardRows(state).map((row, fromTop) => {
    const number = String(size - fromTop);
    return ` ${number.padStart(2)} ${Array.from(row).join(" ")} ${number}`;
  });
  return [columns, ...rows, columns, ` ${describe(state)}, ${moves} moves played`].join("\n");
}

function describe(state: GoState): string {
  if (state.repeated) return "game over, an earlier board has come back";
  if (state.toMove === TERMINAL) return "game over";
  const ko = koPoints(state).map((point) => formatAction(actionAt(state.board, point), state));
  const passed = state.passes === 1 ? `${NAMES[1 - state.turn]} has passed, ` : "";
  const forbidden = ko.length > 0 ? `, ko at ${ko.join(" ")}` : "";
  return `${passed}${STONES[state.turn]} (${NAMES[state.turn]}) to move${forbidden}`;
}
