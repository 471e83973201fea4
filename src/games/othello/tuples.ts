import type { FeatureSet, TupleBoard, TupleGroups } from "../contract/facets.ts";
import {
  adjacentCells,
  blockOffsets,
  LINE_STEPS,
  lineOffsets,
  numberedRows,
  placements,
  squareSymmetries,
  type Offset,
} from "../contract/grid.ts";
import { STRIDE } from "../shared/square-set.ts";
import { EMPTY, extractTuples, OWN, readGroups, readRow, rowKey, shareTuples } from "../shared/tuples.ts";
import { boardLayout, squareName } from "./squares.ts";
import { BLACK, type OthelloState } from "./state.ts";

const NAMES = [".", "own", "other"];

/**
 * Squares row by row, as the player sees them who has just moved. So both colours share their weights (Lucas 2008).
 */
export function tupleBoard(size: number): TupleBoard<OthelloState> {
  const groups = rowGroups(size);
  return {
    cells: size * size,
    digits: 3,
    symmetries: squareSymmetries(size),
    neighbours: adjacentCells(numberedRows(size, size)),
    layout: boardLayout(size, (row, column) => size * row + column),
    viewer: (state) => 1 - state.turn,
    groups,
    read: readGroups(groups),
    cellName: (cell) => squareName(STRIDE * Math.floor(cell / size) + (cell % size)),
    digitName: (digit) => NAMES[digit]!,
  };
}

/** The rows of the board, as `player` sees them. */
function rowGroups(size: number): TupleGroups<OthelloState> {
  return {
    cells: numberedRows(size, size),
    keys({ black, white }, player, keys) {
      const own = player === BLACK ? black : white;
      const other = player === BLACK ? white : black;
      for (let row = 0; row < size; row++) keys[row] = rowKey(own.row(row), other.row(row));
    },
    read: (group, key, digits) => readRow(key, size * group, size, digits),
  };
}

/** The names of the sets of tuples; `tuples` is all others together. */
export const TUPLE_SETS = ["lines-2", "lines-3", "lines-4", "blocks", "tuples"] as const;
type TupleSet = (typeof TUPLE_SETS)[number];

const SHAPES: Readonly<Record<Exclude<TupleSet, "tuples">, readonly (readonly Offset[])[]>> = {
  "lines-2": linesOf(2),
  "lines-3": linesOf(3),
  "lines-4": linesOf(4),
  blocks: [blockOffsets(2, 2)],
};

function linesOf(length: number): Offset[][] {
  return LINE_STEPS.map((step) => lineOffsets(step, length));
}

/**
 * Systematic n-tuple networks (Jaskowski 2014): every straight line of 2, 3 or 4 squares, or every 2x2
 * block. The eight symmetries of the board and the exchange of colours share features.
 */
export function systematicTuples(name: TupleSet, size: number): FeatureSet<OthelloState> {
  const shapes = name === "tuples" ? Object.values(SHAPES).flat() : SHAPES[name];
  const rows = numberedRows(size, size);
  const placed = shapes.flatMap((shape) => placements(rows, shape));
  const tuples = shareTuples(placed, squareSymmetries(size));
  const digits = new Uint8Array(size * size);
  const readSquares = readGroups(rowGroups(size));

  return {
    summary: `n-tuples: ${describeSet(name)}, shared over 8 symmetries and both colours (Jaskowski 2014)`,
    version: 1,
    size: tuples.size,
    maxActive: tuples.count,
    extract(state, player, index, value) {
      readSquares(state, player, digits);
      return extractTuples(tuples, digits, index, value);
    },
    describe(feature) {
      const example = tuples.examples[feature]!;
      const squares = example.cells.map((cell) =>
        squareName(STRIDE * Math.floor(cell / size) + (cell % size)),
      );
      const signs = example.digits.map((digit) => (digit === EMPTY ? "." : digit === OWN ? "x" : "o"));
      return `${squares.join(" ")} ${signs.join("")}`;
    },
  };
}

function describeSet(name: TupleSet): string {
  if (name === "blocks") return "2x2 blocks";
  if (name === "tuples") return "lines of 2, 3 and 4 squares and 2x2 blocks";
  return `lines of ${name.at(-1)} squares`;
}
