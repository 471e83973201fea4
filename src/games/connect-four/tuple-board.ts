import type { Board } from "../game.ts";
import { COLUMNS, PLAYER_SHIFT, type ConnectFourState } from "./state.ts";

const OWN = 1;
const OTHERS = 2;
/** Empty, and the next stone of its column lands here. */
const NEXT = 3;

/**
 * Cells column by column from below, with the cell that a column's next stone takes told apart from the
 * empty cells above it (Thill, Koch and Konen 2012), as the player sees them who has just moved: so that a
 * threat of the one who moves next is told from one that can still be met.
 */
export function tupleBoard(width: number, height: number): Board<ConnectFourState> {
  const cells = Array.from({ length: width * height }, (_, cell) => cell);
  const columnOf = (cell: number) => Math.floor(cell / height);
  const rowOf = (cell: number) => cell % height;
  return {
    cells: cells.length,
    digits: 4,
    symmetries: [cells, cells.map((cell) => (width - 1 - columnOf(cell)) * height + rowOf(cell))],
    neighbours: cells.map((cell) =>
      cells.filter((other) => {
        const columns = Math.abs(columnOf(other) - columnOf(cell));
        const rows = Math.abs(rowOf(other) - rowOf(cell));
        return Math.max(columns, rows) === 1;
      }),
    ),
    layout: {
      rows: Array.from({ length: height }, (_, at) =>
        cells.filter((cell) => rowOf(cell) === height - 1 - at),
      ),
      rowNames: Array.from({ length: height }, (_, at) => String(height - at)),
      columnNames: Array.from({ length: width }, (_, column) => String(column + 1)),
    },
    viewer: (state) => 1 - (state.stones & 1),
    read({ lines, heights }, player, digits) {
      let cell = 0;
      for (let column = 0; column < width; column++) {
        const stones = lines[COLUMNS + column];
        const filled = heights[column];
        for (let row = 0; row < height; row++) {
          const others = ((stones >>> (row + PLAYER_SHIFT)) & 1) ^ player;
          digits[cell++] = row < filled ? OWN + others : row === filled ? NEXT : 0;
        }
      }
    },
    cellName: (cell) => `${columnOf(cell) + 1},${rowOf(cell) + 1}`,
    digitName: (digit) =>
      digit === OWN ? "own" : digit === OTHERS ? "other" : digit === NEXT ? "next" : ".",
  };
}
