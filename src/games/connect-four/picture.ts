import { numberedRows } from "../../game/grid.ts";
import type { Picture } from "../../game/picture.ts";
import { circle, middleOf, path, rect } from "../shared/shapes.ts";
import { piecePicture, squareBoard } from "../shared/square-picture.ts";
import { stoneAt } from "./notation.ts";
import type { ConnectFourState } from "./state.ts";

const DISCS = [
  { name: "orange disc", fill: "player0" },
  { name: "yellow disc", fill: "player1" },
] as const;
const RADIUS = 0.4;

/**
 * A frame with holes. The first player's discs carry a cross, the second's a ring, as the text has x and o. Places are
 * the cells, row by row from the top. A person plays a column by touching the cell where the disc comes to lie.
 */
export function picture(width: number, height: number): Picture<ConnectFourState> {
  const columnOf = (cell: number) => cell % width;
  const rowOf = (cell: number) => height - 1 - Math.floor(cell / width);
  const board = squareBoard(
    {
      rows: numberedRows(width, height),
      columnNames: Array.from({ length: width }, (_, column) => String(column + 1)),
    },
    { nameOf: (cell) => `column ${columnOf(cell) + 1}, row ${rowOf(cell) + 1}`, isRound: true },
  );
  const { places, top, left, labels } = board;
  return piecePicture(board, {
    ground: [
      rect({ x: left, y: top, w: width, h: height }, { round: 0.3, fill: "frame" }),
      ...places.map((place) => circle(middleOf(place), RADIUS, { fill: "hole" })),
      ...labels,
    ],
    pieceAt: (state, cell) => DISCS[stoneAt(state, columnOf(cell), rowOf(cell))],
    draw({ fill }, place) {
      const middle = middleOf(place);
      const sign = { stroke: "edge", width: 0.06, opacity: 0.6 } as const;
      return [
        circle(middle, RADIUS, { fill, stroke: "edge", width: 0.035 }),
        fill === "player0"
          ? path("M-.13 -.13 .13 .13M-.13 .13 .13 -.13", middle, sign)
          : circle(middle, 0.17, sign),
      ];
    },
    nameOf: ({ name }) => name,
    touches: (state, column) => [width * (height - 1 - state.heights[column]) + column],
  });
}
