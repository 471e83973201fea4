import { numberedRows } from "../../game/grid.ts";
import type { Picture, Shape } from "../../game/picture.ts";
import { chequers, disc, squareBoard } from "../../game/square-picture.ts";
import { STRIDE } from "../../game/square-set.ts";
import { COLUMN_NAMES, squareName } from "./notation.ts";
import { BLACK, type BreakthroughState, originOf, targetOf, WHITE } from "./state.ts";

const COLOURS = ["black", "white"] as const;

/** Arrow heads around 0, 0 by player: the way that the pieces go. */
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
  const { places } = board;
  const playerAt = ({ black, white }: BreakthroughState, place: number): number =>
    black.has(squareOf(place)) ? BLACK : white.has(squareOf(place)) ? WHITE : -1;
  return {
    width: board.width,
    height: board.height,
    ground: chequers(board),
    places,
    draw: (state) =>
      places.flatMap((place, at): Shape[] => {
        const player = playerAt(state, at);
        if (player < 0) return [];
        const stroke = COLOURS[1 - player]!;
        const { x, y } = place;
        return [
          disc(place, COLOURS[player]!, 0.36),
          { kind: "path", d: AHEAD[player]!, x: x + 0.5, y: y + 0.5, stroke, width: 0.06 },
        ];
      }),
    describe(state, place) {
      const player = playerAt(state, place);
      return player < 0 ? "" : `${COLOURS[player]} piece`;
    },
    touches: (state, action) => [placeOf(originOf(action)), placeOf(targetOf(action, state.turn))],
  };
}
