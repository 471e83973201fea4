import { z } from "zod";
import type { Facets } from "../contract/facets.ts";
import { defineGame } from "../contract/game.ts";
import { squaresOf } from "../shared/square-set.ts";
import type { Rules } from "../contract/rules.ts";
import { squareFeatures } from "./features.ts";
import { inDiscs, mobilityStability, weightedSquaresHeuristic } from "./heuristics.ts";
import { LastSquares } from "./last-squares.ts";
import { formatAction, formatState, parseState, render } from "./notation.ts";
import { picture } from "./picture.ts";
import { OthelloState } from "./state.ts";
import { createTactics } from "./tactics.ts";
import { tupleBoard } from "./tuples.ts";

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
