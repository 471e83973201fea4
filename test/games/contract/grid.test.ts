import { describe, expect, test } from "vitest";
import {
  blockOffsets,
  LINE_STEPS,
  lineOffsets,
  numberedRows,
  placements,
  squareSymmetries,
} from "../../../src/games/contract/grid.ts";

const count = (width: number, height: number, length: number) =>
  LINE_STEPS.map((step) => placements(numberedRows(width, height), lineOffsets(step, length)).length);

describe("placements", () => {
  test("a connect-four board has 69 lines of four: 24 in rows, 21 in columns, 12 on each kind of diagonal", () => {
    expect(count(7, 6, 4)).toEqual([24, 21, 12, 12]);
  });

  test("the cells come in the order of the shape, the places row by row", () => {
    const rows = numberedRows(3, 2);
    expect(placements(rows, blockOffsets(2, 2))).toEqual([
      [0, 1, 3, 4],
      [1, 2, 4, 5],
    ]);
    expect(placements(rows, lineOffsets({ row: 1, column: -1 }, 2))).toEqual([
      [1, 3],
      [2, 4],
    ]);
  });

  test("a shape does not cover a hole, nor leave the grid at any side", () => {
    const ring = [
      [0, 1, 2],
      [3, undefined, 4],
      [5, 6, 7],
    ];
    expect(LINE_STEPS.flatMap((step) => placements(ring, lineOffsets(step, 3)))).toEqual([
      [0, 1, 2],
      [5, 6, 7],
      [0, 3, 5],
      [2, 4, 7],
    ]);
    expect(placements(ring, lineOffsets({ row: -1, column: 1 }, 2))).toEqual([
      [3, 1],
      [6, 4],
    ]);
  });
});

test("the symmetries of a square are eight different permutations, the identity first, closed under composition", () => {
  const symmetries = squareSymmetries(4);
  const cells = numberedRows(4, 4).flat();
  expect(symmetries[0]).toEqual(cells);
  const known = new Set(symmetries.map(String));
  expect(known.size).toBe(8);
  for (const one of symmetries) {
    expect(one.toSorted((a, b) => a - b)).toEqual(cells);
    for (const other of symmetries) expect(known).toContain(String(one.map((cell) => other[cell])));
  }
});
