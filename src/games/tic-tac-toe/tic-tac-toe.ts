import { z } from "zod";
import { InputError } from "../../base/errors.ts";
import type { Facets } from "../contract/facets.ts";
import { defineGame } from "../contract/game.ts";
import { numberedRows, squareSymmetries } from "../contract/grid.ts";
import type { Picture } from "../contract/picture.ts";
import type { Rules } from "../contract/rules.ts";
import { circle, middleOf, path, rect } from "../shared/shapes.ts";
import { piecePicture, squarePlaces } from "../shared/square-picture.ts";
import { linesFeatures, openLinesHeuristic, perfect, stonesFeatures } from "./judge.ts";
import { formatCell, LINES, TicTacToeState } from "./state.ts";

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
      featureSets: { lines: linesFeatures, stones: stonesFeatures },
      heuristics: { "open-lines": openLinesHeuristic },
      policies: { perfect },
      policyHead: {
        version: 1,
        size: 9,
        images: squareSymmetries(SIZE)
          .slice(1)
          .map((symmetry) => Int32Array.from(symmetry)),
        index: (cell) => cell,
      },
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

const STONES = "xo";

function stoneAt(state: TicTacToeState, cell: number): string {
  return ((state.first >>> cell) & 1) === 1 ? "x" : ((state.second >>> cell) & 1) === 1 ? "o" : ".";
}

function rowsOf(state: TicTacToeState): string[] {
  return [0, 3, 6].map((start) => [0, 1, 2].map((column) => stoneAt(state, start + column)).join(""));
}

/** Rows from the top, `x`, `o` and `.` for an empty cell: `x.o/.../...`. */
function formatState(state: TicTacToeState): string {
  return rowsOf(state).join("/");
}

function parseState(text: string): TicTacToeState {
  const given = text.trim();
  if (!/^[xo.]{3}(\/[xo.]{3}){2}$/.test(given)) {
    throw new InputError(`"${given}" is not three rows of three cells (x, o or .), such as "x.o/.../..."`);
  }
  const cells = Array.from(given.replaceAll("/", ""));
  const xs = cells.flatMap((stone, cell) => (stone === "x" ? [cell] : []));
  const os = cells.flatMap((stone, cell) => (stone === "o" ? [cell] : []));
  if (xs.length !== os.length && xs.length !== os.length + 1) {
    throw new InputError(
      `"${given}" has ${xs.length} x and ${os.length} o; x moves first, so it has as many as o or one more`,
    );
  }
  const state = new TicTacToeState();
  xs.forEach((cell, turn) => {
    state.apply(cell);
    if (turn < os.length) state.apply(os[turn]!);
  });
  const lastMover = xs.length === os.length ? 1 : 0;
  const [last, other] = [state.hasLine(lastMover), state.hasLine(1 - lastMover)];
  if (last && other) throw new InputError(`both players have three in a line in "${given}"`);
  if (other) {
    const winner = STONES[1 - lastMover];
    throw new InputError(`"${winner}" has three in a line in "${given}", yet the other moved last`);
  }
  return state;
}

/** Columns are a to c, rows 1 to 3 from the top. */
function render(state: TicTacToeState): string {
  const rows = rowsOf(state).map((row, index) => `${index + 1} ${Array.from(row).join(" ")}`);
  return [...rows, "  a b c"].join("\n");
}
