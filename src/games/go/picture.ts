import { numberedRows } from "../contract/grid.ts";
import type { Picture } from "../contract/picture.ts";
import { circle, middleOf, rect } from "../shared/shapes.ts";
import { disc, gridLines, piecePicture, squareBoard } from "../shared/square-picture.ts";
import { boardOf, COLUMN_NAMES } from "./board.ts";
import { formatPoint } from "./notation.ts";
import type { GoState } from "./state.ts";

const COLOURS = ["black", "white"] as const;

/** Stones on the crossings of lines. A place is an action, 0 for a1 in the lower left corner. */
export function picture(size: number): Picture<GoState> {
  const { pointOf } = boardOf(size);
  const board = squareBoard(
    {
      rows: numberedRows(size, size).toReversed(),
      rowNames: Array.from({ length: size }, (_, row) => String(size - row)),
      columnNames: Array.from(COLUMN_NAMES.slice(0, size)),
    },
    { nameOf: (action) => formatPoint(action, size), isRound: true },
  );
  const { left, top, places, labels } = board;
  return piecePicture(board, {
    players: COLOURS,
    ground: [
      rect({ x: left, y: top, w: size, h: size }, { round: 0.1, fill: "wood" }),
      gridLines(board, 0.5),
      ...starPoints(size).map((action) => circle(middleOf(places[action]!), 0.1, { fill: "edge" })),
      ...labels,
    ],
    pieceAt: (state, place) => COLOURS[state.colour[pointOf[place]]],
    draw: (colour, place) => [disc(place, colour, 0.46)],
    nameOf: (colour) => `${colour} stone`,
    touches: (state, action) => (action === state.pass ? [] : [action]),
  });
}

/**
 * The points with dots. They lie on the third lines from the edge on boards up to 12x12, on the fourth lines of larger
 * boards, and on the middle lines of odd boards. Boards below 15x15 have only the centre of the middle lines; boards
 * below 7x7 have nothing but the centre.
 */
function starPoints(size: number): number[] {
  if (size < 7) return size % 2 === 1 ? [(size * size - 1) / 2] : [];
  const near = size < 13 ? 2 : 3;
  const middle = (size - 1) / 2;
  const lines = size % 2 === 1 ? [near, middle, size - 1 - near] : [near, size - 1 - near];
  return lines.flatMap((row) =>
    lines.flatMap((column) =>
      size < 15 && (row === middle) !== (column === middle) ? [] : [row * size + column],
    ),
  );
}
