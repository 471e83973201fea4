import type { Layout } from "../facets.ts";

/** What is at each square, as the board is drawn. */
export function boardLayout(size: number, at: (row: number, column: number) => number): Layout {
  const places = Array.from({ length: size }, (_, place) => place);
  return {
    rows: places.map((row) => places.map((column) => at(row, column))),
    rowNames: places.map((row) => String(row + 1)),
    columnNames: places.map((column) => "abcdefgh"[column]!),
  };
}
