import type { TupleBoard, TupleGroups } from "../contract/facets.ts";
import type { State } from "../contract/game.ts";

/** The content of a cell, as a player sees it: a digit of a tuple's code. */
export const EMPTY = 0;
export const OWN = 1;
export const OTHERS = 2;
const DIGITS = 3;

/**
 * N-tuples over a board of two players' pieces, as features. A tuple is a list of cells. Its code is a
 * number in base 3 with the contents of its cells as digits, the first cell's digit highest. Each tuple has
 * at most one active feature, which its code selects.
 *
 * Features are shared in three ways. Tuples that a symmetry of the board takes to each other have the
 * same features. Codes that a symmetry of one tuple takes to each other have the same feature. A code and
 * the code with the players exchanged are one feature with the values 1 and -1, so that the two players'
 * views negate; a code that is its own exchange by symmetry has no feature.
 */
export interface SharedTuples {
  /** Number of tuples. */
  readonly count: number;
  /** The cells of tuple t are cells[from[t]] to cells[from[t + 1] - 1]. */
  readonly cells: Int32Array;
  readonly from: Int32Array;
  /**
   * The entries of tuple t begin at entries[table[t]]. The entry of a code is 0 for no feature, otherwise
   * value * (feature + 1).
   */
  readonly table: Int32Array;
  readonly entries: Int32Array;
  /** Number of features. */
  readonly size: number;
  /** By feature: the cells of one of its tuples, and their digits for the value 1. */
  readonly examples: readonly { readonly cells: readonly number[]; readonly digits: readonly number[] }[];
}

/**
 * Finds the features that tuples share. A symmetry maps cell numbers to cell numbers. The list of
 * symmetries holds the identity and is closed under composition. The list of tuples must hold the images of each of its
 * tuples, with their cells in any order.
 */
export function shareTuples(
  tuples: readonly (readonly number[])[],
  symmetries: readonly (readonly number[])[],
): SharedTuples {
  const numbers = new Map(tuples.map((cells, tuple) => [keyOf(cells), tuple]));
  const ordered: (readonly number[])[] = [];
  const table = new Int32Array(tuples.length);
  const entries: number[] = [];
  const examples: { cells: readonly number[]; digits: readonly number[] }[] = [];
  tuples.forEach((cells, tuple) => {
    if (ordered[tuple] !== undefined) return;
    const images = symmetries.map((symmetry) => cells.map((cell) => symmetry[cell]!));
    for (const image of images) {
      const twin = numbers.get(keyOf(image))!;
      ordered[twin] ??= image;
      table[twin] = entries.length;
    }
    const turns = images
      .filter((image) => keyOf(image) === keyOf(cells))
      .map((image) => image.map((cell) => cells.indexOf(cell)));
    entries.push(...shareCodes(cells, turns, examples));
  });
  const from = new Int32Array(tuples.length + 1);
  tuples.forEach((cells, tuple) => (from[tuple + 1] = from[tuple] + cells.length));
  return {
    count: tuples.length,
    cells: Int32Array.from(ordered.flat()),
    from,
    table,
    entries: Int32Array.from(entries),
    size: examples.length,
    examples,
  };
}

function keyOf(cells: readonly number[]): string {
  return cells.toSorted((a, b) => a - b).join();
}

/** The entries of one table; `turns` are the rearrangements of the tuple's own cells by symmetry. */
function shareCodes(
  cells: readonly number[],
  turns: readonly (readonly number[])[],
  examples: { cells: readonly number[]; digits: readonly number[] }[],
): Int32Array {
  const entries = new Int32Array(DIGITS ** cells.length);
  const seen = new Set<number>();
  for (let code = 0; code < entries.length; code++) {
    if (seen.has(code)) continue;
    const digits = digitsOf(code, cells.length);
    const alike = turns.map((turn) => codeOf(turn.map((at) => digits[at]!)));
    const exchanged = alike.map((other) => codeOf(digitsOf(other, cells.length).map(exchange)));
    for (const other of [...alike, ...exchanged]) seen.add(other);
    if (exchanged.includes(code)) continue;
    examples.push({ cells, digits });
    for (const other of alike) entries[other] = examples.length;
    for (const other of exchanged) entries[other] = 0 - examples.length;
  }
  return entries;
}

function digitsOf(code: number, length: number): number[] {
  return Array.from({ length }, (_, at) => Math.floor(code / DIGITS ** (length - 1 - at)) % DIGITS);
}

function codeOf(digits: readonly number[]): number {
  return digits.reduce((code, digit) => code * DIGITS + digit, 0);
}

function exchange(digit: number): number {
  return digit === EMPTY ? EMPTY : OWN + OTHERS - digit;
}

/** Writes the active features of all tuples and returns their number. `digits` is the content of each cell. */
export function extractTuples(
  { count, cells, from, table, entries }: SharedTuples,
  digits: Uint8Array,
  index: Int32Array,
  value: Float32Array,
): number {
  let end = 0;
  let at = 0;
  for (let tuple = 0; tuple < count; tuple++) {
    const last = from[tuple + 1];
    let code = 0;
    for (; at < last; at++) code = code * DIGITS + digits[cells[at]];
    const entry = entries[table[tuple] + code];
    if (entry === 0) continue;
    index[end] = (entry < 0 ? 0 - entry : entry) - 1;
    value[end++] = entry < 0 ? -1 : 1;
  }
  return end;
}

/** Reads all cells of a board by its groups. */
export function readGroups<S extends State>(groups: TupleGroups<S>): TupleBoard<S>["read"] {
  const keys = new Int32Array(groups.cells.length);
  return (state, player, digits) => {
    groups.keys(state, player, keys);
    for (let group = 0; group < keys.length; group++) groups.read(group, keys[group], digits);
  };
}

/** The bits of the second player's pieces in a key that has a row's pieces of both players. */
const ROW_SHIFT = 16;

/** The key of a row: the cells of the viewer's pieces and of the other player's, a bit each. */
export function rowKey(own: number, others: number): number {
  return own | (others << ROW_SHIFT);
}

/** Writes the digits of a row of `width` cells from `first` on. */
export function readRow(key: number, first: number, width: number, digits: Uint8Array): void {
  const others = key >>> ROW_SHIFT;
  for (let column = 0; column < width; column++)
    digits[first + column] = ((key >>> column) & 1) * OWN + ((others >>> column) & 1) * OTHERS;
}
