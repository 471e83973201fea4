/** Reads the squares of `a3c5e7` (columns a-h, rows 1-8 from the first player) as numbers 1 to 32. */
export function squaresFromColumns(move: string): number[] {
  return Array.from(move.matchAll(/([a-h])([1-8])/g), ([, column, row]) => {
    const fromLeft = column!.charCodeAt(0) - "a".charCodeAt(0);
    return (Number(row) - 1) * 4 + ((7 - fromLeft) >> 1) + 1;
  });
}
