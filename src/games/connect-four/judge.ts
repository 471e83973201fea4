import type { FeatureSet, Heuristic } from "../contract/facets.ts";
import {
  PLAYER_SHIFT,
  type ConnectFourState,
  ANTI_DIAGONALS,
  COLUMNS,
  DIAGONALS,
  MAX_WIDTH,
  ROWS,
} from "./state.ts";
import { LINE_STEPS, type Offset } from "../contract/grid.ts";
import { scoreHeuristic } from "../shared/score-heuristic.ts";

export const STONES = ".xo";

/**
 * `lines`, four kinds of features.
 *
 * 1. Each pattern of stones on a whole row, column or diagonal; mirror images share a feature.
 * 2. For each column, one feature for the pair of the lowest cells where the first and the second player would complete a
 *    four.
 * 3. For each four that can be completed at once, its owner, and whether the owner is to move.
 * 4. The turn.
 *
 * The first and the second player's stones make different patterns, so that the rule of parity can be
 * learnt (Allis 1988). Values are +1 for the first player's view and -1 for the second's.
 */
export function linesFeatures(
  board: BoardLines,
  { width, height }: { width: number; height: number },
): FeatureSet<ConnectFourState> {
  const { source, shift, mask, offset } = board;
  const patterns = numberPatterns(board);
  const completing = completingCells(board);
  const cells = Int32Array.from(
    board.lines.flatMap((line) => line.cells.map(({ column, row }) => (column << 4) | row)),
  );
  /** By line: the index of its first cell in `cells`, which has column and row in one number. */
  const firstCell = Int32Array.from(board.lines, (_, line) =>
    board.lines.slice(0, line).reduce((sum, before) => sum + before.cells.length, 0),
  );
  /** The number of pairs of lowest completing rows, each 0 (none) to height. */
  const rowPairs = (height + 1) ** 2;
  const columnBase = patterns.count;
  const playable = columnBase + Math.ceil(width / 2) * rowPairs;
  const turn = playable + 4;
  /** By column: the rows of the first player's completing cells, and PLAYER_SHIFT above, the second's. */
  const open = new Int32Array(width);

  const extractOpen = (
    state: ConnectFourState,
    sign: number,
    index: Int32Array,
    value: Float32Array,
    at: number,
  ): number => {
    const { heights, toMove } = state;
    let end = at;
    for (let column = 0; column < width; column++) {
      const rows = open[column];
      if (rows === 0) continue;
      open[column] = 0;
      const first = rows & 0xffff;
      const second = rows >>> PLAYER_SHIFT;
      const outer = Math.min(column, width - 1 - column);
      index[end] = columnBase + outer * rowPairs + lowestRow(first) * (height + 1) + lowestRow(second);
      value[end++] = sign;
      const next = heights[column];
      if (((first >>> next) & 1) === 1) {
        index[end] = playable + (toMove === 0 ? 0 : 1);
        value[end++] = sign;
      }
      if (((second >>> next) & 1) === 1) {
        index[end] = playable + (toMove === 1 ? 2 : 3);
        value[end++] = sign;
      }
    }
    return end;
  };

  return {
    summary: "rows, columns and diagonals as patterns, completing cells by column, playable wins, turn",
    version: 1,
    size: turn + 1,
    maxActive: source.length + 3 * width + 1,
    extract(state, player, index, value) {
      const { lines, toMove } = state;
      const sign = player === 0 ? 1 : -1;
      let end = 0;
      let anyOpen = 0;
      for (let line = 0; line < source.length; line++) {
        const stones = lines[source[line]] >>> shift[line];
        if (stones === 0) continue;
        const first = TERNARY[stones & mask[line]];
        const second = TERNARY[(stones >>> PLAYER_SHIFT) & mask[line]];
        const code = offset[line] + first + 2 * second;
        index[end] = patterns.number[code];
        value[end++] = sign;
        const found = completing[code];
        if (found === 0) continue;
        anyOpen = 1;
        for (let rest = found; rest !== 0; rest &= rest - 1) {
          const bit = 31 - Math.clz32(rest & (0 - rest));
          const cell = cells[firstCell[line] + (bit & (PLAYER_SHIFT - 1))];
          open[cell >> 4] |= 1 << ((cell & 15) + (bit & PLAYER_SHIFT));
        }
      }
      if (anyOpen !== 0) end = extractOpen(state, sign, index, value, end);
      if (toMove >= 0) {
        index[end] = turn;
        value[end++] = player === toMove ? 1 : -1;
      }
      return end;
    },
    describe(feature) {
      if (feature < columnBase) return patterns.describe(feature);
      if (feature === turn) return "to move";
      if (feature >= playable) {
        const owner = feature < playable + 2 ? "first" : "second";
        return `win on the board for the ${owner} player, who ${(feature - playable) % 2 === 0 ? "is to move" : "waits"}`;
      }
      const pair = (feature - columnBase) % rowPairs;
      const row = (lowest: number) => (lowest === 0 ? "nowhere" : `in row ${lowest}`);
      const column = Math.floor((feature - columnBase) / rowPairs) + 1;
      return `column ${column}: x completes ${row(Math.floor(pair / (height + 1)))}, o ${row(pair % (height + 1))}`;
    },
  };
}

/** 1 to height for the lowest row of a set, 0 for the empty set. */
function lowestRow(rows: number): number {
  return 32 - Math.clz32(rows & (0 - rows));
}

/** The patterns that can stand on the board while nobody has won, mirror images alike. */
interface Patterns {
  readonly count: number;
  /** By code: its pattern; 0 for an impossible code. */
  readonly number: Int32Array;
  describe(pattern: number): string;
}

function numberPatterns({ lines, codes }: BoardLines): Patterns {
  const number = new Int32Array(codes);
  /** By pattern: its line and code. */
  const members: { line: BoardLine; code: number }[] = [];
  for (const [at, line] of lines.entries()) {
    const { length } = line.cells;
    const impossible = new Uint8Array(3 ** length);
    forEachWindow(length, (code, { stones }) => {
      if (stones === 4) impossible[code] = 1;
    });
    for (let code = 1; code < impossible.length; code++) {
      if (impossible[code] !== 0 || (!line.mirrorReversed && hangs(code, length))) continue;
      const twin = line.mirrorReversed ? reverseCode(code, length) : code;
      const isNew = line.mirror > at || (line.mirror === at && twin >= code);
      number[line.offset + code] = isNew
        ? members.push({ line, code }) - 1
        : number[lines[line.mirror]!.offset + twin];
    }
  }
  return {
    count: members.length,
    number,
    describe(pattern) {
      const { line, code } = members[pattern]!;
      return `${line.name}: ${line.cells.map((_, cell) => STONES[digitAt(code, cell)]).join("")}`;
    },
  };
}

/** True if a column has a stone over an empty cell. */
function hangs(code: number, length: number): boolean {
  let cell = 0;
  while (cell < length && digitAt(code, cell) !== 0) cell++;
  return code >= 3 ** cell;
}

/** By code: the places in the line that complete a four of the first player, and PLAYER_SHIFT above, of the second. */
function completingCells({ lines, codes }: BoardLines): Int32Array {
  const completing = new Int32Array(codes);
  for (const { cells, offset } of lines) {
    forEachWindow(cells.length, (code, { owner, stones, open }, from) => {
      if (stones === 3) completing[offset + code] |= 1 << (from + open + (owner - 1) * PLAYER_SHIFT);
    });
  }
  return completing;
}

/** The length of a line of stones that wins. */
export const FOUR = 4;

/** A row, column or diagonal with room for four. */
interface BoardLine {
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
function reverseCode(code: number, length: number): number {
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
function forEachWindow(length: number, visit: (code: number, window: Window, from: number) => void): void {
  const codes = 3 ** length;
  for (let from = 0; from + FOUR <= length; from++) {
    for (let code = 1; code < codes; code++) {
      const window = windowAt(code, from);
      if (window !== undefined) visit(code, window, from);
    }
  }
}

/** By number of stones, 0 to 4: the worth of a window with stones of one player only. */
const WINDOW_WORTH = [0, 1, 4, 12, 0] as const;
/** Extra for a window with three stones whose fourth cell suits its owner by parity. */
const PARITY_WORTH = 20;
/** The score that is worth half a win. */
const HALF_WIN = 60;

/**
 * Windows of four cells that only one player can still fill. A window with more stones counts
 * more. Three stones count still more if the open cell lies in a row that suits their owner: odd rows
 * (counted from 1) for the first player, even rows for the second (Allis 1988, the rule of parity).
 */
export function threats(board: BoardLines): Heuristic<ConnectFourState> {
  const { source, shift, mask, offset } = board;
  const worths = worthOfCodes(board);
  return scoreHeuristic(
    "windows of four that one player can still fill, and the parity of open threes (Allis 1988)",
    HALF_WIN,
    ({ lines }) => {
      let sum = 0;
      for (let line = 0; line < source.length; line++) {
        const stones = lines[source[line]] >>> shift[line];
        if (stones === 0) continue;
        const first = TERNARY[stones & mask[line]];
        const second = TERNARY[(stones >>> PLAYER_SHIFT) & mask[line]];
        sum += worths[offset[line] + first + 2 * second];
      }
      return sum;
    },
  );
}

/** By code: the worth of its windows to the first player. */
function worthOfCodes({ lines, codes }: BoardLines): Int32Array {
  const worths = new Int32Array(codes);
  for (const { cells, offset } of lines) {
    forEachWindow(cells.length, (code, { owner, stones, open }, from) => {
      const suits = stones === 3 && cells[from + open]!.row % 2 === owner - 1;
      const worth = WINDOW_WORTH[stones]! + (suits ? PARITY_WORTH : 0);
      worths[offset + code] += owner === 1 ? worth : 0 - worth;
    });
  }
  return worths;
}
