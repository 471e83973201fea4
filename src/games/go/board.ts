/** The colours of points: the players, EMPTY and EDGE. `colour >> 1 & 1` is 1 for EMPTY alone. */
export const BLACK = 0;
export const WHITE = 1;
export const EMPTY = 2;
export const EDGE = 4;

export const MAX_SIZE = 19;
/** Rows of a set of points, the empty ones below and above the board included. */
export const ROWS = MAX_SIZE + 2;

/** The letters of the columns; i is left out. */
export const COLUMN_NAMES = "abcdefghjklmnopqrst";

/**
 * A square board of points in one array. There is a column of edge points between two rows, and a row of
 * edge points below and above the board. So the neighbours of point p are always p - width, p - 1, p + 1
 * and p + width.
 */
export interface GoBoard {
  readonly size: number;
  readonly width: number;
  /** Number of points, the edge included. */
  readonly points: number;
  /** The point of each action: row * size + column, both from 0 at a1. */
  readonly pointOf: Int16Array;
  /** For each point on the board its row, counted from 1, and its column as a bit. */
  readonly rowOf: Int16Array;
  readonly bitOf: Int32Array;
}

const boards: GoBoard[] = [];

/** The board of a size, 1 to MAX_SIZE. */
export function boardOf(size: number): GoBoard {
  return (boards[size] ??= createBoard(size));
}

function createBoard(size: number): GoBoard {
  const width = size + 1;
  const points = (size + 2) * width + 1;
  const pointOf = new Int16Array(size * size);
  const rowOf = new Int16Array(points);
  const bitOf = new Int32Array(points);
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const point = (row + 1) * width + column + 1;
      pointOf[row * size + column] = point;
      rowOf[point] = row + 1;
      bitOf[point] = 1 << column;
    }
  }
  return { size, width, points, pointOf, rowOf, bitOf };
}

/** The action of a point on the board. */
export function actionAt({ size, width }: GoBoard, point: number): number {
  const row = Math.floor(point / width);
  return (row - 1) * size + (point - row * width - 1);
}
