import { z } from "zod";
import type { Facets, TupleBoard, TupleGroups } from "../contract/facets.ts";
import { defineGame } from "../contract/game.ts";
import { squaresOf, STRIDE, readGroups, readRow, rowKey } from "../shared/square-set.ts";
import type { Rules } from "../contract/rules.ts";
import { squareFeatures, inDiscs, mobilityStability, weightedSquaresHeuristic } from "./judge.ts";
import { LastSquares, createTactics } from "./search.ts";
import { formatAction, formatState, parseState, render } from "./text.ts";
import { OthelloState, PASS, BLACK, boardLayout, squareName } from "./state.ts";
import { numberedRows, adjacentCells, squareSymmetries } from "../contract/grid.ts";
import type { Picture } from "../contract/picture.ts";
import { circle, rect } from "../shared/shapes.ts";
import { disc, gridLines, piecePicture, squareBoard } from "../shared/square-picture.ts";

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
    const board = squaresOf(size, size);
    const countsDiscs = score === "discs";
    return {
      maxActions: size * size - 4,
      // A pass follows each of the other's moves at most.
      maxPlies: 2 * (size * size - 4),
      start: () => new OthelloState(size, board, countsDiscs),
      formatAction,
      formatState,
      parseState: (text) => parseState(text, new OthelloState(size, board, countsDiscs)),
      render,
      pieces: ["●", "○"],
      // Runs and weights from before there was a choice fit the usual result.
      ...(countsDiscs ? { minReturn: 0 - size * size, maxReturn: size * size } : { options: { size } }),
    };
  },
  facets({ size, score }): Facets<OthelloState> {
    const countsDiscs = score === "discs";
    return {
      featureSets: { squares: squareFeatures(size) },
      phase: {
        unit: "discs",
        max: size * size,
        of: ({ black, white }) => black.count() + white.count(),
      },
      tupleBoard: tupleBoard(size),
      heuristics: countsDiscs ? inDiscs(heuristics, size * size) : heuristics,
      tactics: createTactics(size),
      ...(countsDiscs && { solving: { finish: new LastSquares(size) } }),
      picture: picture(size),
    };
  },
});

/** Discs on felt, row 1 on top. Places are numbered row by row. */
function picture(size: number): Picture<OthelloState> {
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

const NAMES = [".", "own", "other"];

/**
 * Squares row by row, as the player sees them who has just moved. So both colours share their weights (Lucas 2008).
 */
function tupleBoard(size: number): TupleBoard<OthelloState> {
  const groups = rowGroups(size);
  return {
    cells: size * size,
    digits: 3,
    symmetries: squareSymmetries(size),
    neighbours: adjacentCells(numberedRows(size, size)),
    layout: boardLayout(size, (row, column) => size * row + column),
    viewer: (state) => 1 - state.turn,
    groups,
    read: readGroups(groups),
    cellName: (cell) => squareName(STRIDE * Math.floor(cell / size) + (cell % size)),
    digitName: (digit) => NAMES[digit]!,
  };
}

/** The rows of the board, as `player` sees them. */
function rowGroups(size: number): TupleGroups<OthelloState> {
  return {
    cells: numberedRows(size, size),
    keys({ black, white }, player, keys) {
      const own = player === BLACK ? black : white;
      const other = player === BLACK ? white : black;
      for (let row = 0; row < size; row++) keys[row] = rowKey(own.row(row), other.row(row));
    },
    read: (group, key, digits) => readRow(key, size * group, size, digits),
  };
}
