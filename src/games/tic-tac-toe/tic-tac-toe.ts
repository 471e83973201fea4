import { z } from "zod";
import { defineGame, type Game } from "../game.ts";
import { parseLegal } from "../notation.ts";
import { linesFeatures, openLinesHeuristic } from "./lines.ts";
import { formatCell, formatState, parseState, render } from "./notation.ts";
import { perfect } from "./perfect.ts";
import { TicTacToeState } from "./state.ts";

/** Tic-tac-toe. An action is a cell, 0 to 8 along the rows; written a1 to c3, row 1 on top. */
export const ticTacToe = defineGame({
  id: "tic-tac-toe",
  summary: "three in a line on nine cells",
  options: z.strictObject({}),
  create(): Game<TicTacToeState> {
    return {
      id: "tic-tac-toe",
      options: {},
      version: 1,
      players: 2,
      chance: false,
      hiddenInformation: false,
      zeroSum: true,
      rewardsAlongTheWay: false,
      minReturn: -1,
      maxReturn: 1,
      outcomes: [-1, 0, 1],
      maxActions: 9,
      maxPlies: 9,
      start: () => new TicTacToeState(),
      formatAction: formatCell,
      parseAction(text, state) {
        return parseLegal(this, text, state);
      },
      formatState,
      parseState,
      render,
      featureSets: { lines: linesFeatures },
      heuristics: { "open-lines": openLinesHeuristic },
      policies: { perfect },
    };
  },
});
