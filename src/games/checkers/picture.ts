import type { Picture, Shape } from "../contract/picture.ts";
import { circle, middleOf, path } from "../shared/shapes.ts";
import { chequers, disc, piecePicture, squareBoard } from "../shared/square-picture.ts";
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

const COLOURS = ["black", "white"] as const;

/** A crown around 0, 0. */
const CROWN = "M-.19 .13-.23 -.12-.1 0 0 -.17.1 0 .23 -.12.19 .13Z";

/** Discs with a rim; kings carry a crown. A place is a dark square, 0 for the one that is written 1. */
export const picture: Picture<CheckersState> = piecePicture(board, {
  players: COLOURS,
  below: 1,
  ground: [
    ...chequers(board),
    ...board.places.map(({ x, y }, square): Shape => {
      const text = String(square + 1);
      return { kind: "text", x: x + 0.15, y: y + 0.13, text, size: 0.19, fill: "edge", opacity: 0.75 };
    }),
  ],
  pieceAt({ black, white, kings }, square) {
    if (!has(black | white, square)) return undefined;
    return { colour: COLOURS[has(black, square) ? 0 : 1], isKing: has(kings, square) };
  },
  draw({ colour, isKing }, place) {
    const middle = middleOf(place);
    const other = colour === "black" ? "white" : "black";
    const ring = { stroke: other, width: 0.03, opacity: 0.6 } as const;
    return [
      disc(place, colour, 0.36),
      circle(middle, 0.28, ring),
      isKing ? path(CROWN, middle, { fill: other, upright: 0 }) : circle(middle, 0.18, ring),
    ];
  },
  nameOf: ({ colour, isKing }) => `${colour} ${isKing ? "king" : "man"}`,
  touches: (_, action) => squaresOf(action),
});

function has(set: number, square: number): boolean {
  return ((set >>> square) & 1) === 1;
}
