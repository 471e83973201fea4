import { z } from "zod";
import { InputError } from "../../base/errors.ts";
import type { Facets, FeatureSet, Heuristic, TupleBoard } from "../contract/facets.ts";
import { defineGame } from "../contract/game.ts";
import { adjacentCells, numberedRows } from "../contract/grid.ts";
import { type Rules, CHANCE, TERMINAL } from "../contract/rules.ts";
import { cellName, ending, formatAction, formatState, parseState, render } from "./text.ts";
import { LARGEST_SOLVED, perfect } from "./search.ts";
import { SlidingPuzzleState, slidingPuzzleOf, EMPTY } from "./state.ts";
import type { Picture } from "../contract/picture.ts";
import { label, middleOf, rect } from "../shared/shapes.ts";
import { squarePlaces } from "../shared/square-picture.ts";

const options = z
  .strictObject({
    size: z
      .int()
      .min(2)
      .max(4)
      .default(3)
      .describe("rows and columns: 3 for the 8-puzzle, 4 for the 15-puzzle"),
    maxMoves: z.int().min(1).max(1000).default(200).describe("moves after which an unsolved game ends"),
    start: z
      .string()
      .optional()
      .describe(
        "the position that the game starts from, such as `1 2 3 / 4 . 5 / 7 8 6`; dealt by chance by default",
      ),
  })
  .superRefine(({ size, maxMoves, start }, context) => {
    if (start === undefined) return;
    try {
      if (parseState(start, slidingPuzzleOf(size, maxMoves)).toMove === 0) return;
      context.addIssue({
        code: "custom",
        path: ["start"],
        message: `"${start}" is no position before a move`,
      });
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      context.addIssue({ code: "custom", path: ["start"], message: error.message });
    }
  });

/** One feature for each tile at each cell, and the distance of all tiles. */
function tilesAt(cells: number): FeatureSet<SlidingPuzzleState> {
  return {
    summary: "each tile at each cell, and the sum of the tiles' distances",
    version: 1,
    size: cells * cells + 1,
    maxActive: cells + 1,
    extract({ tiles, distance }, _player, index, value) {
      for (let cell = 0; cell < cells; cell++) {
        index[cell] = tiles[cell] * cells + cell;
        value[cell] = 1;
      }
      index[cells] = cells * cells;
      value[cells] = distance;
      return cells + (distance > 0 ? 1 : 0);
    },
    describe: (feature) =>
      feature === cells * cells
        ? "distance"
        : `${feature < cells ? "empty" : Math.floor(feature / cells)} at cell ${(feature % cells) + 1}`,
  };
}

/** The moves so far and the tiles' distances: no solution is shorter. */
function manhattan(maxMoves: number): Heuristic<SlidingPuzzleState> {
  return {
    summary:
      "the moves so far, and the tiles' distances in rows and columns (a lower bound of the moves to go)",
    evaluate: ({ moves, distance }) => 0 - Math.min(maxMoves - 0.5, Math.max(0.5, moves + distance)),
  };
}

function tupleBoard(size: number): TupleBoard<SlidingPuzzleState> {
  const cells = size * size;
  const rows = numberedRows(size, size);
  const identity = Array.from({ length: cells }, (_, cell) => cell);
  return {
    cells,
    digits: cells,
    symmetries: [identity],
    neighbours: adjacentCells(rows),
    layout: { rows },
    read: ({ tiles }, _player, digits) => digits.set(tiles),
    cellName: (cell) => cellName(cell, size),
    digitName: (tile) => (tile === 0 ? "." : String(tile)),
  };
}

/**
 * The sliding puzzle (Chapman 1880; the 8-puzzle: Schofield 1967). A tile beside the empty cell slides into it, until the tiles stand in
 * order and the empty cell comes last. One player; each move costs 1. Actions: 0 up, 1 right, 2 down, 3 left, where the
 * tile slides. Before, chance deals: outcomes are the empty cell, then the tiles of the other cells in order.
 */
export const slidingPuzzle = defineGame({
  id: "sliding-puzzle",
  summary: "slide tiles into order in few moves: the 8-puzzle and the 15-puzzle",
  options,
  rules({ size, maxMoves, start }): Rules<SlidingPuzzleState> {
    const form = slidingPuzzleOf(size, maxMoves);
    return {
      players: 1,
      chance: start === undefined,
      zeroSum: false,
      rewardsAlongTheWay: true,
      minReturn: -maxMoves,
      maxReturn: 0,
      maxActions: Math.max(4, form.cells),
      maxPlies: maxMoves,
      start: () => (start === undefined ? new SlidingPuzzleState(form) : parseState(start, form)),
      formatAction,
      formatState,
      parseState: (text) => parseState(text, form),
      render,
      describeEnding: ending,
    };
  },
  facets: ({ size, maxMoves }): Facets<SlidingPuzzleState> => ({
    featureSets: { tiles: tilesAt(size * size) },
    heuristics: { manhattan: manhattan(maxMoves) },
    policies: size <= LARGEST_SOLVED ? { perfect: perfect(size) } : {},
    tupleBoard: tupleBoard(size),
    picture: createPicture(size),
  }),
});

/** The strip above the board, which holds the moves. */
const TOP = 0.7;
const GAP = 0.05;

/** Tiles with their numbers; those at their place in the goal are darker. Places are the cells. */
function createPicture(size: number): Picture<SlidingPuzzleState> {
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
