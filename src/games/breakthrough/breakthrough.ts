import { z } from "zod";
import type { Facets, TupleBoard, TupleGroups } from "../contract/facets.ts";
import { defineGame } from "../contract/game.ts";
import { squaresOf, STRIDE, readGroups, readRow, rowKey } from "../shared/square-set.ts";
import type { Rules } from "../contract/rules.ts";
import { advancement, advancementFeatures } from "./judge.ts";
import { formatAction, formatState, parseState, render, COLUMN_NAMES, squareName } from "./text.ts";
import { BreakthroughState, maxPlies, BLACK, originOf, targetOf, WHITE } from "./state.ts";
import { keepDecisive, tactics } from "./search.ts";
import { numberedRows, adjacentCells } from "../contract/grid.ts";
import type { Picture } from "../contract/picture.ts";
import { middleOf, path } from "../shared/shapes.ts";
import { chequers, disc, piecePicture, squareBoard } from "../shared/square-picture.ts";

const options = z.strictObject({
  width: z.int().min(3).max(8).default(8).describe("columns"),
  height: z.int().min(5).max(8).default(8).describe("rows"),
  pieceRows: z.int().min(1).max(2).default(2).describe("rows of pieces that each player has at the start"),
});

/**
 * Breakthrough (Troyka 2000). A piece moves one row ahead, straight or diagonally, and captures
 * diagonally. A player wins by reaching the last row or by taking all pieces of the other.
 */
export const breakthrough = defineGame({
  id: "breakthrough",
  summary: "two rows of pieces each; the first to reach the other side wins",
  options,
  rules({ width, height, pieceRows }): Rules<BreakthroughState> {
    const shape = { width, height, pieceRows, squares: squaresOf(width, height) };
    const start = () => new BreakthroughState(shape);
    return {
      // Three for each piece.
      maxActions: 3 * width * pieceRows,
      maxPlies: maxPlies(shape),
      start,
      formatAction,
      formatState,
      parseState: (text) => parseState(text, start()),
      render,
      pieces: ["●", "○"],
    };
  },
  facets({ width, height }): Facets<BreakthroughState> {
    return {
      featureSets: { advancement: advancementFeatures(width, height) },
      heuristics: { advancement },
      tupleBoard: tupleBoard(width, height),
      tactics,
      decisiveMoves: { keep: keepDecisive },
      picture: picture(width, height),
    };
  },
});

const COLOURS = ["black", "white"] as const;

/** Arrow heads around 0, 0 by player: they point where the pieces go. */
const AHEAD = ["M-.16 -.07 0 .09 .16 -.07", "M-.16 .07 0 -.09 .16 .07"] as const;

/** Discs with arrows on light and dark squares; White, below, goes up. Places are numbered row by row. */
function picture(width: number, height: number): Picture<BreakthroughState> {
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

const NAMES = [".", "own", "other"];

/**
 * Squares row by row from the player's own side, as the player sees them who has just moved. So both players share
 * their weights, and mirror images do.
 */
function tupleBoard(width: number, height: number): TupleBoard<BreakthroughState> {
  const rows = numberedRows(width, height);
  const ahead = rows.toReversed();
  const groups: TupleGroups<BreakthroughState> = {
    cells: rows,
    keys({ black, white }, player, keys) {
      const own = player === BLACK ? black : white;
      const other = player === BLACK ? white : black;
      for (let row = 0; row < height; row++) {
        const drawn = player === BLACK ? row : height - 1 - row;
        keys[row] = rowKey(own.row(drawn), other.row(drawn));
      }
    },
    read: (group, key, digits) => readRow(key, width * group, width, digits),
  };
  return {
    cells: width * height,
    digits: NAMES.length,
    symmetries: [rows.flat(), rows.flatMap((row) => row.toReversed())],
    neighbours: adjacentCells(rows),
    layout: {
      rows: ahead,
      rowNames: ahead.map((_, at) => String(height - at)),
      columnNames: Array.from(COLUMN_NAMES.slice(0, width)),
    },
    viewer: (state) => 1 - state.turn,
    groups,
    read: readGroups(groups),
    cellName: (cell) => `${COLUMN_NAMES[cell % width]}${Math.floor(cell / width) + 1}`,
    digitName: (digit) => NAMES[digit]!,
  };
}
