import type { Random } from "../base/random.ts";
import type { State, TupleBoard } from "../games/game.ts";
import type { TrackedFeatures } from "./tracked-features.ts";

/** Most entries that all tables of a network may have together: what one typed array of indexes can tell apart. */
export const MAX_ENTRIES = 2 ** 30;

/**
 * The features of an n-tuple network (Bledsoe and Browning 1959; Lucas 2008): for each tuple of cells a
 * table with an entry for every code, the digits of its cells with the first cell highest. Every image of
 * a tuple under the board's symmetries looks up the same table, so each image has exactly one active
 * feature, of value 1.
 *
 * Codes are found from those of a base position by the cells that differ. They are whole numbers: what is
 * extracted never depends on what was looked at before.
 */
export function tupleFeatures(board: TupleBoard, tuples: readonly (readonly number[])[]): TrackedFeatures {
  const { views, size } = layOut(board, tuples);
  const starts = tables(board, tuples);
  const { from, view, factor } = usesOf(board, views);
  const codes = Int32Array.from(views, ({ table }) => table);
  const count = codes.length;
  const digits = new Uint8Array(board.cells);
  const baseCodes = codes.slice();
  const baseDigits = new Uint8Array(board.cells);
  const changed = new Int32Array(count);
  const isChanged = new Uint8Array(count);
  let changedCount = 0;
  return {
    summary: `${tuples.length} tuples in ${count} views of the board`,
    version: 1,
    size,
    maxActive: count,
    unit: true,
    viewer: (state) => board.viewer?.(state) ?? 0,
    changed,
    get changedCount() {
      return changedCount;
    },
    rebase() {
      for (let at = 0; at < changedCount; at++) {
        baseCodes[changed[at]] = codes[changed[at]];
        isChanged[changed[at]] = 0;
      }
      changedCount = 0;
      baseDigits.set(digits);
    },
    extract(state: State, player, index) {
      board.read(state, player, digits);
      for (let at = 0; at < changedCount; at++) {
        codes[changed[at]] = baseCodes[changed[at]];
        isChanged[changed[at]] = 0;
      }
      let end = 0;
      for (let cell = 0; cell < digits.length; cell++) {
        const change = digits[cell] - baseDigits[cell];
        if (change === 0) continue;
        const last = from[cell + 1];
        for (let use = from[cell]; use < last; use++) {
          const at = view[use];
          codes[at] += change * factor[use];
          changed[end] = at;
          end += 1 - isChanged[at];
          isChanged[at] = 1;
        }
      }
      changedCount = end;
      for (let at = 0; at < count; at++) index[at] = codes[at];
      return count;
    },
    describe(feature) {
      const tuple = starts.findLast(({ begins }) => begins <= feature)!;
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

/** Tuples made by random walks from cell to neighbouring cell until so many different ones were met. */
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

/** A tuple's table: where its entries begin, and the cells that it looks at: the board's context, then the tuple's. */
export interface Table {
  readonly begins: number;
  readonly cells: readonly number[];
}

/** One image of a tuple: where its table begins, and its cells. */
interface View {
  readonly table: number;
  readonly cells: readonly number[];
}

/** The tuples' tables, one after the other. */
export function tables(board: TupleBoard, tuples: readonly (readonly number[])[]): Table[] {
  let begins = 0;
  return tuples.map((tuple) => {
    const cells = board.context === undefined ? tuple : [board.context, ...tuple];
    const table = { begins, cells };
    begins += board.digits ** cells.length;
    return table;
  });
}

/** Number of cells that tuples are made of: all but the context, which is the last one. */
export function tupleCells({ cells, context }: TupleBoard): number {
  return context === undefined ? cells : cells - 1;
}

/** Number of entries of all tables together. */
export function entriesOf(board: TupleBoard, tuples: readonly (readonly number[])[]): number {
  const context = board.context === undefined ? 0 : 1;
  return tuples.reduce((sum, cells) => sum + board.digits ** (cells.length + context), 0);
}

/** The different images of a tuple under the board's symmetries, all of which look up its table. */
export function imagesOf({ symmetries }: TupleBoard, cells: readonly number[]): number[][] {
  const images = symmetries.map((symmetry) => cells.map((cell) => symmetry[cell]!));
  return [...new Map(images.map((image) => [image.join(), image])).values()];
}

function layOut(
  board: TupleBoard,
  tuples: readonly (readonly number[])[],
): { views: readonly View[]; size: number } {
  const views = tables(board, tuples).flatMap(({ begins, cells }) =>
    imagesOf(board, cells).map((image): View => ({ table: begins, cells: image })),
  );
  const size = entriesOf(board, tuples);
  if (size > MAX_ENTRIES) throw new RangeError(`${size} table entries, more than ${MAX_ENTRIES}`);
  return { views, size };
}

interface Uses {
  /** The uses of cell c are from[c] to from[c + 1] - 1. */
  readonly from: Int32Array;
  readonly view: Int32Array;
  /** What the cell's digit counts in the view's code. */
  readonly factor: Int32Array;
}

/** By cell: the views that look at it. */
function usesOf({ cells, digits }: TupleBoard, views: readonly View[]): Uses {
  const from = new Int32Array(cells + 1);
  const view: number[] = [];
  const factor: number[] = [];
  for (let cell = 0; cell < cells; cell++) {
    for (const [at, { cells: seen }] of views.entries()) {
      const place = seen.indexOf(cell);
      if (place < 0) continue;
      view.push(at);
      factor.push(digits ** (seen.length - 1 - place));
    }
    from[cell + 1] = view.length;
  }
  return { from, view: Int32Array.from(view), factor: Int32Array.from(factor) };
}
