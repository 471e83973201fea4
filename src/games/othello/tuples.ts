import type { FeatureSet, TupleBoard } from "../../game/facets.ts";
import {
  adjacentCells,
  blockOffsets,
  LINE_STEPS,
  lineOffsets,
  numberedRows,
  placements,
  squareSymmetries,
  type Offset,
} from "../../game/grid.ts";
import { STRIDE } from "../shared/square-set.ts";
import { EMPTY, extractTuples, OTHERS, OWN, shareTuples } from "../shared/tuples.ts";
import { boardLayout, squareName } from "./squares.ts";
import { BLACK, type OthelloState } from "./state.ts";

const NAMES = [".", "own", "other"];

/**
 * Squares row by row, as the player sees them who has just moved. So both colours share their weights (Lucas 2008).
 */
export function tupleBoard(size: number): TupleBoard<OthelloState> {
  return {
    cells: size * size,
    digits: 3,
    symmetries: squareSymmetries(size),
    neighbours: adjacentCells(numberedRows(size, size)),
    layout: boardLayout(size, (row, column) => size * row + column),
    viewer: (state) => 1 - state.turn,
    read: readSquares,
    cellName: (cell) => squareName(STRIDE * Math.floor(cell / size) + (cell % size)),
    digitName: (digit) => NAMES[digit]!,
  };
}

/** Writes the content of each square as `player` sees it, row by row. */
function readSquares({ black, white, size }: OthelloState, player: number, digits: Uint8Array): void {
  const own = player === BLACK ? black : white;
  const other = player === BLACK ? white : black;
  let cell = 0;
  for (let row = 0; row < size; row++) {
    const mine = own.row(row);
    const theirs = other.row(row);
    for (let column = 0; column < size; column++)
      digits[cell++] = ((mine >>> column) & 1) * OWN + ((theirs >>> column) & 1) * OTHERS;
  }
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
