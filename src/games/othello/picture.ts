import { numberedRows } from "../contract/grid.ts";
import type { Picture } from "../contract/picture.ts";
import { circle, rect } from "../shared/shapes.ts";
import { disc, gridLines, piecePicture, squareBoard } from "../shared/square-picture.ts";
import { STRIDE } from "../shared/square-set.ts";
import { boardLayout, squareName } from "./squares.ts";
import { type OthelloState, PASS } from "./state.ts";

/** Discs on felt, row 1 on top. Places are numbered row by row. */
export function picture(size: number): Picture<OthelloState> {
  const squareOf = (place: number) => STRIDE * Math.floor(place / size) + (place % size);
  const board = squareBoard(
    { ...boardLayout(size, () => 0), rows: numberedRows(size, size) },
    { nameOf: (place) => squareName(squareOf(place)), columnsOnTop: true },
  );
  const { left, top, labels } = board;
  return piecePicture(board, {
    players: ["black", "white"],
    ground: [
      rect({ x: left, y: top, w: size, h: size }, { fill: "felt" }),
      gridLines(board, 0),
      ...dots(size).map(([x, y]) => circle({ x: left + x, y: top + y }, 0.07, { fill: "edge" })),
      ...labels,
    ],
    pieceAt: ({ black, white }, place) =>
      black.has(squareOf(place)) ? "black" : white.has(squareOf(place)) ? "white" : undefined,
    draw: (colour, place) => [disc(place, colour)],
    nameOf: (colour) => `${colour} disc`,
    touches: (_, action) => (action === PASS ? [] : [size * Math.floor(action / STRIDE) + (action % STRIDE)]),
  });
}

/** The four dots of the usual board, two lines from its corners. */
function dots(size: number): [x: number, y: number][] {
  const lines = size === STRIDE ? [2, size - 2] : [];
  return lines.flatMap((x) => lines.map((y): [number, number] => [x, y]));
}
