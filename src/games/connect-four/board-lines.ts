import { LINE_STEPS, type Offset } from "../contract/grid.ts";
import { ANTI_DIAGONALS, COLUMNS, DIAGONALS, MAX_WIDTH, ROWS } from "./state.ts";

/** The length of a line of stones that wins. */
const FOUR = 4;

/** A row, column or diagonal with room for four. */
export interface BoardLine {
  readonly name: string;
  /** The index in the state's `lines`, and the bit there of the first cell. */
  readonly source: number;
  readonly shift: number;
  /** Its cells, lowest bit first. */
  readonly cells: readonly { readonly column: number; readonly row: number }[];
  /** The number of its mirror image, left to right, perhaps its own; and whether that one runs the other way. */
  readonly mirror: number;
  readonly mirrorReversed: boolean;
  /** The first of its codes. */
  readonly offset: number;
}

/**
 * Every line of a board (25 on the usual 7x6), with a code for each way to fill it. The code is the line's `offset` plus a
 * number in base 3 with one digit for each cell, the first cell's digit lowest: 0 empty, 1 the first player's stone, 2 the
 * second player's. With a table over all codes, an evaluation is one look-up for each line.
 */
export interface BoardLines {
  readonly lines: readonly BoardLine[];
  /** The members of `lines` as arrays, for loops. */
  readonly source: Int32Array;
  readonly shift: Int32Array;
  readonly mask: Int32Array;
  readonly offset: Int32Array;
  /** Number of codes of all lines together. */
  readonly codes: number;
}

/** By set of cells: the base-3 number with the bits as its digits. The second player's number counts twice in a code. */
export const TERNARY = Int32Array.from({ length: 1 << MAX_WIDTH }, (_, cells) =>
  parseInt(cells.toString(2), 3),
);

/** The four directions from the left to the right, or upward. Rows are counted from below. */
const DIRECTIONS: readonly Offset[] = LINE_STEPS.map(({ row, column }) =>
  column < 0 ? { row: 0 - row, column: 0 - column } : { row, column },
);

/** In the order of DIRECTIONS: the name of such a line, and the index in `lines` of the one through a cell. */
const KINDS = [
  { name: "row", source: (_column: number, row: number) => ROWS + row },
  { name: "column", source: (column: number) => COLUMNS + column },
  { name: "diagonal", source: (column: number, row: number) => DIAGONALS + column - row },
  { name: "anti-diagonal", source: (column: number, row: number) => ANTI_DIAGONALS + column + row },
] as const;

export function createBoardLines(width: number, height: number): BoardLines {
  const onBoard = (column: number, row: number) => column >= 0 && column < width && row >= 0 && row < height;
  const found: Omit<BoardLine, "mirror" | "offset">[] = [];
  for (const [kind, { row: rows, column: columns }] of DIRECTIONS.entries()) {
    const { name, source } = KINDS[kind]!;
    for (let column = 0; column < width; column++) {
      for (let row = 0; row < height; row++) {
        if (onBoard(column - columns, row - rows)) continue;
        const cells: { column: number; row: number }[] = [];
        for (let c = column, r = row; onBoard(c, r); c += columns, r += rows)
          cells.push({ column: c, row: r });
        if (cells.length < FOUR) continue;
        found.push({
          name: `${name} from ${column + 1},${row + 1}`,
          source: source(column, row),
          shift: columns === 0 ? row : column,
          cells,
          mirrorReversed: columns !== 0,
        });
      }
    }
  }
  const key = (cells: BoardLine["cells"], mirrored: boolean) =>
    cells
      .map(({ column, row }) => row * width + (mirrored ? width - 1 - column : column))
      .toSorted((a, b) => a - b)
      .join();
  const numbers = new Map(found.map(({ cells }, line) => [key(cells, false), line]));
  let codes = 0;
  const lines = found.map((line) => {
    const offset = codes;
    codes += 3 ** line.cells.length;
    return { ...line, mirror: numbers.get(key(line.cells, true))!, offset };
  });
  return {
    lines,
    source: Int32Array.from(lines, ({ source }) => source),
    shift: Int32Array.from(lines, ({ shift }) => shift),
    mask: Int32Array.from(lines, ({ cells }) => (1 << cells.length) - 1),
    offset: Int32Array.from(lines, ({ offset }) => offset),
    codes,
  };
}

/** The content of one cell, as a digit of a code without its line's offset. */
export function digitAt(code: number, cell: number): number {
  return Math.floor(code / 3 ** cell) % 3;
}

/** The code of the same stones from the line's other end. */
export function reverseCode(code: number, length: number): number {
  let reversed = 0;
  for (let rest = code, cell = 0; cell < length; cell++, rest = Math.floor(rest / 3)) {
    reversed = 3 * reversed + (rest % 3);
  }
  return reversed;
}

/** A run of four adjacent cells of a line that only one player has stones in. */
interface Window {
  /** 1: the first player's, 2: the second's. */
  readonly owner: number;
  /** The number of the owner's stones, 1 to 4. */
  readonly stones: number;
  /** The place of the last empty cell of the four; -1 if they are full. */
  readonly open: number;
}

const WINDOWS = Array.from({ length: 3 ** FOUR }, (_, code): Window | undefined => {
  const digits = [0, 1, 2, 3].map((cell) => digitAt(code, cell));
  const owner = Math.max(...digits);
  if (owner === 0 || digits.some((digit) => digit !== 0 && digit !== owner)) return undefined;
  return {
    owner,
    stones: digits.filter((digit) => digit === owner).length,
    open: digits.lastIndexOf(0),
  };
});

/** The window that begins at a cell of a line; undefined if it is empty or has stones of both players. */
function windowAt(code: number, from: number): Window | undefined {
  return WINDOWS[Math.floor(code / 3 ** from) % WINDOWS.length];
}

/** Calls `visit` for each window of each code of a line of that length. */
export function forEachWindow(
  length: number,
  visit: (code: number, window: Window, from: number) => void,
): void {
  const codes = 3 ** length;
  for (let from = 0; from + FOUR <= length; from++) {
    for (let code = 1; code < codes; code++) {
      const window = windowAt(code, from);
      if (window !== undefined) visit(code, window, from);
    }
  }
}
