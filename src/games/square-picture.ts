import type { Place } from "./picture.ts";

/*
 * What pictures of boards of squares share. A square's number is its cell's; `rows` holds the cells from the top, as
 * `Layout` in facets.ts.
 */

type Rows = readonly (readonly (number | undefined)[])[];

/** A place a square, one unit wide, the top left one at 0, 0. */
export function squarePlaces(rows: Rows, nameOf: (cell: number) => string): Place[] {
  const places: Place[] = [];
  rows.forEach((row, y) =>
    row.forEach((cell, x) => {
      if (cell !== undefined) places[cell] = { name: nameOf(cell), x, y, w: 1, h: 1 };
    }),
  );
  return places;
}
