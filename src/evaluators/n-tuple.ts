import type { Random } from "../base/random.ts";
import type { State, TupleBoard } from "../game/game.ts";
import type { TrackedFeatures } from "./tracked-features.ts";

/** The most entries of all tables of a network together: the number of each fits into an Int32Array. */
export const MAX_ENTRIES = 2 ** 30;

/**
 * The features of an n-tuple network (Bledsoe and Browning 1959; Lucas 2008). A tuple is a list of cells.
 * Its code is the number whose digits are the contents of its cells, the first cell highest. Each tuple has
 * a table with an entry, which is a feature, for every code. All images of a tuple under the board's
 * symmetries use the same table. So each image has exactly one active feature, of value 1.
 *
 * The codes of a position are computed from those of the base position and the cells that differ. As they
 * are whole numbers, the result does not depend on what the base is.
 */
export function tupleFeatures(board: TupleBoard, tuples: readonly (readonly number[])[]): TrackedFeatures {
  const size = entriesOf(board, tuples);
  if (size > MAX_ENTRIES) throw new RangeError(`${size} table entries, more than ${MAX_ENTRIES}`);
  const tables = tupleTables(board, tuples);
  const images = tables.flatMap(({ begins, cells }) =>
    imagesOf(board, cells).map((image) => ({ begins, cells: image })),
  );
  const { from, image, factor } = usesOf(
    board,
    images.map(({ cells }) => cells),
  );
  // By image: the feature, which is its code plus the start of the table. At first all cells hold 0.
  const codes = Int32Array.from(images, ({ begins }) => begins);
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
          const at = image[use];
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
      const tuple = tables.findLast(({ begins }) => begins <= feature)!;
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

/** The images that contain each cell: those of cell c are at from[c]..from[c + 1] - 1 of both lists. */
interface CellUses {
  readonly from: Int32Array;
  /** The number of the image. */
  readonly image: Int32Array;
  /** The increase of the image's code when the cell's digit grows by one. */
  readonly factor: Int32Array;
}

/** @param images the cells of each image */
function usesOf({ cells, digits }: TupleBoard, images: readonly (readonly number[])[]): CellUses {
  const from = new Int32Array(cells + 1);
  const image: number[] = [];
  const factor: number[] = [];
  for (let cell = 0; cell < cells; cell++) {
    for (const [at, seen] of images.entries()) {
      const place = seen.indexOf(cell);
      if (place < 0) continue;
      image.push(at);
      factor.push(digits ** (seen.length - 1 - place));
    }
    from[cell + 1] = image.length;
  }
  return { from, image: Int32Array.from(image), factor: Int32Array.from(factor) };
}
