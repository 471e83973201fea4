import { ANTI_DIAGONALS, COLUMNS, DIAGONALS, ROWS } from "./state.ts";

/** The number of set bits of 0..15. */
export const POPCOUNT = Int32Array.from({ length: 16 }, (_, bits) => {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
});

/** Every window of four adjacent cells in a line of a board: 69 on the usual 7x6. */
export interface Windows {
  readonly count: number;
  /** Which of the state's `lines` holds window w, ... */
  readonly line: Int32Array;
  /** ... and from which bit on. */
  readonly shift: Int32Array;
  /** Cells of window w, bit k first: column and row at 4 * w + k. */
  readonly column: Int32Array;
  readonly row: Int32Array;
  /** The window that mirrors w left to right. */
  readonly mirror: Int32Array;
}

const DIRECTIONS = [
  { columns: 1, rows: 0, line: (_column: number, row: number) => ROWS + row },
  { columns: 0, rows: 1, line: (column: number) => COLUMNS + column },
  { columns: 1, rows: 1, line: (column: number, row: number) => DIAGONALS + column - row },
  { columns: 1, rows: -1, line: (column: number, row: number) => ANTI_DIAGONALS + column + row },
] as const;

export function createWindows(width: number, height: number): Windows {
  const found: { line: number; shift: number; cells: { column: number; row: number }[] }[] = [];
  for (const direction of DIRECTIONS) {
    for (let column = 0; column < width; column++) {
      for (let row = 0; row < height; row++) {
        const cells = [0, 1, 2, 3].map((step) => ({
          column: column + step * direction.columns,
          row: row + step * direction.rows,
        }));
        const last = cells[3]!;
        if (last.column >= width || last.row >= height || last.row < 0) continue;
        const shift = direction.columns === 0 ? row : column;
        found.push({ line: direction.line(column, row), shift, cells });
      }
    }
  }
  const key = (cells: { column: number; row: number }[]) =>
    cells
      .map(({ column, row }) => row * width + column)
      .toSorted((a, b) => a - b)
      .join();
  const numbers = new Map(found.map(({ cells }, window) => [key(cells), window]));
  const mirrored = (cells: { column: number; row: number }[]) =>
    cells.map(({ column, row }) => ({ column: width - 1 - column, row }));
  return {
    count: found.length,
    line: Int32Array.from(found, ({ line }) => line),
    shift: Int32Array.from(found, ({ shift }) => shift),
    column: Int32Array.from(found.flatMap(({ cells }) => cells.map(({ column }) => column))),
    row: Int32Array.from(found.flatMap(({ cells }) => cells.map(({ row }) => row))),
    mirror: Int32Array.from(found, ({ cells }) => numbers.get(key(mirrored(cells)))!),
  };
}
