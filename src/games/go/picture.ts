import { numberedRows } from "../../game/grid.ts";
import type { Picture, Shape } from "../../game/picture.ts";
import { disc, gridLines, squareBoard } from "../../game/square-picture.ts";
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
  const { width, height, left, top, places, labels } = board;
  return {
    width,
    height,
    ground: [
      { kind: "rect", x: left, y: top, w: size, h: size, round: 0.1, fill: "wood" },
      gridLines(board, 0.5),
      ...starPoints(size).map((action): Shape => {
        const { x, y } = places[action]!;
        return { kind: "circle", x: x + 0.5, y: y + 0.5, r: 0.1, fill: "edge" };
      }),
      ...labels,
    ],
    places,
    draw: (state) =>
      places.flatMap((place, action) => {
        const colour = COLOURS[state.colour[pointOf[action]]];
        return colour === undefined ? [] : [disc(place, colour, 0.46)];
      }),
    describe(state, place) {
      const colour = COLOURS[state.colour[pointOf[place]]];
      return colour === undefined ? "" : `${colour} stone`;
    },
    touches: (state, action) => (action === state.pass ? [] : [action]),
  };
}

/**
 * The points with dots: the third lines from the edge on boards up to 11x11, the fourth on larger ones; the middle
 * lines of odd boards too, on which boards below 15x15 have the centre alone.
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
