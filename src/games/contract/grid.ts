/** A cell's place relative to another, in rows and columns. */
export interface Offset {
  readonly row: number;
  readonly column: number;
}

/** The directions of straight lines on a grid of squares: along a row, a column and the two diagonals. */
export const LINE_STEPS: readonly Offset[] = [
  { row: 0, column: 1 },
  { row: 1, column: 0 },
  { row: 1, column: 1 },
  { row: 1, column: -1 },
];

/** The cells of a straight line of `length` cells, relative to its first. */
export function lineOffsets({ row, column }: Offset, length: number): Offset[] {
  return Array.from({ length }, (_, at) => ({ row: at * row, column: at * column }));
}

/** The cells of a block, row by row, relative to its first. */
export function blockOffsets(rows: number, columns: number): Offset[] {
  return Array.from({ length: rows * columns }, (_, at) => ({
    row: Math.floor(at / columns),
    column: at % columns,
  }));
}

/**
 * The cells under a shape, for each place where the whole shape fits. `rows` holds the cells by their place; undefined
 * stands for no cell.
 */
export function placements(
  rows: readonly (readonly (number | undefined)[])[],
  shape: readonly Offset[],
): number[][] {
  return rows.flatMap((line, row) =>
    line.flatMap((_, column) => {
      const cells = shape.map((offset) => rows[row + offset.row]?.[column + offset.column]);
      return cells.every((cell) => cell !== undefined) ? [cells] : [];
    }),
  );
}

/** By cell: the cells at most one row and one column away, in ascending order. `rows` is as in `placements`. */
export function adjacentCells(rows: readonly (readonly (number | undefined)[])[]): number[][] {
  const adjacent: number[][] = [];
  for (const [row, line] of rows.entries()) {
    for (const [column, cell] of line.entries()) {
      if (cell === undefined) continue;
      const around = [row - 1, row, row + 1].flatMap((near) =>
        [column - 1, column, column + 1].map((beside) => rows[near]?.[beside]),
      );
      adjacent[cell] = around
        .filter((other) => other !== undefined && other !== cell)
        .toSorted((a, b) => a! - b!) as number[];
    }
  }
  return adjacent;
}

/** Numbers the cells of a grid row by row: cell `width * row + column`. */
export function numberedRows(width: number, height: number): number[][] {
  return Array.from({ length: height }, (_, row) =>
    Array.from({ length: width }, (__, column) => width * row + column),
  );
}

/** The eight symmetries of a square board whose cells are numbered row by row, the identity first. */
export function squareSymmetries(size: number): number[][] {
  const last = size - 1;
  const maps = [
    (row: number, column: number) => row * size + column,
    (row: number, column: number) => row * size + last - column,
    (row: number, column: number) => (last - row) * size + column,
    (row: number, column: number) => (last - row) * size + last - column,
  ];
  const straight = maps.map((map) =>
    Array.from({ length: size * size }, (_, cell) => map(Math.floor(cell / size), cell % size)),
  );
  const turned = maps.map((map) =>
    Array.from({ length: size * size }, (_, cell) => map(cell % size, Math.floor(cell / size))),
  );
  return [...straight, ...turned];
}
