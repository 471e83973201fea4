/** The inverse of a matrix by Gauss and Jordan, without pivots: for positive definite ones. */
export function inverted(matrix: readonly (readonly number[])[]): number[][] {
  const rows = matrix.map((row, at) => [...row, ...row.map((_, column) => (column === at ? 1 : 0))]);
  for (let pivot = 0; pivot < rows.length; pivot++) {
    const scale = rows[pivot]![pivot]!;
    rows[pivot] = rows[pivot]!.map((value) => value / scale);
    for (let row = 0; row < rows.length; row++) {
      const factor = rows[row]![pivot]!;
      if (row !== pivot) rows[row] = rows[row]!.map((value, at) => value - factor * rows[pivot]![at]!);
    }
  }
  return rows.map((row) => row.slice(rows.length));
}

export function product(
  one: readonly (readonly number[])[],
  other: readonly (readonly number[])[],
): number[][] {
  return one.map((row) =>
    other[0]!.map((_, column) => row.reduce((sum, value, at) => sum + value * other[at]![column]!, 0)),
  );
}
