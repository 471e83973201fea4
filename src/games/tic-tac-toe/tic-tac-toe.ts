import { z } from "zod";
import type { Facets } from "../contract/facets.ts";
import { defineGame } from "../contract/game.ts";
import type { Rules } from "../contract/rules.ts";
import { linesFeatures, openLinesHeuristic } from "./lines.ts";
import { formatCell, formatState, parseState, render } from "./notation.ts";
import { perfect } from "./perfect.ts";
import { picture } from "./picture.ts";
import { TicTacToeState } from "./state.ts";

/** Tic-tac-toe. An action is a cell, 0 to 8 along the rows; written a1 to c3, row 1 on top. */
export const ticTacToe = defineGame({
  id: "tic-tac-toe",
  summary: "three in a line on nine cells",
  options: z.strictObject({}),
  rules(): Rules<TicTacToeState> {
    return {
      outcomes: [-1, 0, 1],
      maxActions: 9,
      maxPlies: 9,
      start: () => new TicTacToeState(),
      formatAction: formatCell,
      formatState,
      parseState,
      render,
      pieces: ["x", "o"],
    };
  },
  facets(): Facets<TicTacToeState> {
    return {
      featureSets: { lines: linesFeatures },
      heuristics: { "open-lines": openLinesHeuristic },
      policies: { perfect },
      picture,
    };
  },
});
