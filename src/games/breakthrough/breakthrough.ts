import { z } from "zod";
import type { Facets, TupleBoard } from "../contract/facets.ts";
import { defineGame } from "../contract/game.ts";
import { numberedRows } from "../contract/grid.ts";
import type { Picture } from "../contract/picture.ts";
import type { Rules } from "../contract/rules.ts";
import { twoSetBlocks } from "../shared/blocks.ts";
import { middleOf, path } from "../shared/shapes.ts";
import { STRIDE } from "../shared/square-set.ts";
import { chequers, disc, piecePicture, squareBoard } from "../shared/square-picture.ts";
import { GridBoard, twoSetTuples, WHITE } from "../shared/two-sets.ts";
import { advancement, advancementFeatures } from "./judge.ts";
import { keepDecisive, tactics } from "./search.ts";
import { ACTIONS, BreakthroughState, maxPlies, mirroredAction, originOf, targetOf } from "./state.ts";
import { formatAction, formatState, parseState, render } from "./text.ts";

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
    const board = new GridBoard(width, height, "bottom");
    const start = () => new BreakthroughState(board, pieceRows);
    return {
      // Three for each piece.
      maxActions: 3 * width * pieceRows,
      maxPlies: maxPlies(board, pieceRows),
      start,
      formatAction,
      formatState,
      parseState: (text) => parseState(text, start()),
      render,
      pieces: ["●", "○"],
    };
  },
  facets({ width, height }): Facets<BreakthroughState> {
    const board = new GridBoard(width, height, "bottom");
    return {
      featureSets: {
        advancement: advancementFeatures(board),
        blocks: twoSetBlocks(board, { symmetries: symmetriesOf(board), turned: true }),
      },
      heuristics: { advancement },
      tupleBoard: tupleBoard(board),
      tactics,
      decisiveMoves: { keep: keepDecisive },
      // The mover goes down, as Black does.
      policyHead: {
        version: 1,
        size: ACTIONS,
        images: [Int32Array.from({ length: ACTIONS }, (_, action) => mirroredAction(action, width))],
        index: (action, { turn }) =>
          turn === WHITE
            ? action + STRIDE * (height - 1 - 2 * Math.floor(originOf(action) / STRIDE))
            : action,
      },
      picture: picture(board),
    };
  },
});

const COLOURS = ["black", "white"] as const;

/** Arrow heads around 0, 0 by player: they point where the pieces go. */
const AHEAD = ["M-.16 -.07 0 .09 .16 -.07", "M-.16 .07 0 -.09 .16 .07"] as const;

/** Discs with arrows on light and dark squares; White, below, goes up. Places are the cells. */
function picture(grid: GridBoard): Picture<BreakthroughState> {
  const board = squareBoard(grid.layout(), { nameOf: (place) => grid.nameOf(grid.squareOf(place)) });
  return piecePicture(board, {
    players: COLOURS,
    below: WHITE,
    ground: chequers(board),
    pieceAt: (state, place) => state.ownerOf(grid.squareOf(place)),
    draw: (player, place) => [
      disc(place, COLOURS[player]!, 0.36),
      path(AHEAD[player]!, middleOf(place), { stroke: COLOURS[1 - player]!, width: 0.06 }),
    ],
    nameOf: (player) => `${COLOURS[player]} piece`,
    touches: ({ turn }, action) => [originOf(action), targetOf(action, turn)].map((at) => grid.cellOf(at)),
  });
}

/** By cell: itself, and its mirror image. */
function symmetriesOf({ width, height }: GridBoard): number[][] {
  const rows = numberedRows(width, height);
  return [rows.flat(), rows.flatMap((row) => row.toReversed())];
}

/** Mirror images share their weights. */
function tupleBoard(board: GridBoard): TupleBoard<BreakthroughState> {
  return twoSetTuples(board, {
    symmetries: symmetriesOf(board),
    turned: true,
    tupleSets: {
      columns: {
        summary: "a column; two columns side by side over five rows",
        tuples: [
          { rows: board.height, columns: 1 },
          { rows: 5, columns: 2 },
        ],
      },
      fronts: {
        summary: "two rows over at most five columns: pieces and those that face them",
        tuples: [{ rows: 2, columns: Math.min(board.width, 5) }],
      },
    },
  });
}
