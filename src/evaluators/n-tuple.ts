import { type Random, createRandom } from "../base/random.ts";
import type { Layout, TupleNeighbours, TupleSet, TupleShape } from "../games/contract/facets.ts";
import type { FeatureSet, State, TupleBoard } from "../games/contract/game.ts";
import { z } from "zod";
import { InputError } from "../base/errors.ts";
import { unknownName } from "../base/text.ts";
import { blockOffsets, LINE_STEPS, lineOffsets, placements, type Offset } from "../games/contract/grid.ts";

/** The most entries of all tables of a network together: the number of each fits into an Int32Array. */
export const MAX_ENTRIES = 2 ** 30;

/** The features of an n-tuple network. Each view, an image of a tuple, has one that is active. */
export interface TupleFeatures extends FeatureSet {
  readonly board: TupleBoard;
  /** By view: the feature that is active while all cells hold 0. */
  readonly begins: Int32Array;
  /** By cell, and then by view: the increase of the view's feature when the cell's digit grows by one. */
  readonly factors: readonly Int32Array[];
}

/** True if a feature set is that of an n-tuple network. */
export function isTuples(features: FeatureSet): features is TupleFeatures {
  return "factors" in features;
}

/**
 * The features of an n-tuple network (Bledsoe and Browning 1959; Lucas 2008). A tuple is a list of cells.
 * Its code is the number whose digits are the contents of its cells, the first cell highest. Each tuple has
 * a table with an entry, which is a feature, for every code. All images of a tuple under the board's
 * symmetries use the same table. So each image has exactly one active feature, of value 1.
 */
export function tupleFeatures(board: TupleBoard, tuples: readonly (readonly number[])[]): TupleFeatures {
  const size = entriesOf(board, tuples);
  if (size > MAX_ENTRIES) throw new RangeError(`${size} table entries, more than ${MAX_ENTRIES}`);
  const tables = tupleTables(board, tuples);
  const views = tables.flatMap((table) =>
    imagesOf(board, table.cells).map((cells) => ({ begins: table.begins, cells })),
  );
  const begins = Int32Array.from(views, (view) => view.begins);
  const factors = Array.from({ length: board.cells }, (_, cell) =>
    Int32Array.from(views, ({ cells }) => {
      const place = cells.indexOf(cell);
      return place < 0 ? 0 : board.digits ** (cells.length - 1 - place);
    }),
  );
  const digits = new Uint8Array(board.cells);
  return {
    summary: `${tuples.length} tuples in ${views.length} views of the board`,
    version: 1,
    size,
    maxActive: views.length,
    unit: true,
    board,
    begins,
    factors,
    viewer: (state) => board.viewer?.(state) ?? 0,
    extract(state: State, player, index) {
      board.read(state, player, digits);
      for (let view = 0; view < begins.length; view++) {
        index[view] = begins[view];
        for (let cell = 0; cell < digits.length; cell++) index[view] += digits[cell] * factors[cell]![view];
      }
      return begins.length;
    },
    describe(feature) {
      const tuple = tables.findLast((table) => table.begins <= feature)!;
      let code = feature - tuple.begins;
      const held = tuple.cells.map(() => 0);
      for (let at = held.length - 1; at >= 0; at--) {
        held[at] = code % board.digits;
        code = Math.floor(code / board.digits);
      }
      return tuple.cells.map((cell, at) => `${board.cellName(cell)}=${board.digitName(held[at]!)}`).join(" ");
    },
  };
}

/**
 * Makes `count` tuples by random walks: each walk goes from cell to neighbouring cell until it has met `length`
 * different ones.
 */
export function walkTuples(
  board: TupleBoard,
  { count, length }: { count: number; length: number },
  random: Random,
): number[][] {
  const starts = [...board.neighbours.keys()].filter((cell) => board.neighbours[cell]!.length > 0);
  return Array.from({ length: count }, () => {
    const met = new Set<number>();
    for (let cell = starts[random.below(starts.length)]!; ;) {
      met.add(cell);
      if (met.size === length) return [...met];
      const near = board.neighbours[cell]!;
      cell = near[random.below(near.length)]!;
    }
  });
}

/** The table of a tuple. */
export interface TupleTable {
  /** The feature that is the table's first entry. */
  readonly begins: number;
  /** The cells of the code: the board's context, if it has one, then those of the tuple. */
  readonly cells: readonly number[];
}

/** Makes the tables of all tuples, one after the other. */
export function tupleTables(board: TupleBoard, tuples: readonly (readonly number[])[]): TupleTable[] {
  let begins = 0;
  return tuples.map((tuple) => {
    const cells = board.context === undefined ? tuple : [board.context, ...tuple];
    const table = { begins, cells };
    begins += board.digits ** cells.length;
    return table;
  });
}

/** Returns the number of cells that tuples may contain: all but the context, which is the last cell. */
export function tupleCells({ cells, context }: TupleBoard): number {
  return context === undefined ? cells : cells - 1;
}

/** Returns the number of entries of all tables together. */
export function entriesOf(board: TupleBoard, tuples: readonly (readonly number[])[]): number {
  const context = board.context === undefined ? 0 : 1;
  return tuples.reduce((sum, cells) => sum + board.digits ** (cells.length + context), 0);
}

/** Returns the images of a list of cells under the board's symmetries, each only once. */
export function imagesOf({ symmetries }: TupleBoard, cells: readonly number[]): number[][] {
  const images = symmetries.map((symmetry) => cells.map((cell) => symmetry[cell]!));
  return [...new Map(images.map((image) => [image.join(), image])).values()];
}

const cells = z.array(z.int().min(0)).min(1);
const walks = z.strictObject({
  count: z.int().min(1).max(10_000).describe("number of random walks over the board"),
  length: z.int().min(1).describe("cells of each"),
  seed: z.union([z.string(), z.number().transform(String)]).default("tuples"),
});
/** By name: the places of the neighbours that a cell may bring along. */
const NEIGHBOURS: Readonly<Record<TupleNeighbours, readonly Offset[]>> = {
  below: [{ row: 1, column: 0 }],
  above: [{ row: -1, column: 0 }],
  beside: [
    { row: 0, column: -1 },
    { row: 0, column: 1 },
  ],
  around: [-1, 0, 1].flatMap((row) => [-1, 0, 1].map((column) => ({ row, column }))),
};
const neighbours = z
  .enum(["below", "above", "beside", "around"])
  .optional()
  .describe("the neighbours that each of the cells brings along, where the board has them");
const lines = z.strictObject({
  lines: z.int().min(2).describe("cells of a straight line, wherever it fits"),
  with: neighbours,
});
const blocks = z.strictObject({
  rows: z.int().min(1).describe("rows of a block, wherever it fits"),
  columns: z.int().min(1).describe("columns of it"),
  with: neighbours,
});
const setName = z.string().describe("a set of tuples of the game; `agon games GAME` lists them");
const shape = z.union([cells, lines, blocks, walks, setName]);

/** The tuples of a config: lists of cells, straight lines, blocks, random walks, sets of the game, or a list of these. */
export const tupleShapes = z
  .union([setName, walks, lines, blocks, z.array(shape).min(1)])
  .describe(
    "a set of tuples of the game, straight lines, blocks, random walks over the board, or a list of these and of lists of cells",
  );
type TupleShapes = z.output<typeof tupleShapes>;
type Shape = z.output<typeof shape>;

/**
 * Returns the cells of each tuple. If a symmetry of the board turns a line or a block into another, it takes only one
 * of the two, as both would share a table (Jaskowski 2014). Throws InputError if a shape does not fit the board.
 */
export function writeTuples(board: TupleBoard, shapes: TupleShapes): number[][] {
  return (Array.isArray(shapes) ? shapes : [shapes]).flatMap((one) => writeShape(board, one));
}

function writeShape(board: TupleBoard, one: Shape): number[][] {
  if (Array.isArray(one)) return [one];
  if (typeof one === "string") {
    const { tupleSets: sets = {} } = board;
    if (!Object.hasOwn(sets, one)) throw new InputError(unknownName("set of tuples", one, Object.keys(sets)));
    return tuplesOfSet(board, sets[one]!);
  }
  if ("count" in one) {
    const { count, length, seed } = one;
    if (length > tupleCells(board))
      throw new InputError(`a walk of ${length} cells on a board of ${tupleCells(board)}`);
    return walkTuples(board, { count, length }, createRandom(seed, "tuples"));
  }
  return placeShape(board, one);
}

/** Returns the cells of each tuple of a set. */
export function tuplesOfSet(board: TupleBoard, { tuples }: TupleSet): number[][] {
  return tuples.flatMap((one) => ("length" in one ? [[...one]] : placeShape(board, one)));
}

function placeShape(board: TupleBoard, one: Exclude<TupleShape, readonly number[]>): number[][] {
  const rows = board.layout?.rows ?? [];
  const longest = Math.max(rows.length, ...rows.map((row) => row.length));
  const sides = "lines" in one ? [one.lines] : [one.rows, one.columns];
  // A shape longer than the board may be of any size: it is not written out.
  const shapes = sides.some((side) => side > longest)
    ? []
    : "lines" in one
      ? LINE_STEPS.map((step) => lineOffsets(step, one.lines))
      : [blockOffsets(one.rows, one.columns)];
  const placed = shapes.flatMap((offsets) => placements(rows, offsets));
  if (placed.length === 0) throw new InputError(`${JSON.stringify(one)} fits nowhere on the board`);
  const near = one.with;
  return withoutImages(
    board,
    near === undefined ? placed : placed.map((cells) => withNeighbours(rows, cells, near)),
  );
}

/** The cells, and then the neighbours of each that are not among them. */
function withNeighbours(rows: Layout["rows"], cells: readonly number[], near: TupleNeighbours): number[] {
  const found = new Set(cells);
  for (const cell of cells) {
    const row = rows.findIndex((line) => line.includes(cell));
    const column = rows[row]!.indexOf(cell);
    for (const offset of NEIGHBOURS[near]) {
      const other = rows[row + offset.row]?.[column + offset.column];
      if (other !== undefined) found.add(other);
    }
  }
  return [...found];
}

function withoutImages({ symmetries }: TupleBoard, tuples: readonly number[][]): number[][] {
  const seen = new Set<string>();
  return tuples.filter((tuple) => {
    if (seen.has(keyOf(tuple))) return false;
    for (const symmetry of symmetries) seen.add(keyOf(tuple.map((cell) => symmetry[cell]!)));
    return true;
  });
}

function keyOf(tuple: readonly number[]): string {
  return tuple.toSorted((a, b) => a - b).join();
}
