import { InputError } from "../../base/errors.ts";
import { TERMINAL, type Rules } from "../contract/rules.ts";
import { parseLegal, possibleActions } from "../contract/notation.ts";
import { FROM_SHIFT, TO_MASK } from "./moves.ts";
import { ChineseCheckersState, EMPTY, PASS, stepsLeft } from "./state.ts";
import type { Seating, Star } from "./star.ts";

/** By player: the letter of the men. */
export const MEN = "ABCDEF";

/** `d1-e5`: start and end, without the jumps in between; `pass` for a player without a move. */
export function formatAction(action: number, { names }: Star): string {
  return action === PASS ? "pass" : `${names[action >> FROM_SHIFT]}-${names[action & TO_MASK]}`;
}

/** Reads the text of `formatAction`; throws InputError, which lists the legal actions. */
export function parseAction(
  game: Rules<ChineseCheckersState>,
  text: string,
  state: ChineseCheckersState,
): number {
  const { names } = state.star;
  const cells = text
    .trim()
    .split("-")
    .map((name) => names.indexOf(name));
  const action = cells.length === 2 ? (cells[0]! << FROM_SHIFT) | cells[1]! : -1;
  return possibleActions(game, state).includes(action) ? action : parseLegal(game, text, state);
}

/**
 * Rows from the top, `A` to `F` for the players' men, digits for runs of empty cells; then the turn and the round,
 * counted from 1: `A/AA/7/6/5/6/7/BB/B A 1`.
 */
export function formatState(state: ChineseCheckersState): string {
  const rows = boardRows(state).map((row) => row.replace(/\.+/g, (run) => String(run.length)));
  return `${rows.join("/")} ${MEN[state.turn]} ${roundOf(state)}`;
}

/** The round of a position, counted from 1. */
export function roundOf({ turns, seating }: ChineseCheckersState): number {
  return Math.floor(turns / seating.players) + 1;
}

function boardRows({ star, cells }: ChineseCheckersState): string[] {
  return star.rows.map((row) => row.map((cell) => `.${MEN}`[cells[cell]]).join(""));
}

/** Reads `formatState`'s form, or `start`. */
export function parseState(text: string, seating: Seating): ChineseCheckersState {
  const state = new ChineseCheckersState(seating);
  const given = text.trim();
  if (given === "start") return state;
  const { players, maxRounds } = seating;
  const men = MEN.slice(0, players);
  const [, board = "", player = "", number = ""] = /^(\S+) ([A-Z]) (\d+)$/.exec(given) ?? [];
  const turn = men.indexOf(player);
  if (player === "" || turn < 0) {
    throw new InputError(
      `"${given}" must be the rows, who is to move (${men[0]} to ${men.at(-1)}), and the round, such as "${formatState(state)}"`,
    );
  }
  const owners = parseBoard(board, seating, men);
  const round = Number(number);
  const turns = (round - 1) * players + turn;
  if (round < 1 || turns > players * maxRounds) {
    throw new InputError(
      `round ${round} in "${given}"; allowed: 1 to ${maxRounds}, or ${men[0]} ${maxRounds + 1} at the end of the game`,
    );
  }
  state.place(owners, turns);
  const arrived = Array.from(men).filter((_, other) => state.hasArrived(other));
  if (arrived.length > 1) throw new InputError(`${arrived.join(" and ")} have both arrived in "${given}"`);
  return state;
}

function parseBoard(board: string, { star }: Seating, men: string): number[] {
  const rows = board
    .split("/")
    .map((row) => row.replace(/\d+/g, (count) => ".".repeat(Math.min(Number(count), star.cells))));
  if (rows.length !== star.rows.length) {
    throw new InputError(`"${board}" has ${rows.length} rows; this star has ${star.rows.length}`);
  }
  rows.forEach((row, number) => {
    const { length } = star.rows[number]!;
    if (row.length !== length)
      throw new InputError(`row ${number + 1} of "${board}" has ${row.length} cells; ${length} are due`);
  });
  const owners = Array.from(rows.join(""), (cell) => {
    if (cell !== "." && !men.includes(cell))
      throw new InputError(`"${cell}" in "${board}"; allowed: ${Array.from(men).join(", ")} and digits`);
    return cell === "." ? EMPTY : men.indexOf(cell) + 1;
  });
  Array.from(men).forEach((name, player) => {
    const count = owners.filter((owner) => owner === player + 1).length;
    if (count !== star.men)
      throw new InputError(`${name} has ${count} men in "${board}"; ${star.men} are due`);
  });
  return owners;
}

/** The star with row letters, cells counted from the left; then the turn, and the steps left of each player. */
export function render(state: ChineseCheckersState): string {
  const { star, seating } = state;
  const widest = Math.max(...star.rows.map((row) => row.length));
  const rows = boardRows(state).map(
    (row, number) =>
      `${star.names[star.rows[number]![0]!]![0]}  ${" ".repeat(widest - row.length)}${Array.from(row).join(" ")}`,
  );
  const left = Array.from(
    MEN.slice(0, seating.players),
    (name, player) => `${name} ${stepsLeft(state, player)}`,
  );
  const next =
    state.winner >= 0
      ? `${MEN[state.winner]} has won`
      : state.toMove === TERMINAL
        ? `over after ${seating.maxRounds} rounds`
        : `${MEN[state.turn]} to move, round ${roundOf(state)} of ${seating.maxRounds}`;
  return [...rows, `${next}; steps left: ${left.join(", ")}`].join("\n");
}
