import { z } from "zod";
import { defineGame, type Game } from "../game.ts";
import { parseLegal } from "../notation.ts";
import { createBoardLines } from "./board-lines.ts";
import { linesFeatures } from "./features.ts";
import { formatState, parseState, render } from "./notation.ts";
import { perfect } from "./perfect.ts";
import { isSolvable } from "./solver/position.ts";
import { ConnectFourState, MAX_HEIGHT, MAX_WIDTH } from "./state.ts";
import { threats } from "./threats.ts";
import { lineTuples } from "./tuples.ts";
import { tupleBoard } from "./tuple-board.ts";

const options = z.strictObject({
  width: z.int().min(4).max(MAX_WIDTH).default(7).describe("columns"),
  height: z.int().min(4).max(MAX_HEIGHT).default(6).describe("rows"),
});

/** Connect four (Allis 1988). An action is a column, counted from 0; written from 1. */
export const connectFour = defineGame({
  id: "connect-four",
  summary: "drop stones into columns; four in a line win",
  options,
  create({ width, height }): Game<ConnectFourState> {
    const board = createBoardLines(width, height);
    return {
      id: "connect-four",
      options: { width, height },
      version: 1,
      players: 2,
      chance: false,
      hiddenInformation: false,
      zeroSum: true,
      rewardsAlongTheWay: false,
      minReturn: -1,
      maxReturn: 1,
      outcomes: [-1, 0, 1],
      maxActions: width,
      maxPlies: width * height,
      start: () => new ConnectFourState(width, height),
      formatAction: (column) => String(column + 1),
      parseAction(text, state) {
        return parseLegal(this, text, state);
      },
      formatState,
      parseState: (text) => parseState(text, width, height),
      render,
      featureSets: {
        lines: linesFeatures(board, { width, height }),
        "tuples-4": lineTuples(width, height, 4),
        "tuples-5": lineTuples(width, height, 5),
      },
      heuristics: { threats: threats(board) },
      policies: isSolvable(width, height) ? { perfect: perfect(width, height) } : {},
      progress: { unit: "stones", max: width * height, of: (state) => state.stones },
      board: tupleBoard(width, height),
    };
  },
});
