import type { Layout } from "../contract/facets.ts";
import { SquareSet, STRIDE } from "../shared/square-set.ts";

/** `c4`: column from the left, row from the top. */
export function squareName(square: number): string {
  return `${"abcdefgh"[square % STRIDE]}${Math.floor(square / STRIDE) + 1}`;
}

/** A layout of the board that has `at(row, column)` on each square. */
export function boardLayout(size: number, at: (row: number, column: number) => number): Layout {
  const places = Array.from({ length: size }, (_, place) => place);
  return {
    rows: places.map((row) => places.map((column) => at(row, column))),
    rowNames: places.map((row) => String(row + 1)),
    columnNames: places.map((column) => "abcdefgh"[column]!),
  };
}

/** The squares that the eight symmetries of the board take to each other. */
export interface SquareClass {
  readonly low: number;
  readonly high: number;
  /** The member in the upper left quarter nearest to the top row; row <= column. */
  readonly row: number;
  readonly column: number;
}

const BY_SIZE: readonly (readonly SquareClass[])[] = Array.from({ length: STRIDE + 1 }, (_, size) => {
  if (size % 2 === 1) return [];
  const classes: SquareClass[] = [];
  for (let row = 0; row < size / 2; row++) {
    for (let column = row; column < size / 2; column++) {
      const set = new SquareSet();
      for (const near of [row, size - 1 - row]) {
        for (const far of [column, size - 1 - column]) {
          set.add(STRIDE * near + far);
          set.add(STRIDE * far + near);
        }
      }
      classes.push({ low: set.low, high: set.high, row, column });
    }
  }
  return classes;
});

/** Ten classes on the usual board, the corners first: a1 b1 c1 d1 b2 c2 d2 c3 d3 d4. */
export function squareClasses(size: number): readonly SquareClass[] {
  return BY_SIZE[size]!;
}
