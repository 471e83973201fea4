import { InputError } from "../../base/errors.ts";
import { CHANCE, TERMINAL } from "../contract/rules.ts";
import { canBeSolved, EMPTY, SlidingPuzzleState, type SlidingPuzzle } from "./state.ts";

/** The direction in which a tile slides, by action. */
const DIRECTIONS = ["up", "right", "down", "left"] as const;

/** Row and column, such as `r1c3`. */
export function cellName(cell: number, size: number): string {
  return `r${Math.floor(cell / size) + 1}c${(cell % size) + 1}`;
}

/** A direction, or a chance outcome: the empty cell, then tiles. */
export function formatAction(action: number, { toMove, dealt, form }: SlidingPuzzleState): string {
  if (toMove !== CHANCE) return DIRECTIONS[action]!;
  return dealt === 0 ? cellName(action, form.size) : String(action);
}

/** The tiles row by row, `.` for the empty cell, `?` for those that are not dealt yet. */
function rowsOf(state: SlidingPuzzleState): string[][] {
  const { size } = state.form;
  const nameOf = (tile: number, cell: number) => (tile > 0 ? String(tile) : state.isOpen(cell) ? "?" : ".");
  const names = Array.from(state.tiles, nameOf);
  return Array.from({ length: size }, (_, row) => names.slice(row * size, (row + 1) * size));
}

/** Rows from the top, and the moves so far: `1 2 3 / 4 . 5 / 7 8 6 moves 4`. */
export function formatState(state: SlidingPuzzleState): string {
  return `${rowsOf(state)
    .map((row) => row.join(" "))
    .join(" / ")} moves ${state.moves}`;
}

/** Reads what `formatState` writes; without `moves`, there were none. */
export function parseState(text: string, form: SlidingPuzzle): SlidingPuzzleState {
  const refuse = (message: string) => new InputError(`"${text}": ${message}`);
  const [, board, moves = "0"] = /^(.*?)(?:\s+moves (\d+))?$/.exec(text.trim())!;
  const rows = board!.split("/").map((row) => row.trim().split(/\s+/));
  if (rows.length !== form.size || rows.some((row) => row.length !== form.size))
    throw refuse(
      `not ${form.size} rows of ${form.size} tiles, with "/" between rows and "." for the empty cell`,
    );
  const names = rows.flat();
  const tiles = names.map((name) =>
    name === "." ? EMPTY : name === "?" ? undefined : /^[1-9]\d?$/.test(name) ? Number(name) : Number.NaN,
  );
  for (const [at, tile] of tiles.entries()) {
    if (tile === undefined) continue;
    if (!(tile < form.cells))
      throw refuse(`"${names[at]}" is no tile; allowed: "." and 1 to ${form.cells - 1}`);
    if (tiles.indexOf(tile) < at) throw refuse(`tile ${names[at]} is there twice`);
  }
  if (Number(moves) > form.maxMoves) throw refuse(`${moves} moves; the game ends after ${form.maxMoves}`);
  if (tiles.includes(undefined)) {
    const others = tiles.filter((tile) => tile !== EMPTY);
    const known = others.filter((tile) => tile !== undefined);
    const isInOrder = others.slice(0, known.length).every((tile) => tile !== undefined);
    if (
      !isInOrder ||
      known.length > form.cells - 4 ||
      Number(moves) > 0 ||
      (known.length > 0 && others.length === tiles.length)
    )
      throw refuse(
        `"?" stands for tiles that are still to be dealt: first comes the empty cell, then tiles in order, the last two at once`,
      );
  } else if (!canBeSolved(tiles as number[], form.size))
    throw refuse(
      "no moves lead from it to the goal; two tiles that change places make it a position that can be solved",
    );
  const state = new SlidingPuzzleState(form);
  state.place(tiles, Number(moves));
  return state;
}

/** The rows, and the moves below them. */
export function render(state: SlidingPuzzleState): string {
  const width = String(state.form.cells - 1).length;
  const rows = rowsOf(state).map((row) => row.map((name) => name.padStart(width)).join(" "));
  const next =
    state.toMove === CHANCE ? ", a tile is dealt" : state.toMove === TERMINAL ? `, ${ending(state)}` : "";
  return [...rows, `moves ${state.moves}${next}`].join("\n");
}

/** The reason why a game is over. */
export function ending({ distance }: SlidingPuzzleState): string {
  return distance === 0 ? "solved" : "out of moves";
}
