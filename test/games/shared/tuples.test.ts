import { expect, test } from "vitest";
import { extractTuples, shareTuples } from "../../../src/games/shared/tuples.ts";

/** The pairs of neighbours on a strip of four cells, which can be read from either end. */
const pairs = shareTuples(
  [
    [0, 1],
    [1, 2],
    [2, 3],
  ],
  [
    [0, 1, 2, 3],
    [3, 2, 1, 0],
  ],
);

function active(digits: readonly number[]): [number, number][] {
  const index = new Int32Array(pairs.count);
  const value = new Float32Array(pairs.count);
  const count = extractTuples(pairs, Uint8Array.from(digits), index, value);
  return Array.from({ length: count }, (_, at) => [index[at], value[at]]);
}

test("tuples that a symmetry takes to each other share their features", () => {
  // The outer pairs have (9 - 1) / 2 codes up to exchange; the middle pair, alike from both ends,
  // {.x}, {xx} and their opposites, whereas {..} and {xo} are their own.
  expect(pairs.size).toBe(4 + 2);
  expect(pairs.examples.map(({ cells, digits }) => `${cells.join("")} ${digits.join("")}`)).toEqual([
    "01 01",
    "01 10",
    "01 11",
    "01 12",
    "12 01",
    "12 11",
  ]);
  expect(active([1, 0, 0, 0])).toEqual([[1, 1]]);
  expect(active([0, 0, 0, 1])).toEqual([[1, 1]]);
  expect(active([0, 1, 0, 0])).toEqual([
    [0, 1],
    [4, 1],
  ]);
});

test("exchanging the players changes the sign, and a code that is its own opposite has no feature", () => {
  expect(active([2, 0, 0, 0])).toEqual([[1, -1]]);
  expect(active([0, 1, 2, 0])).toEqual([
    [0, 1],
    [0, -1],
  ]);
  expect(active([0, 0, 0, 0])).toEqual([]);
  expect(active([1, 2, 2, 2])).toEqual([
    [3, 1],
    [5, -1],
    [2, -1],
  ]);
});
