import type { FeatureSet } from "../contract/facets.ts";
import {
  digitAt,
  forEachWindow,
  reverseCode,
  TERNARY,
  type BoardLine,
  type BoardLines,
} from "./board-lines.ts";
import { PLAYER_SHIFT, type ConnectFourState } from "./state.ts";

const STONES = ".xo";

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
