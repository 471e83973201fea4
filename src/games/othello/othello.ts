import { z } from "zod";
import type { Facets } from "../contract/facets.ts";
import { defineGame, type TupleBoard } from "../contract/game.ts";
import { squareSymmetries } from "../contract/grid.ts";
import type { Picture } from "../contract/picture.ts";
import type { Rules } from "../contract/rules.ts";
import { twoSetBlocks } from "../shared/blocks.ts";
import { circle, rect } from "../shared/shapes.ts";
import { disc, gridLines, piecePicture, squareBoard } from "../shared/square-picture.ts";
import { STRIDE } from "../shared/square-set.ts";
import { BLACK, GridBoard, twoSetTuples } from "../shared/two-sets.ts";
import { squareFeatures, inDiscs, mobilityStability, weightedSquaresHeuristic } from "./judge.ts";
import { LastSquares, createTactics } from "./search.ts";
import { OthelloState, PASS } from "./state.ts";
import { describeEnding, formatAction, formatState, parseState, render } from "./text.ts";

const options = z.strictObject({
  size: z
    .union([z.literal(4), z.literal(6), z.literal(8)])
    .default(8)
    .describe("rows and columns"),
  score: z
    .enum(["result", "discs"])
    .default("result")
    .describe(
      "the return of the winner: result, 1; discs, the lead in discs, with the empty squares added to it",
    ),
});

const heuristics = { "weighted-squares": weightedSquaresHeuristic, "mobility-stability": mobilityStability };

/**
 * Othello. Black begins. A player who cannot play passes; the pass is an action. The game ends when
 * neither player can play, and the player with more discs wins: 1, or the margin (`score`).
 */
export const othello = defineGame({
  id: "othello",
  summary: "enclose the other's discs to turn them; more discs win",
  options,
  rules({ size, score }): Rules<OthelloState> {
    const board = new GridBoard(size, size, "top");
    const countsDiscs = score === "discs";
    const start = () => new OthelloState(board, countsDiscs);
    return {
      maxActions: size * size - 4,
      // A pass follows each of the other's moves at most.
      maxPlies: 2 * (size * size - 4),
      start,
      formatAction,
      describeEnding,
      formatState,
      parseState: (text) => parseState(text, start()),
      render,
      pieces: ["●", "○"],
      // Runs and weights from before there was a choice fit the usual result.
      ...(countsDiscs ? { minReturn: 0 - size * size, maxReturn: size * size } : { options: { size } }),
    };
  },
  facets({ size, score }): Facets<OthelloState> {
    const countsDiscs = score === "discs";
    const board = new GridBoard(size, size, "top");
    const symmetries = squareSymmetries(size);
    return {
      featureSets: {
        squares: squareFeatures(board),
        blocks: twoSetBlocks(board, { symmetries, turned: false }),
      },
      phase: {
        unit: "discs",
        max: size * size,
        of: ({ black, white }) => black.count() + white.count(),
      },
      // Both colours share their weights (Lucas 2008).
      tupleBoard: twoSetTuples(board, {
        symmetries,
        turned: false,
        ...(size === STRIDE && { tupleSets }),
      }),
      heuristics: countsDiscs ? inDiscs(heuristics, size * size) : heuristics,
      tactics: createTactics(size),
      policyHead: {
        version: 1,
        size: PASS + 1,
        images: symmetries.slice(1).map((symmetry) => imageOfActions(board, symmetry)),
        index: (action) => action,
      },
      ...(countsDiscs && { solving: { finish: new LastSquares(size) } }),
      picture: picture(board),
    };
  },
});

/** By action: the action that it becomes where `symmetry` moves all discs. */
function imageOfActions(board: GridBoard, symmetry: readonly number[]): Int32Array {
  const image = Int32Array.from({ length: PASS + 1 }, (_, action) => action);
  for (const [cell, other] of symmetry.entries()) image[board.squareOf(cell)] = board.squareOf(other);
  return image;
}

/** The squares of row `row` from `from` to `to`, row 0 on top. */
const row = (at: number, from = 0, to = STRIDE - 1): number[] =>
  Array.from({ length: to - from + 1 }, (_, column) => STRIDE * at + from + column);

/** The diagonal of a length that runs down to column h. */
const diagonal = (length: number): number[] =>
  Array.from({ length }, (_, at) => STRIDE - length + (STRIDE + 1) * at);

const EDGES = [[...row(0), ...row(1, 1, 1), ...row(1, 6, 6)]];
const CORNERS = [
  [...row(0, 0, 4), ...row(1, 0, 4)],
  [...row(0, 0, 2), ...row(1, 0, 2), ...row(2, 0, 2)],
];
const ROWS = [row(1), row(2), row(3)];
const DIAGONALS = [8, 7, 6, 5, 4].map(diagonal);
const ANGLES = [
  [32, 24, 16, 8, ...row(0, 0, 4), ...row(1, 1, 1)],
  [...row(0, 0, 0), ...row(0, 2, 5), ...row(0, 7, 7), ...row(1, 2, 5)],
];
const PATTERNS = [...EDGES, ...CORNERS, ...ROWS, ...DIAGONALS];

/** Sets of tuples on the usual board. */
const tupleSets: TupleBoard["tupleSets"] = {
  edges: { summary: "an edge with the X squares of both corners", tuples: EDGES },
  corners: { summary: "2x5 and 3x3 squares at a corner", tuples: CORNERS },
  rows: { summary: "the second, the third and the fourth row", tuples: ROWS },
  diagonals: { summary: "the diagonals of 4 to 8 squares", tuples: DIAGONALS },
  angles: {
    summary:
      "five squares of both edges at a corner with the X square; an edge without C squares with the four before its middle",
    tuples: ANGLES,
  },
  patterns: { summary: "edges, corners, rows and diagonals (Buro 1997)", tuples: PATTERNS },
  "patterns-13": { summary: "patterns and angles", tuples: [...PATTERNS, ...ANGLES] },
};

/** Discs on felt, row 1 on top. Places are the cells. */
function picture(grid: GridBoard): Picture<OthelloState> {
  const size = grid.width;
  const board = squareBoard(grid.layout(), {
    nameOf: (place) => grid.nameOf(grid.squareOf(place)),
    columnsOnTop: true,
  });
  const { left, top, labels } = board;
  return piecePicture(board, {
    players: ["black", "white"],
    ground: [
      rect({ x: left, y: top, w: size, h: size }, { fill: "felt" }),
      gridLines(board, 0),
      ...dots(size).map(([x, y]) => circle({ x: left + x, y: top + y }, 0.07, { fill: "edge" })),
      ...labels,
    ],
    pieceAt(state, place) {
      const owner = state.ownerOf(grid.squareOf(place));
      return owner === undefined ? undefined : owner === BLACK ? "black" : "white";
    },
    draw: (colour, place) => [disc(place, colour)],
    nameOf: (colour) => `${colour} disc`,
    touches: (_, action) => (action === PASS ? [] : [grid.cellOf(action)]),
  });
}

/** The four dots of the usual board, two lines from its corners. */
function dots(size: number): [x: number, y: number][] {
  const lines = size === STRIDE ? [2, size - 2] : [];
  return lines.flatMap((x) => lines.map((y): [number, number] => [x, y]));
}
