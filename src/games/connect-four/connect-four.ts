import { z } from "zod";
import type { Facets } from "../contract/facets.ts";
import { defineGame } from "../contract/game.ts";
import type { Rules } from "../contract/rules.ts";
import { createBoardLines } from "./board-lines.ts";
import { linesFeatures } from "./features.ts";
import { formatState, parseState, render } from "./notation.ts";
import { perfect } from "./perfect.ts";
import { picture } from "./picture.ts";
import { isSolvable } from "./solver/position.ts";
import { ConnectFourState, MAX_HEIGHT, MAX_WIDTH } from "./state.ts";
import { createTactics, keepDecisive } from "./tactics.ts";
import { threats } from "./threats.ts";
import { tupleBoard } from "./tuples.ts";

const options = z.strictObject({
  width: z.int().min(4).max(MAX_WIDTH).default(7).describe("columns"),
  height: z.int().min(4).max(MAX_HEIGHT).default(6).describe("rows"),
});

/** Connect four (Allis 1988). An action is a column: 0 for the left one, written `1`. */
export const connectFour = defineGame({
  id: "connect-four",
  summary: "drop stones into columns; four in a line win",
  options,
  rules({ width, height }): Rules<ConnectFourState> {
    return {
      outcomes: [-1, 0, 1],
      maxActions: width,
      maxPlies: width * height,
      start: () => new ConnectFourState(width, height),
      formatAction: (column) => String(column + 1),
      formatState,
      parseState: (text) => parseState(text, width, height),
      render,
      pieces: ["x", "o"],
    };
  },
  facets({ width, height }): Facets<ConnectFourState> {
    const board = createBoardLines(width, height);
    return {
      featureSets: { lines: linesFeatures(board, { width, height }) },
      heuristics: { threats: threats(board) },
      policies: isSolvable(width, height) ? { perfect: perfect(width, height) } : {},
      phase: { unit: "stones", max: width * height, of: (state) => state.stones },
      tupleBoard: tupleBoard(width, height),
      ...(isSolvable(width, height) && createTactics(width, height)),
      decisiveMoves: { keep: keepDecisive },
      picture: picture(width, height),
    };
  },
});
