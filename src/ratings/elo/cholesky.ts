/** Symmetric positive-definite systems by Cholesky's factorisation; matrices are row-major, `size` x `size`. */

/** Rows and columns of a tile. Its sums do not wait for each other, so a processor works on several at once. */
const TILE = 4;

/** Replaces the lower triangle of `matrix` by its factor L, with L L^T = matrix. */
export function factorise(matrix: Float64Array, size: number): void {
  const sums = new Float64Array(TILE * TILE);
  for (let top = 0; top < size; top += TILE) {
    const height = Math.min(TILE, size - top);
    for (let left = 0; left <= top; left += TILE) {
      const width = Math.min(TILE, size - left);
      for (let row = 0; row < height; row++)
        for (let column = 0; column < width; column++)
          sums[row * TILE + column] = matrix[(top + row) * size + left + column];
      if (height === TILE && width === TILE)
        subtractProducts(sums, {
          rows: matrix,
          rowsAt: top * size,
          columns: matrix,
          columnsAt: left * size,
          stride: size,
          count: left,
        });
      else subtractAtEdge(sums, matrix, { top, left, height, width, size });
      finishTile(sums, matrix, { top, left, height, width, size });
    }
  }
}

interface Tile {
  readonly top: number;
  readonly left: number;
  readonly height: number;
  readonly width: number;
  readonly size: number;
}

/** Divides the sums of a tile, less the products of the columns inside of the tile, by the diagonal. */
function finishTile(
  sums: Float64Array,
  matrix: Float64Array,
  { top, left, height, width, size }: Tile,
): void {
  for (let row = 0; row < height; row++) {
    const rowAt = (top + row) * size;
    for (let column = 0; column < width && left + column <= top + row; column++) {
      const columnAt = (left + column) * size;
      let sum = sums[row * TILE + column];
      for (let k = left; k < left + column; k++) sum -= matrix[rowAt + k] * matrix[columnAt + k];
      if (left + column < top + row) matrix[rowAt + left + column] = sum / matrix[columnAt + left + column];
      else if (sum > 0) matrix[rowAt + left + column] = Math.sqrt(sum);
      else throw new Error(`not positive definite at row ${top + row}: pivot ${sum}`);
    }
  }
}

/** The same as `subtractProducts` for a tile that is cut off by the end of the matrix. */
function subtractAtEdge(
  sums: Float64Array,
  matrix: Float64Array,
  { top, left, height, width, size }: Tile,
): void {
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++)
      for (let k = 0; k < left; k++)
        sums[row * TILE + column] -= matrix[(top + row) * size + k] * matrix[(left + column) * size + k];
}

/** Rows of two matrices, `stride` numbers apart. */
interface Rows {
  readonly rows: Float64Array;
  readonly rowsAt: number;
  readonly columns: Float64Array;
  readonly columnsAt: number;
  readonly stride: number;
  /** The numbers of each row that count. */
  readonly count: number;
}

/** Subtracts from each sum of a tile the products of two rows, number by number, one product after the other. */
function subtractProducts(
  sums: Float64Array,
  { rows, rowsAt, columns, columnsAt, stride, count }: Rows,
): void {
  let [s00, s01, s02, s03] = [sums[0], sums[1], sums[2], sums[3]];
  let [s10, s11, s12, s13] = [sums[4], sums[5], sums[6], sums[7]];
  let [s20, s21, s22, s23] = [sums[8], sums[9], sums[10], sums[11]];
  let [s30, s31, s32, s33] = [sums[12], sums[13], sums[14], sums[15]];
  for (let k = 0; k < count; k++) {
    const a0 = rows[rowsAt + k];
    const a1 = rows[rowsAt + stride + k];
    const a2 = rows[rowsAt + 2 * stride + k];
    const a3 = rows[rowsAt + 3 * stride + k];
    const b0 = columns[columnsAt + k];
    const b1 = columns[columnsAt + stride + k];
    const b2 = columns[columnsAt + 2 * stride + k];
    const b3 = columns[columnsAt + 3 * stride + k];
    s00 -= a0 * b0;
    s01 -= a0 * b1;
    s02 -= a0 * b2;
    s03 -= a0 * b3;
    s10 -= a1 * b0;
    s11 -= a1 * b1;
    s12 -= a1 * b2;
    s13 -= a1 * b3;
    s20 -= a2 * b0;
    s21 -= a2 * b1;
    s22 -= a2 * b2;
    s23 -= a2 * b3;
    s30 -= a3 * b0;
    s31 -= a3 * b1;
    s32 -= a3 * b2;
    s33 -= a3 * b3;
  }
  sums.set([s00, s01, s02, s03, s10, s11, s12, s13, s20, s21, s22, s23, s30, s31, s32, s33]);
}

/** Replaces each of the `columns` columns of `right` (row-major, `size` rows) by the solution of L L^T x = column. */
export function solve(factor: Float64Array, size: number, right: Float64Array, columns = 1): void {
  for (let row = 0; row < size; row++) {
    const scales = factor.subarray(row * size, row * size + row);
    subtractRows(right, columns, row, 0, scales);
    divideRow(right, columns, row, factor[row * size + row]);
  }
  for (let row = size - 1; row >= 0; row--) {
    const scales = Float64Array.from(
      { length: size - row - 1 },
      (_, k) => factor[(row + 1 + k) * size + row],
    );
    subtractRows(right, columns, row, row + 1, scales);
    divideRow(right, columns, row, factor[row * size + row]);
  }
}

/** row -= scales[0] * rows[first] + scales[1] * rows[first + 1] + ..., four at a time to spare memory traffic. */
function subtractRows(
  matrix: Float64Array,
  columns: number,
  row: number,
  first: number,
  scales: Float64Array,
): void {
  const target = row * columns;
  let k = 0;
  for (; k + 4 <= scales.length; k += 4) {
    const [a, b, c, d] = [scales[k], scales[k + 1], scales[k + 2], scales[k + 3]];
    let source = (first + k) * columns;
    for (let at = target; at < target + columns; at++, source++) {
      matrix[at] -=
        a * matrix[source] +
        b * matrix[source + columns] +
        c * matrix[source + 2 * columns] +
        d * matrix[source + 3 * columns];
    }
  }
  for (; k < scales.length; k++) {
    let source = (first + k) * columns;
    for (let at = target; at < target + columns; at++, source++) matrix[at] -= scales[k] * matrix[source];
  }
}

function divideRow(matrix: Float64Array, columns: number, row: number, divisor: number): void {
  for (let at = row * columns; at < (row + 1) * columns; at++) matrix[at] /= divisor;
}

/** Replaces the symmetric `inner` by A^-1 inner A^-1, with A = L L^T. */
export function sandwich(factor: Float64Array, size: number, inner: Float64Array): void {
  solve(factor, size, inner, size);
  transpose(inner, size);
  solve(factor, size, inner, size);
}

function transpose(matrix: Float64Array, size: number): void {
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < row; column++) {
      const upper = matrix[column * size + row];
      matrix[column * size + row] = matrix[row * size + column];
      matrix[row * size + column] = upper;
    }
  }
}

/** The smallest size of which rows and columns are whole tiles. */
export function tiledSize(size: number): number {
  return Math.ceil(size / TILE) * TILE;
}

/**
 * Replaces the factor L by the inverse of L L^T, all of it. The size must be one of `tiledSize`. It takes twice the time of
 * `factorise`, and as much memory again.
 */
export function invert(factor: Float64Array, size: number): void {
  const rows = invertTransposed(factor, size);
  const sums = new Float64Array(TILE * TILE);
  for (let top = 0; top < size; top += TILE) {
    for (let left = 0; left <= top; left += TILE) {
      sums.fill(0);
      const [rowsAt, columnsAt] = [top * size + top, left * size + top];
      subtractProducts(sums, { rows, rowsAt, columns: rows, columnsAt, stride: size, count: size - top });
      for (let row = 0; row < TILE; row++) {
        for (let column = 0; column < TILE; column++) {
          const value = 0 - sums[row * TILE + column];
          factor[(top + row) * size + left + column] = value;
          factor[(left + column) * size + top + row] = value;
        }
      }
    }
  }
}

/** The inverse of L^T, row by row: upper triangular. */
function invertTransposed(factor: Float64Array, size: number): Float64Array {
  const rows = new Float64Array(size * size);
  const sums = new Float64Array(TILE * TILE);
  for (let top = 0; top < size; top += TILE) {
    for (let left = top; left < size; left += TILE) {
      for (let row = 0; row < TILE; row++)
        for (let column = 0; column < TILE; column++)
          sums[row * TILE + column] = top + row === left + column ? 1 : 0;
      const [rowsAt, columnsAt] = [top * size + top, left * size + top];
      subtractProducts(sums, { rows, rowsAt, columns: factor, columnsAt, stride: size, count: left - top });
      for (let row = 0; row < TILE; row++) {
        const rowAt = (top + row) * size;
        for (let column = left; column < left + TILE; column++) {
          let sum = sums[row * TILE + column - left];
          for (let k = left; k < column; k++) sum -= rows[rowAt + k] * factor[column * size + k];
          rows[rowAt + column] = sum / factor[column * size + column];
        }
      }
    }
  }
  return rows;
}
