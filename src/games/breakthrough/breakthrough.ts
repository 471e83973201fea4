import { z } from "zod";
import type { Facets } from "../contract/facets.ts";
import { defineGame } from "../contract/game.ts";
import { squaresOf } from "../shared/square-set.ts";
import type { Rules } from "../contract/rules.ts";
import { advancement } from "./advancement.ts";
import { advancementFeatures, squareFeatures } from "./features.ts";
import { formatAction, formatState, parseState, render } from "./notation.ts";
import { picture } from "./picture.ts";
import { BreakthroughState, maxPlies } from "./state.ts";
import { tupleBoard } from "./tuples.ts";
import { keepDecisive, tactics } from "./tactics.ts";

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
      featureSets: {
        advancement: advancementFeatures(width, height),
        squares: squareFeatures(width, height),
      },
      heuristics: { advancement },
      tupleBoard: tupleBoard(width, height),
      tactics,
      decisiveMoves: { keep: keepDecisive },
      picture: picture(width, height),
    };
  },
});
