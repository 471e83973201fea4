import type { TupleBoard } from "../facets.ts";
import { squareSymmetries } from "../grid.ts";
import { STRIDE } from "../square-set.ts";
import { boardLayout } from "./layout.ts";
import { squareName } from "./notation.ts";
import { BLACK, type OthelloState } from "./state.ts";

const OWN = 1;
const OTHERS = 2;
const NAMES = [".", "own", "other"];

/**
 * Squares row by row as the player sees them whose turn it is not, who has just moved: colours are alike
 * but for the turn (Lucas 2008).
 */
export function tupleBoard(size: number): TupleBoard<OthelloState> {
  const cells = Array.from({ length: size * size }, (_, cell) => cell);
  return {
    cells: cells.length,
    digits: 3,
    symmetries: squareSymmetries(size),
    neighbours: cells.map((cell) =>
      cells.filter((other) => {
        const rows = Math.abs(Math.floor(other / size) - Math.floor(cell / size));
        const columns = Math.abs((other % size) - (cell % size));
        return Math.max(rows, columns) === 1;
      }),
    ),
    layout: boardLayout(size, (row, column) => size * row + column),
    viewer: (state) => 1 - state.turn,
    read({ black, white }, player, digits) {
      const own = player === BLACK ? black : white;
      const other = player === BLACK ? white : black;
      let cell = 0;
      for (let row = 0; row < size; row++) {
        const shift = STRIDE * (row & 3);
        const mine = (row < 4 ? own.low : own.high) >>> shift;
        const theirs = (row < 4 ? other.low : other.high) >>> shift;
        for (let column = 0; column < size; column++)
          digits[cell++] = ((mine >>> column) & 1) * OWN + ((theirs >>> column) & 1) * OTHERS;
      }
    },
    cellName: (cell) => squareName(STRIDE * Math.floor(cell / size) + (cell % size)),
    digitName: (digit) => NAMES[digit]!,
  };
}
