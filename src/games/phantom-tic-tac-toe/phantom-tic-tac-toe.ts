import { z } from "zod";
import type { Facets, FeatureSet, Heuristic } from "../contract/facets.ts";
import { defineGame } from "../contract/game.ts";
import { numberedRows } from "../contract/grid.ts";
import type { Picture } from "../contract/picture.ts";
import type { Rules } from "../contract/rules.ts";
import { toPicture } from "../contract/simple-picture.ts";
import { historyNotation } from "../shared/history-state.ts";
import { squarePlaces } from "../shared/square-picture.ts";
import { createPrivacy, drawBoard } from "./privacy.ts";
import { linesOf, maxEventsOf, PhantomState } from "./state.ts";

const options = z.strictObject({
  size: z.int().min(2).max(3).default(3).describe("rows and columns, and stones in a line"),
});

function cellName(cell: number, size: number): string {
  return "abc"[cell % size]! + String(size - Math.floor(cell / size));
}

/** Own stones and found stones of the other, by cell. */
function knowledge(size: number): FeatureSet<PhantomState> {
  const cells = size * size;
  return {
    summary: "own stones, and stones of the other that were found, by cell",
    version: 1,
    size: 2 * cells,
    maxActive: cells,
    unit: true,
    extract({ board, tried }, player, index) {
      let count = 0;
      for (let cell = 0; cell < cells; cell++)
        if (tried[player * cells + cell] === 1)
          index[count++] = cell + (board[cell] === 1 + player ? 0 : cells);
      return count;
    },
    describe: (index) => `${index < cells ? "own" : "other's"} ${cellName(index % cells, size)}`,
  };
}

/** Open lines, as at tic-tac-toe: those with own stones only, less those with the other's only. */
function openLines(size: number): Heuristic<PhantomState> {
  const lines = linesOf(size);
  return {
    summary: "open lines of the whole board, weighted by their stones",
    evaluate({ board }, player) {
      let sum = 0;
      for (const line of lines) {
        let own = 0;
        let other = 0;
        for (const cell of line) {
          if (board[cell] === 1 + player) own++;
          else if (board[cell] !== 0) other++;
        }
        if (other === 0) sum += own * own;
        else if (own === 0) sum -= other * other;
      }
      return sum / (1 + lines.length * size * size);
    },
  };
}

/** The stones; a player sees its own, and those that it has found. */
function createPicture(size: number): Picture<PhantomState> {
  const stones = [undefined, { text: "x" }, { text: "o" }];
  return toPicture<PhantomState, PhantomState>(
    {
      places: squarePlaces(numberedRows(size, size), (cell) => cellName(cell, size)),
      content: ({ board }, cell) => stones[board[cell]!],
      seen: ({ board, tried }, cell, player) =>
        tried[player * size * size + cell] === 0 ? undefined : stones[board[cell]!],
    },
    (state) => state,
  );
}

/**
 * Phantom tic-tac-toe, also blind tic-tac-toe: players do not see the other's stones. A player tries a cell; on a stone of the
 * other nothing is placed, the other notices nothing, and the player tries again. Actions: cells in reading order.
 */
export const phantomTicTacToe = defineGame({
  id: "phantom-tic-tac-toe",
  summary: "tic-tac-toe without sight of the other's stones",
  options,
  rules({ size }): Rules<PhantomState> {
    const form = {
      maxActions: size * size,
      start: () => new PhantomState(size),
      formatAction: (cell: number) => cellName(cell, size),
    };
    return {
      ...form,
      ...historyNotation<PhantomState>(form),
      hiddenInformation: true,
      outcomes: [-1, 0, 1],
      maxPlies: maxEventsOf(size),
      render: (state) => drawBoard(state),
    };
  },
  facets: ({ size }): Facets<PhantomState> => ({
    featureSets: { knowledge: knowledge(size) },
    heuristics: { "open-lines": openLines(size) },
    privacy: createPrivacy(size),
    picture: createPicture(size),
  }),
});
