import type { FeatureSet } from "../contract/facets.ts";
import type { State } from "../contract/rules.ts";
import type { ViewedFeatures } from "./joined-features.ts";
import { patternImage } from "./pattern-images.ts";
import { BLACK, type GridBoard, type TwoSets } from "./two-sets.ts";

/** Cells of a block, and the patterns of pieces on them. */
const CELLS = 6;
const PATTERNS = 3 ** CELLS;
/** By set of places in a block: the pattern with 1 in these places. */
const TERNARY = Int32Array.from({ length: 1 << CELLS }, (_, cells) => parseInt(cells.toString(2), 3));
const SIGNS = ".xo";

/** The place of a block: its upper left cell, and its sides. */
interface Block {
  readonly row: number;
  readonly column: number;
  readonly rows: number;
  readonly columns: number;
}

/** A board with pieces of two players, whose cells are numbered row by row. */
interface Board<S extends State> {
  readonly width: number;
  readonly height: number;
  readonly nameOf: (cell: number) => string;
  /** Writes by row the cells with a piece of `player`, and those with a piece of the other, as bits by column. */
  readonly readRows: (state: S, player: number, own: Int32Array, others: Int32Array) => void;
}

/** `blocks` of a game of two sets. If the board is `turned`, rows are counted from the own side, as in `twoSetTuples`. */
export function twoSetBlocks(
  board: GridBoard,
  { symmetries, turned }: { readonly symmetries: readonly number[][]; readonly turned: boolean },
): FeatureSet<TwoSets> {
  const { width, height } = board;
  return blockFeatures<TwoSets>(
    {
      width,
      height,
      nameOf: (cell) => board.nameOf(board.squareOf(cell)),
      readRows({ black, white }, player, own, others) {
        const [mine, theirs] = player === BLACK ? [black, white] : [white, black];
        for (let row = 0; row < height; row++) {
          const drawn = turned && player !== BLACK ? height - 1 - row : row;
          own[row] = mine.row(drawn);
          others[row] = theirs.row(drawn);
        }
      },
    },
    symmetries,
  );
}

/**
 * `blocks`, for networks: the pieces one by one, and the pattern of pieces on each block of two by three cells, lying or
 * upright, as the player to move sees them. Images under `symmetries`, of which the first is the identity, have features of
 * their own, so that a policy can tell left from right.
 */
export function blockFeatures<S extends State>(
  { width, height, nameOf, readRows }: Board<S>,
  symmetries: readonly number[][],
): ViewedFeatures<S> {
  const cells = width * height;
  const first = 2 * cells;
  const blocks = [
    { rows: 2, columns: 3 },
    { rows: 3, columns: 2 },
  ].flatMap(({ rows, columns }) =>
    Array.from({ length: height - rows + 1 }).flatMap((_, row) =>
      Array.from({ length: width - columns + 1 }, (_, column): Block => ({ row, column, rows, columns })),
    ),
  );
  const [tops, lefts, rowsOf, columnsOf] = (["row", "column", "rows", "columns"] as const).map((key) =>
    Int32Array.from(blocks, (block) => block[key]),
  ) as [Int32Array, Int32Array, Int32Array, Int32Array];
  const places = blocks.map((block) => cellsOf(block, width));
  const size = first + blocks.length * PATTERNS;
  const own = new Int32Array(height);
  const others = new Int32Array(height);
  let images: readonly Int32Array[] | undefined;
  return {
    summary: "pieces, and the patterns on each block of two by three cells; for networks",
    version: 1,
    size,
    maxActive: cells + blocks.length,
    unit: true,
    symmetry: "mirrored",
    get images() {
      return (images ??= symmetries.slice(1).map((symmetry) => patternImage(symmetry, places)));
    },
    viewer: ({ toMove }) => (toMove === 1 ? 1 : 0),
    extract(state, player, index) {
      readRows(state, player, own, others);
      let end = 0;
      for (let row = 0; row < height; row++) {
        for (let column = 0; column < width; column++) {
          const cell = width * row + column;
          if (((own[row] >>> column) & 1) === 1) index[end++] = cell;
          else if (((others[row] >>> column) & 1) === 1) index[end++] = cells + cell;
        }
      }
      for (let block = 0, from = first; block < tops.length; block++, from += PATTERNS) {
        const left = lefts[block];
        const columns = columnsOf[block];
        const bits = (1 << columns) - 1;
        let [a, b] = [0, 0];
        for (let row = tops[block] + rowsOf[block] - 1; row >= tops[block]; row--) {
          a = (a << columns) | ((own[row] >>> left) & bits);
          b = (b << columns) | ((others[row] >>> left) & bits);
        }
        if ((a | b) !== 0) index[end++] = from + TERNARY[a] + 2 * TERNARY[b];
      }
      return end;
    },
    describe(feature) {
      if (feature < first) return `${feature < cells ? "own" : "other"} piece on ${nameOf(feature % cells)}`;
      const at = Math.floor((feature - first) / PATTERNS);
      const digits = Array.from(((feature - first) % PATTERNS).toString(3).padStart(CELLS, "0")).toReversed();
      const rows = Array.from({ length: rowsOf[at] }, (_, row) =>
        digits.slice(row * columnsOf[at], (row + 1) * columnsOf[at]).map((digit) => SIGNS[Number(digit)]),
      );
      return `from ${nameOf(places[at]![0]!)}: ${rows.map((row) => row.join("")).join("/")}`;
    },
  };
}

/** The cells of a block, row by row, the lowest digit of a pattern first. */
function cellsOf({ row, column, rows, columns }: Block, width: number): number[] {
  return Array.from(
    { length: rows * columns },
    (_, at) => width * (row + Math.floor(at / columns)) + column + (at % columns),
  );
}
