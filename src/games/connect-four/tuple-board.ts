import type { TupleBoard } from "../facets.ts";
import { COLUMNS, PLAYER_SHIFT, type ConnectFourState } from "./state.ts";

const FIRST = 1;
const SECOND = 2;
/** Empty, and the next stone of its column lands here. */
const NEXT = 3;

/**
 * Cells column by column from below, with the cell that a column's next stone takes told apart from the
 * empty cells above it (Thill, Koch and Konen 2012). Who moves next decides what a threat is worth, and
 * whose threat it is by its row (Allis 1988): so colours are told apart, and the context is whose turn it is.
 */
export function tupleBoard(width: number, height: number): TupleBoard<ConnectFourState> {
  const context = width * height;
  const cells = Array.from({ length: width * height }, (_, cell) => cell);
  const columnOf = (cell: number) => Math.floor(cell / height);
  const rowOf = (cell: number) => cell % height;
  return {
    cells: context + 1,
    context,
    digits: 4,
    symmetries: [
      [...cells, context],
      [...cells.map((cell) => (width - 1 - columnOf(cell)) * height + rowOf(cell)), context],
    ],
    neighbours: [...cells, context].map((cell) =>
      (cell === context ? [] : cells).filter((other) => {
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
    read({ lines, heights, stones: count }, _player, digits) {
      let cell = 0;
      for (let column = 0; column < width; column++) {
        const stones = lines[COLUMNS + column];
        const filled = heights[column];
        for (let row = 0; row < height; row++) {
          const second = (stones >>> (row + PLAYER_SHIFT)) & 1;
          digits[cell++] = row < filled ? FIRST + second : row === filled ? NEXT : 0;
        }
      }
      digits[context] = FIRST + (count & 1);
    },
    cellName: (cell) => (cell === context ? "turn" : `${columnOf(cell) + 1},${rowOf(cell) + 1}`),
    digitName: (digit) => (digit === FIRST ? "x" : digit === SECOND ? "o" : digit === NEXT ? "next" : "."),
  };
}
