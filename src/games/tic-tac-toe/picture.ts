import { numberedRows } from "../contract/grid.ts";
import type { Picture } from "../contract/picture.ts";
import { circle, middleOf, path, rect } from "../shared/shapes.ts";
import { piecePicture, squarePlaces } from "../shared/square-picture.ts";
import { formatCell } from "./notation.ts";
import { LINES, type TicTacToeState } from "./state.ts";

const SIZE = 3;
const places = squarePlaces(numberedRows(SIZE, SIZE), formatCell);

/** Crosses and rings. */
export const picture: Picture<TicTacToeState> = piecePicture(
  { width: SIZE, height: SIZE, places },
  {
    players: ["player0", "player2"],
    ground: [
      rect({ x: 0, y: 0, w: SIZE, h: SIZE }, { round: 0.1, fill: "board" }),
      ...[1, 2].flatMap((at) => [
        rect({ x: at - 0.02, y: 0.1, w: 0.04, h: SIZE - 0.2 }, { fill: "line" }),
        rect({ x: 0.1, y: at - 0.02, w: SIZE - 0.2, h: 0.04 }, { fill: "line" }),
      ]),
    ],
    pieceAt: ({ first, second }, cell) =>
      ((first >>> cell) & 1) === 1 ? "x" : ((second >>> cell) & 1) === 1 ? "o" : undefined,
    draw: (stone, place) => [
      stone === "x"
        ? path("M.25 .25 .75 .75M.75 .25 .25 .75", place, { stroke: "player0", width: 0.14 })
        : circle(middleOf(place), 0.28, { stroke: "player2", width: 0.14 }),
    ],
    nameOf: (stone) => stone,
    touches: (_, cell) => [cell],
    won: ({ first, second }) =>
      places.flatMap((_, cell) => {
        const isOn = (line: number) =>
          ((line >>> cell) & 1) === 1 && [first, second].some((own) => (own & line) === line);
        return LINES.some(isOn) ? [cell] : [];
      }),
  },
);
