import type { TupleBoard, TupleGroups } from "../contract/facets.ts";
import { adjacentCells } from "../contract/grid.ts";
import { readGroups } from "../shared/tuples.ts";
import { COLUMNS, PLAYER_SHIFT, type ConnectFourState } from "./state.ts";

const FIRST = 1;
const SECOND = 2;
/** The first player's stones in the line of a column. */
const FIRST_STONES = (1 << PLAYER_SHIFT) - 1;
/** An empty cell on which the next stone of its column lands. */
const NEXT = 3;

/**
 * Cells column by column from below. The cell that a column's next stone takes has a digit of its own,
 * different from the empty cells above it (Thill, Koch and Konen 2012). The value of a threat depends on
 * who moves next, and on its row and owner (Allis 1988). So the players' stones have different digits,
 * and the context cell holds whose turn it is.
 */
export function tupleBoard(width: number, height: number): TupleBoard<ConnectFourState> {
  const context = width * height;
  const cells = Array.from({ length: width * height }, (_, cell) => cell);
  const columnOf = (cell: number) => Math.floor(cell / height);
  const rowOf = (cell: number) => cell % height;
  const rows = Array.from({ length: height }, (_, at) =>
    cells.filter((cell) => rowOf(cell) === height - 1 - at),
  );
  const groups: TupleGroups<ConnectFourState> = {
    cells: [
      ...Array.from({ length: width }, (_, column) => cells.filter((cell) => columnOf(cell) === column)),
      [context],
    ],
    keys({ lines, stones }, _player, keys) {
      for (let column = 0; column < width; column++) keys[column] = lines[COLUMNS + column];
      keys[width] = stones & 1;
    },
    read(group, key, digits) {
      if (group === width) {
        digits[context] = FIRST + key;
        return;
      }
      const second = key >>> PLAYER_SHIFT;
      const filled = 32 - Math.clz32((key & FIRST_STONES) | second);
      const first = group * height;
      for (let row = 0; row < height; row++)
        digits[first + row] = row < filled ? FIRST + ((second >>> row) & 1) : row === filled ? NEXT : 0;
    },
  };
  return {
    cells: context + 1,
    context,
    digits: 4,
    symmetries: [
      [...cells, context],
      [...cells.map((cell) => (width - 1 - columnOf(cell)) * height + rowOf(cell)), context],
    ],
    neighbours: [...adjacentCells(rows), []],
    layout: {
      rows,
      rowNames: Array.from({ length: height }, (_, at) => String(height - at)),
      columnNames: Array.from({ length: width }, (_, column) => String(column + 1)),
    },
    groups,
    read: readGroups(groups),
    cellName: (cell) => (cell === context ? "turn" : `${columnOf(cell) + 1},${rowOf(cell) + 1}`),
    digitName: (digit) => (digit === FIRST ? "x" : digit === SECOND ? "o" : digit === NEXT ? "next" : "."),
  };
}
