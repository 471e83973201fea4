import { z } from "zod";
import { defineGame } from "../contract/game.ts";
import type { Rules } from "../contract/rules.ts";
import { createBoard, HexState, MAX_SIZE } from "./state.ts";
import { formatAction, formatState, parseState, render, STONES } from "./text.ts";

const options = z.strictObject({
  size: z.int().min(3).max(MAX_SIZE).default(MAX_SIZE).describe("rows and columns of the board"),
  swap: z
    .boolean()
    .default(false)
    .describe("true if the second player may take the first stone over, with row and column exchanged"),
});

/**
 * Hex (Hein 1942, Nash 1948). An action is a cell, `size * row + column` from the upper left, written `a1`; the last
 * action is the swap.
 */
export const hex = defineGame({
  id: "hex",
  summary: "connect two sides of a rhombus of hexagons; no draws",
  options,
  rules({ size, swap }): Rules<HexState> {
    const board = createBoard(size, swap);
    return {
      outcomes: [-1, 1],
      maxActions: board.swapAction,
      maxPlies: board.swapAction + (swap ? 1 : 0),
      start: () => new HexState(board),
      formatAction,
      formatState,
      parseState(text) {
        return parseState(text, this);
      },
      render,
      pieces: Array.from(STONES),
    };
  },
});
