import { numberedRows } from "../contract/grid.ts";
import type { Picture } from "../contract/picture.ts";
import { circle, middleOf, path, rect } from "../shared/shapes.ts";
import { piecePicture, squareBoard } from "../shared/square-picture.ts";
import { stoneAt } from "./notation.ts";
import type { ConnectFourState } from "./state.ts";

const DISCS = [
  { name: "orange disc", fill: "player0" },
  { name: "yellow disc", fill: "player1" },
] as const;
const RADIUS = 0.4;

/** Steps to the right and upwards along the four kinds of lines. */
const DIRECTIONS = [
  [1, 0],
  [0, 1],
  [1, 1],
  [1, -1],
] as const;

/**
 * A frame with holes. The first player's discs carry a cross, the second's a ring, as the text has x and o. Places are
 * the cells, row by row from the top. A person plays a column by touching the cell where the disc comes to lie.
 */
export function picture(width: number, height: number): Picture<ConnectFourState> {
  const columnOf = (cell: number) => cell % width;
  const cellAt = (column: number, row: number) => width * (height - 1 - row) + column;
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
    won: (state) =>
      state.winner < 0 ? [] : fourOf(state, state.winner).map(({ column, row }) => cellAt(column, row)),
    touches: (state, column) => [cellAt(column, state.heights[column]!)],
  });
}

/** The stones of a player that lie in a line of four or more, from the lowest row on. */
function fourOf(state: ConnectFourState, player: number): { column: number; row: number }[] {
  const isOwn = (column: number, row: number) =>
    column >= 0 &&
    column < state.width &&
    row >= 0 &&
    row < state.height &&
    stoneAt(state, column, row) === player;
  const reach = (column: number, row: number, right: number, up: number): number =>
    isOwn(column + right, row + up) ? 1 + reach(column + right, row + up, right, up) : 0;
  const isIn = ({ column, row }: { column: number; row: number }) =>
    isOwn(column, row) &&
    DIRECTIONS.some(([right, up]) => reach(column, row, right, up) + reach(column, row, -right, -up) >= 3);
  const cells = Array.from({ length: state.height }, (_, row) =>
    Array.from({ length: state.width }, (__, column) => ({ column, row })),
  ).flat();
  return cells.filter(isIn);
}
