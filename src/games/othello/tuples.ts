import type { TupleBoard, TupleGroups } from "../contract/facets.ts";
import { adjacentCells, numberedRows, squareSymmetries } from "../contract/grid.ts";
import { STRIDE } from "../shared/square-set.ts";
import { readGroups, readRow, rowKey } from "../shared/tuples.ts";
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
