import type { Picture, Shape } from "../../game/picture.ts";
import { chequers, disc, squareBoard } from "../../game/square-picture.ts";
import { squaresOf } from "./board.ts";
import type { CheckersState } from "./state.ts";

const SIZE = 8;

/** The board from White's side, square 1 at the top; light squares have no number. */
const rows = Array.from({ length: SIZE }, (_, row) =>
  Array.from({ length: SIZE }, (__, column) =>
    (row + column) % 2 === 1 ? (SIZE / 2) * row + (column >> 1) : undefined,
  ),
);
const board = squareBoard({ rows }, { nameOf: (square) => String(square + 1) });
const { width, height, places } = board;

/** Around 0, 0. */
const CROWN = "M-.19 .13-.23 -.12-.1 0 0 -.17.1 0 .23 -.12.19 .13Z";

/** Discs with a rim; kings carry a crown. A place is a dark square, 0 for the one that is written 1. */
export const picture: Picture<CheckersState> = {
  width,
  height,
  ground: [
    ...chequers(board),
    ...places.map(({ x, y }, square): Shape => {
      const text = String(square + 1);
      return { kind: "text", x: x + 0.15, y: y + 0.13, text, size: 0.19, fill: "edge", opacity: 0.75 };
    }),
  ],
  places,
  draw: (state) =>
    places.flatMap((place, square): Shape[] => {
      const colour = colourAt(state, square);
      if (colour === undefined) return [];
      const [x, y] = [place.x + 0.5, place.y + 0.5];
      const other = colour === "black" ? "white" : "black";
      const inside: Shape = isKing(state, square)
        ? { kind: "path", d: CROWN, x, y, fill: other }
        : { kind: "circle", x, y, r: 0.18, stroke: other, width: 0.03, opacity: 0.6 };
      return [
        disc(place, colour, 0.36),
        { kind: "circle", x, y, r: 0.28, stroke: other, width: 0.03, opacity: 0.6 },
        inside,
      ];
    }),
  describe(state, square) {
    const colour = colourAt(state, square);
    return colour === undefined ? "" : `${colour} ${isKing(state, square) ? "king" : "man"}`;
  },
  touches: (_, action) => squaresOf(action),
};

function colourAt({ black, white }: CheckersState, square: number): "black" | "white" | undefined {
  return ((black >>> square) & 1) === 1 ? "black" : ((white >>> square) & 1) === 1 ? "white" : undefined;
}

function isKing({ kings }: CheckersState, square: number): boolean {
  return ((kings >>> square) & 1) === 1;
}
