import type { TupleBoard, TupleGroups } from "../contract/facets.ts";
import type { State } from "../contract/game.ts";

/** The content of a cell that is not empty, as a player sees it: a digit of a tuple's code. */
const OWN = 1;
const OTHERS = 2;

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
