/** Symmetric positive-definite systems by Cholesky's factorisation; matrices are row-major, `size` x `size`. */

/** Replaces the upper triangle of `matrix` by its factor U, with U^T U = matrix; what is below it means nothing then. */
export function factorise(matrix: Float64Array, size: number): void {
  for (let row = 0; row < size; row++) {
    subtractRows(matrix, size, { row, first: 0, scales: columnAbove(matrix, size, row), from: row });
    const pivot = matrix[row * size + row];
    if (!(pivot > 0)) throw new Error(`not positive definite at row ${row}: pivot ${pivot}`);
    divide(matrix, row * size + row, (row + 1) * size, Math.sqrt(pivot));
  }
}

/** Replaces each of the `columns` columns of `right` (row-major, `size` rows) by the solution of U^T U x = column. */
export function solve(factor: Float64Array, size: number, right: Float64Array, columns = 1): void {
  for (let row = 0; row < size; row++) {
    subtractRows(right, columns, { row, first: 0, scales: columnAbove(factor, size, row) });
    divide(right, row * columns, (row + 1) * columns, factor[row * size + row]);
  }
  for (let row = size - 1; row >= 0; row--) {
    const scales = factor.subarray(row * size + row + 1, (row + 1) * size);
    subtractRows(right, columns, { row, first: row + 1, scales });
    divide(right, row * columns, (row + 1) * columns, factor[row * size + row]);
  }
}

/** Replaces the symmetric `inner` by A^-1 inner A^-1, with A = U^T U. */
export function sandwich(factor: Float64Array, size: number, inner: Float64Array): void {
  solve(factor, size, inner, size);
  transpose(inner, size);
  solve(factor, size, inner, size);
}

/** The numbers of a column above the diagonal. */
function columnAbove(matrix: Float64Array, size: number, column: number): Float64Array {
  const numbers = new Float64Array(column);
  for (let row = 0; row < column; row++) numbers[row] = matrix[row * size + column];
  return numbers;
}

/** row -= scales[0] * rows[first] + scales[1] * rows[first + 1] + ..., four at a time to spare memory traffic. */
function subtractRows(
  matrix: Float64Array,
  columns: number,
  { row, first, scales, from = 0 }: { row: number; first: number; scales: Float64Array; from?: number },
): void {
  const [start, end] = [row * columns + from, (row + 1) * columns];
  let k = 0;
  for (; k + 4 <= scales.length; k += 4) {
    const [a, b, c, d] = [scales[k], scales[k + 1], scales[k + 2], scales[k + 3]];
    let source = (first + k) * columns + from;
    for (let at = start; at < end; at++, source++) {
      matrix[at] -=
        a * matrix[source] +
        b * matrix[source + columns] +
        c * matrix[source + 2 * columns] +
        d * matrix[source + 3 * columns];
    }
  }
  for (; k < scales.length; k++) {
    let source = (first + k) * columns + from;
    for (let at = start; at < end; at++, source++) matrix[at] -= scales[k] * matrix[source];
  }
}

function divide(matrix: Float64Array, from: number, to: number, divisor: number): void {
  for (let at = from; at < to; at++) matrix[at] /= divisor;
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
