import type { Picture, Shape } from "../../game/picture.ts";
import { chequers, squareBoard } from "../../game/square-picture.ts";
import { EMPTY, KIND_NAMES, PLAYER_NAMES, squareName } from "./board.ts";
import { PIECE_SHAPES } from "./piece-shapes.ts";
import { moveFrom, moveTo } from "./moves.ts";
import type { ChessState } from "./state.ts";

const SIZE = 8;
const lines = Array.from({ length: SIZE }, (_, at) => at);

/** The board from White's side. A place is a square, 0 for a1. */
const board = squareBoard(
  {
    rows: lines.map((row) => lines.map((file) => SIZE * (SIZE - 1 - row) + file)),
    rowNames: lines.map((row) => String(SIZE - row)),
    columnNames: Array.from("abcdefgh"),
  },
  { nameOf: squareName },
);
const { width, height, places } = board;

/** Silhouettes on light and dark squares. Castling is touched on the king's squares. */
export const picture: Picture<ChessState> = {
  width,
  height,
  ground: chequers(board),
  places,
  draw: (state) =>
    places.flatMap(({ x, y }, square): Shape[] => {
      const piece = state.board[square];
      if (piece === EMPTY) return [];
      const { outline, lines: inner } = PIECE_SHAPES[piece & 7]!;
      const [fill, line] = piece < 8 ? (["white", "edge"] as const) : (["black", "white"] as const);
      return [
        { kind: "path", d: outline, x, y, fill, stroke: "edge", width: 0.035 },
        { kind: "path", d: inner, x, y, stroke: line, width: 0.03 },
      ];
    }),
  describe(state, square) {
    const piece = state.board[square];
    return piece === EMPTY ? "" : `${PLAYER_NAMES[piece >>> 3]} ${KIND_NAMES[piece & 7]}`;
  },
  touches: (_, action) => [moveFrom(action), moveTo(action)],
};
