import type { Random } from "../base/random.ts";
import type { FeatureSet, State, TupleBoard } from "../games/contract/game.ts";

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
