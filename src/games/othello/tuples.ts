import type { FeatureSet } from "../facets.ts";
import { EMPTY, extractTuples, OTHERS, OWN, shareTuples } from "../tuples.ts";
import { squareName } from "./notation.ts";
import { STRIDE } from "../square-set.ts";
import { BLACK, type OthelloState } from "./state.ts";

/** The sets of tuples, `tuples` being all of the others together. */
export const TUPLE_SETS = ["lines-2", "lines-3", "lines-4", "blocks", "tuples"] as const;
export type TupleSet = (typeof TUPLE_SETS)[number];

const LINE_STEPS = [
  { row: 0, column: 1 },
  { row: 1, column: 0 },
  { row: 1, column: 1 },
  { row: 1, column: -1 },
] as const;

/** Cells as row and column from the first one. */
type Shape = readonly { readonly row: number; readonly column: number }[];

function lines(length: number): Shape[] {
  return LINE_STEPS.map((step) =>
    Array.from({ length }, (_, at) => ({ row: at * step.row, column: at * step.column })),
  );
}

const SHAPES: Readonly<Record<Exclude<TupleSet, "tuples">, readonly Shape[]>> = {
  "lines-2": lines(2),
  "lines-3": lines(3),
  "lines-4": lines(4),
  blocks: [
    [
      { row: 0, column: 0 },
      { row: 0, column: 1 },
      { row: 1, column: 0 },
      { row: 1, column: 1 },
    ],
  ],
};

/** Every place of the shapes on the board, as cell numbers row * size + column. */
function placements(shapes: readonly Shape[], size: number): number[][] {
  const found: number[][] = [];
  for (const shape of shapes) {
    for (let row = 0; row < size; row++) {
      for (let column = 0; column < size; column++) {
        const cells = shape.map((cell) => ({ row: row + cell.row, column: column + cell.column }));
        if (cells.every((cell) => cell.row < size && cell.column >= 0 && cell.column < size))
          found.push(cells.map((cell) => cell.row * size + cell.column));
      }
    }
  }
  return found;
}

/** The eight symmetries of a square board, the identity first. */
export function squareSymmetries(size: number): number[][] {
  const last = size - 1;
  const maps = [
    (row: number, column: number) => row * size + column,
    (row: number, column: number) => row * size + last - column,
    (row: number, column: number) => (last - row) * size + column,
    (row: number, column: number) => (last - row) * size + last - column,
  ];
  const straight = maps.map((map) =>
    Array.from({ length: size * size }, (_, cell) => map(Math.floor(cell / size), cell % size)),
  );
  const turned = maps.map((map) =>
    Array.from({ length: size * size }, (_, cell) => map(cell % size, Math.floor(cell / size))),
  );
  return [...straight, ...turned];
}

/**
 * Systematic n-tuple networks (Jaskowski 2014): every straight line of 2, 3 or 4 squares, or every 2x2
 * block, shared over the eight symmetries of the board and over the exchange of colours.
 */
export function tupleFeatures(name: TupleSet, size: number): FeatureSet<OthelloState> {
  const shapes = name === "tuples" ? Object.values(SHAPES).flat() : SHAPES[name];
  const tuples = shareTuples(placements(shapes, size), squareSymmetries(size));
  const digits = new Uint8Array(size * size);

  return {
    summary: `n-tuples: ${describeSet(name)}, shared over 8 symmetries and both colours (Jaskowski 2014)`,
    version: 1,
    size: tuples.size,
    maxActive: tuples.count,
    extract(state, player, index, value) {
      const own = player === BLACK ? state.black : state.white;
      const other = player === BLACK ? state.white : state.black;
      let cell = 0;
      for (let row = 0; row < size; row++) {
        const shift = STRIDE * (row & 3);
        const mine = (row < 4 ? own.low : own.high) >>> shift;
        const theirs = (row < 4 ? other.low : other.high) >>> shift;
        for (let column = 0; column < size; column++)
          digits[cell++] = ((mine >>> column) & 1) * OWN + ((theirs >>> column) & 1) * OTHERS;
      }
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
