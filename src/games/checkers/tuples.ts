import type { TupleBoard } from "../contract/facets.ts";
import { adjacentCells } from "../contract/grid.ts";
import { SQUARES } from "./board.ts";
import { ROW_NAMES, squareRows } from "./pieces.ts";
import { BLACK, type CheckersState } from "./state.ts";

const NAMES = [".", "own-man", "own-king", "other-man", "other-king"];
const OWN = 1;
const OTHERS = 3;

const cells = Array.from({ length: SQUARES }, (_, square) => square);
const rows = squareRows(0);

/**
 * The dark squares, numbered from the player's own side, as the player sees them who has just moved. So both players
 * share their weights. The board has no mirror image: it would have the dark squares in other places.
 */
export const tupleBoard: TupleBoard<CheckersState> = {
  cells: SQUARES,
  digits: NAMES.length,
  symmetries: [cells],
  neighbours: adjacentCells(rows),
  layout: { rows, rowNames: ROW_NAMES },
  viewer: (state) => 1 - state.turn,
  read({ black, white, kings }, player, digits) {
    const own = player === BLACK ? black : white;
    const other = player === BLACK ? white : black;
    for (let cell = 0; cell < SQUARES; cell++) {
      const square = player === BLACK ? cell : SQUARES - 1 - cell;
      const isKing = (kings >>> square) & 1;
      digits[cell] = ((own >>> square) & 1) * (OWN + isKing) + ((other >>> square) & 1) * (OTHERS + isKing);
    }
  },
  cellName: (cell) => String(cell + 1),
  digitName: (digit) => NAMES[digit]!,
};
