import { numberedRows } from "../contract/grid.ts";
import type { Picture } from "../contract/picture.ts";
import { CHANCE, TERMINAL } from "../contract/rules.ts";
import { label, middleOf, rect } from "../shared/shapes.ts";
import { squarePlaces } from "../shared/square-picture.ts";
import { ending } from "./notation.ts";
import { EMPTY, type SlidingPuzzleState } from "./state.ts";

/** The strip above the board, which holds the moves. */
const TOP = 0.7;
const GAP = 0.05;

/** Tiles with their numbers; those at their place in the goal are darker. Places are the cells. */
export function createPicture(size: number): Picture<SlidingPuzzleState> {
  const places = squarePlaces(
    numberedRows(size, size),
    (cell) => `row ${Math.floor(cell / size) + 1}, column ${(cell % size) + 1}`,
    {
      top: TOP,
    },
  );
  return {
    width: size,
    height: TOP + size,
    ground: [rect({ x: 0, y: TOP, w: size, h: size }, { round: 0.1, fill: "frame" })],
    places,
    draw(state) {
      const next = state.toMove === TERMINAL ? `, ${ending(state)}` : "";
      return [
        label({ x: size / 2, y: TOP / 2 }, `moves ${state.moves}${next}`, { size: 0.35, bold: true }),
        ...places.flatMap((place, cell) => {
          const tile = state.tiles[cell]!;
          if (tile === EMPTY) return [];
          const area = { x: place.x + GAP, y: place.y + GAP, w: 1 - 2 * GAP, h: 1 - 2 * GAP };
          return [
            rect(area, {
              round: 0.08,
              fill: tile === cell + 1 ? "dark" : "light",
              stroke: "edge",
              width: 0.03,
            }),
            label(middleOf(place), String(tile), { size: 0.48, fill: "black", bold: true }),
          ];
        }),
      ];
    },
    describe: ({ tiles }, cell) => (tiles[cell] === EMPTY ? "" : `tile ${tiles[cell]}`),
    touches: (state, action) => (state.toMove === CHANCE ? [] : [state.sourceOf(action)]),
  };
}
