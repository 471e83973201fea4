/** Symmetric positive-definite systems by Cholesky's factorisation; matrices are row-major, `size` x `size`. */

/** Replaces the lower triangle of `matrix` by its factor L, with L L^T = matrix. */
export function factorise(matrix: Float64Array, size: number): void {
  for (let row = 0; row < size; row++) {
    const rowAt = row * size;
    for (let column = 0; column <= row; column++) {
      const columnAt = column * size;
      let sum = matrix[rowAt + column];
      for (let k = 0; k < column; k++) sum -= matrix[rowAt + k] * matrix[columnAt + k];
      if (column < row) matrix[rowAt + column] = sum / matrix[columnAt + column];
      else if (sum > 0) matrix[rowAt + row] = Math.sqrt(sum);
      else throw new Error(`not positive definite at row ${row}: pivot ${sum}`);
    }
  }
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
