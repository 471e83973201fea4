import { numberedRows } from "../contract/grid.ts";
import type { Picture } from "../contract/picture.ts";
import { middleOf, path } from "../shared/shapes.ts";
import { chequers, disc, piecePicture, squareBoard } from "../shared/square-picture.ts";
import { STRIDE } from "../shared/square-set.ts";
import { COLUMN_NAMES, squareName } from "./notation.ts";
import { BLACK, type BreakthroughState, originOf, targetOf, WHITE } from "./state.ts";

const COLOURS = ["black", "white"] as const;

/** Arrow heads around 0, 0 by player: they point where the pieces go. */
const AHEAD = ["M-.16 -.07 0 .09 .16 -.07", "M-.16 .07 0 -.09 .16 .07"] as const;

/** Discs with arrows on light and dark squares; White, below, goes up. Places are numbered row by row. */
export function picture(width: number, height: number): Picture<BreakthroughState> {
  const squareOf = (place: number) => STRIDE * Math.floor(place / width) + (place % width);
  const placeOf = (square: number) => width * Math.floor(square / STRIDE) + (square % STRIDE);
  const board = squareBoard(
    {
      rows: numberedRows(width, height),
      rowNames: Array.from({ length: height }, (_, row) => String(height - row)),
      columnNames: Array.from(COLUMN_NAMES.slice(0, width)),
    },
    { nameOf: (place) => squareName(squareOf(place), height) },
  );
  return piecePicture(board, {
    players: COLOURS,
    below: WHITE,
    ground: chequers(board),
    pieceAt: ({ black, white }, place) =>
      black.has(squareOf(place)) ? BLACK : white.has(squareOf(place)) ? WHITE : undefined,
    draw: (player, place) => [
      disc(place, COLOURS[player]!, 0.36),
      path(AHEAD[player]!, middleOf(place), { stroke: COLOURS[1 - player]!, width: 0.06 }),
    ],
    nameOf: (player) => `${COLOURS[player]} piece`,
    touches: (state, action) => [placeOf(originOf(action)), placeOf(targetOf(action, state.turn))],
  });
}
