import { numberedRows } from "../../game/grid.ts";
import type { Picture, Shape } from "../../game/picture.ts";
import { disc, gridLines, squareBoard } from "../../game/square-picture.ts";
import { STRIDE } from "../../game/square-set.ts";
import { boardLayout, squareName } from "./squares.ts";
import { type OthelloState, PASS } from "./state.ts";

/** Discs on felt, row 1 on top. Places are numbered row by row. */
export function picture(size: number): Picture<OthelloState> {
  const squareOf = (place: number) => STRIDE * Math.floor(place / size) + (place % size);
  const board = squareBoard(
    { ...boardLayout(size, () => 0), rows: numberedRows(size, size) },
    { nameOf: (place) => squareName(squareOf(place)), columnsOnTop: true },
  );
  const { width, height, left, top, places, labels } = board;
  const colourAt = (state: OthelloState, place: number) =>
    state.black.has(squareOf(place)) ? "black" : state.white.has(squareOf(place)) ? "white" : undefined;
  return {
    width,
    height,
    ground: [
      { kind: "rect", x: left, y: top, w: size, h: size, fill: "felt" },
      gridLines(board, 0),
      ...dots(size).map(([x, y]): Shape => ({
        kind: "circle",
        x: left + x,
        y: top + y,
        r: 0.07,
        fill: "edge",
      })),
      ...labels,
    ],
    places,
    draw: (state) =>
      places.flatMap((place, at) => {
        const colour = colourAt(state, at);
        return colour === undefined ? [] : [disc(place, colour)];
      }),
    describe(state, place) {
      const colour = colourAt(state, place);
      return colour === undefined ? "" : `${colour} disc`;
    },
    touches: (_, action) => (action === PASS ? [] : [size * Math.floor(action / STRIDE) + (action % STRIDE)]),
  };
}

/** The four dots of the usual board, two lines from its corners. */
function dots(size: number): [x: number, y: number][] {
  const lines = size === STRIDE ? [2, size - 2] : [];
  return lines.flatMap((x) => lines.map((y): [number, number] => [x, y]));
}
