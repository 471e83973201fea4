import { z } from "zod";
import type { Facets } from "../contract/facets.ts";
import { defineGame } from "../contract/game.ts";
import type { Rules } from "../contract/rules.ts";
import { linesFeatures, openLinesHeuristic, perfect } from "./judge.ts";
import { formatCell, formatState, parseState, render } from "./text.ts";
import { TicTacToeState, LINES } from "./state.ts";
import { numberedRows } from "../contract/grid.ts";
import type { Picture } from "../contract/picture.ts";
import { circle, middleOf, path, rect } from "../shared/shapes.ts";
import { piecePicture, squarePlaces } from "../shared/square-picture.ts";

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

const SIZE = 3;
const places = squarePlaces(numberedRows(SIZE, SIZE), formatCell);

/** Crosses and rings. */
const picture: Picture<TicTacToeState> = piecePicture(
  { width: SIZE, height: SIZE, places },
  {
    players: ["player0", "player2"],
    ground: [
      rect({ x: 0, y: 0, w: SIZE, h: SIZE }, { round: 0.1, fill: "board" }),
      ...[1, 2].flatMap((at) => [
        rect({ x: at - 0.02, y: 0.1, w: 0.04, h: SIZE - 0.2 }, { fill: "line" }),
        rect({ x: 0.1, y: at - 0.02, w: SIZE - 0.2, h: 0.04 }, { fill: "line" }),
      ]),
    ],
    pieceAt: ({ first, second }, cell) =>
      ((first >>> cell) & 1) === 1 ? "x" : ((second >>> cell) & 1) === 1 ? "o" : undefined,
    draw: (stone, place) => [
      stone === "x"
        ? path("M.25 .25 .75 .75M.75 .25 .25 .75", place, { stroke: "player0", width: 0.14 })
        : circle(middleOf(place), 0.28, { stroke: "player2", width: 0.14 }),
    ],
    nameOf: (stone) => stone,
    touches: (_, cell) => [cell],
    won: ({ first, second }) =>
      places.flatMap((_, cell) => {
        const isOn = (line: number) =>
          ((line >>> cell) & 1) === 1 && [first, second].some((own) => (own & line) === line);
        return LINES.some(isOn) ? [cell] : [];
      }),
  },
);
