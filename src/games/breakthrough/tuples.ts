import type { TupleBoard, TupleGroups } from "../contract/facets.ts";
import { adjacentCells, numberedRows } from "../contract/grid.ts";
import { readGroups, readRow, rowKey } from "../shared/tuples.ts";
import { COLUMN_NAMES } from "./notation.ts";
import { BLACK, type BreakthroughState } from "./state.ts";

const NAMES = [".", "own", "other"];

/**
 * Squares row by row from the player's own side, as the player sees them who has just moved. So both players share
 * their weights, and mirror images do.
 */
export function tupleBoard(width: number, height: number): TupleBoard<BreakthroughState> {
  const rows = numberedRows(width, height);
  const ahead = rows.toReversed();
  const groups: TupleGroups<BreakthroughState> = {
    cells: rows,
    keys({ black, white }, player, keys) {
      const own = player === BLACK ? black : white;
      const other = player === BLACK ? white : black;
      for (let row = 0; row < height; row++) {
        const drawn = player === BLACK ? row : height - 1 - row;
        keys[row] = rowKey(own.row(drawn), other.row(drawn));
      }
    },
    read: (group, key, digits) => readRow(key, width * group, width, digits),
  };
  return {
    cells: width * height,
    digits: NAMES.length,
    symmetries: [rows.flat(), rows.flatMap((row) => row.toReversed())],
    neighbours: adjacentCells(rows),
    layout: {
      rows: ahead,
      rowNames: ahead.map((_, at) => String(height - at)),
      columnNames: Array.from(COLUMN_NAMES.slice(0, width)),
    },
    viewer: (state) => 1 - state.turn,
    groups,
    read: readGroups(groups),
    cellName: (cell) => `${COLUMN_NAMES[cell % width]}${Math.floor(cell / width) + 1}`,
    digitName: (digit) => NAMES[digit]!,
  };
}
