import { z } from "zod";
import type { Facets } from "../facets.ts";
import { defineGame } from "../game.ts";
import { squaresOf } from "../square-set.ts";
import type { Rules } from "../rules.ts";
import { squareFeatures } from "./features.ts";
import { mobilityStability, weightedSquaresHeuristic } from "./heuristics.ts";
import { formatAction, formatState, parseState, render } from "./notation.ts";
import { picture } from "./picture.ts";
import { OthelloState } from "./state.ts";
import { systematicTuples, TUPLE_SETS, tupleBoard } from "./tuples.ts";

const options = z.strictObject({
  size: z
    .union([z.literal(4), z.literal(6), z.literal(8)])
    .default(8)
    .describe("rows and columns"),
});

/**
 * Othello. Black begins. A player who cannot play passes; the pass is an action. The game ends when
 * neither player can play, and the player with more discs wins.
 */
export const othello = defineGame({
  id: "othello",
  summary: "enclose the other's discs to turn them; more discs win",
  options,
  rules({ size }): Rules<OthelloState> {
    const board = squaresOf(size, size);
    return {
      maxActions: size * size - 4,
      // A pass follows each of the other's moves at most.
      maxPlies: 2 * (size * size - 4),
      start: () => new OthelloState(size, board),
      formatAction,
      formatState,
      parseState: (text) => parseState(text, size, board),
      render,
      pieces: ["●", "○"],
    };
  },
  facets({ size }): Facets<OthelloState> {
    return {
      featureSets: {
        squares: squareFeatures(size),
        ...Object.fromEntries(TUPLE_SETS.map((name) => [name, systematicTuples(name, size)])),
      },
      phase: {
        unit: "discs",
        max: size * size,
        of: ({ black, white }) => black.count() + white.count(),
      },
      tupleBoard: tupleBoard(size),
      heuristics: { "weighted-squares": weightedSquaresHeuristic, "mobility-stability": mobilityStability },
      picture: picture(size),
    };
  },
});
