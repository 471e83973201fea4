import { z } from "zod";
import type { Facets, TupleBoard, TupleGroups } from "../contract/facets.ts";
import { defineGame } from "../contract/game.ts";
import type { Rules } from "../contract/rules.ts";
import { foursFeatures } from "./fours.ts";
import { createBoardLines, linesFeatures, threats } from "./judge.ts";
import { formatState, parseState, render, stoneAt } from "./text.ts";
import { createSolver, perfect, createTactics, keepDecisive } from "./search.ts";
import { isSolvable } from "./solver/position.ts";
import { ConnectFourState, MAX_HEIGHT, MAX_WIDTH, COLUMNS, PLAYER_SHIFT } from "./state.ts";
import { numberedRows, adjacentCells } from "../contract/grid.ts";
import type { Picture } from "../contract/picture.ts";
import { circle, middleOf, path, rect } from "../shared/shapes.ts";
import { piecePicture, squareBoard } from "../shared/square-picture.ts";
import { readGroups } from "../shared/square-set.ts";

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
      describeEnding: ({ winner }) => (winner < 0 ? "the board is full" : "four in a line"),
      formatState,
      parseState: (text) => parseState(text, width, height),
      render,
      pieces: ["x", "o"],
    };
  },
  facets({ width, height }): Facets<ConnectFourState> {
    const board = createBoardLines(width, height);
    return {
      featureSets: {
        lines: linesFeatures(board, { width, height }),
        fours: foursFeatures(board, { width, height }),
      },
      heuristics: { threats: threats(board) },
      policies: isSolvable(width, height) ? { perfect: perfect(width, height) } : {},
      solver: isSolvable(width, height) ? () => createSolver(width, height) : undefined,
      phase: { unit: "stones", max: width * height, of: (state) => state.stones },
      tupleBoard: tupleBoard(width, height),
      ...(isSolvable(width, height) && createTactics(width, height)),
      decisiveMoves: { keep: keepDecisive },
      policyHead: {
        version: 1,
        size: width,
        index: (column) => column,
        images: [Int32Array.from({ length: width }, (_, column) => width - 1 - column)],
      },
      picture: picture(width, height),
    };
  },
});

const DISCS = [
  { name: "orange disc", fill: "player0" },
  { name: "yellow disc", fill: "player1" },
] as const;
const RADIUS = 0.4;

/** Steps to the right and upwards along the four kinds of lines. */
const DIRECTIONS = [
  [1, 0],
  [0, 1],
  [1, 1],
  [1, -1],
] as const;

/**
 * A frame with holes. The first player's discs carry a cross, the second's a ring, as the text has x and o. Places are
 * the cells, row by row from the top. A person plays a column by touching it anywhere: the cell where
 * the disc comes to lie has the whole column as its area.
 */
function picture(width: number, height: number): Picture<ConnectFourState> {
  const columnOf = (cell: number) => cell % width;
  const cellAt = (column: number, row: number) => width * (height - 1 - row) + column;
  const rowOf = (cell: number) => height - 1 - Math.floor(cell / width);
  const board = squareBoard(
    {
      rows: numberedRows(width, height),
      columnNames: Array.from({ length: width }, (_, column) => String(column + 1)),
    },
    { nameOf: (cell) => `column ${columnOf(cell) + 1}, row ${rowOf(cell) + 1}`, isRound: true },
  );
  const { top, left, labels } = board;
  const places = board.places.map((place) => ({ ...place, area: { x: place.x, y: top, w: 1, h: height } }));
  return piecePicture(
    { ...board, places },
    {
      ground: [
        rect({ x: left, y: top, w: width, h: height }, { round: 0.3, fill: "frame" }),
        ...places.map((place) => circle(middleOf(place), RADIUS, { fill: "hole" })),
        ...labels,
      ],
      pieceAt: (state, cell) => DISCS[stoneAt(state, columnOf(cell), rowOf(cell))],
      draw({ fill }, place) {
        const middle = middleOf(place);
        const sign = { stroke: "edge", width: 0.06, opacity: 0.6 } as const;
        return [
          circle(middle, RADIUS, { fill, stroke: "edge", width: 0.035 }),
          fill === "player0"
            ? path("M-.13 -.13 .13 .13M-.13 .13 .13 -.13", middle, sign)
            : circle(middle, 0.17, sign),
        ];
      },
      nameOf: ({ name }) => name,
      won: (state) =>
        state.winner < 0 ? [] : fourOf(state, state.winner).map(({ column, row }) => cellAt(column, row)),
      touches: (state, column) => [cellAt(column, state.heights[column]!)],
    },
  );
}

/** The stones of a player that lie in a line of four or more, from the lowest row on. */
function fourOf(state: ConnectFourState, player: number): { column: number; row: number }[] {
  const isOwn = (column: number, row: number) =>
    column >= 0 &&
    column < state.width &&
    row >= 0 &&
    row < state.height &&
    stoneAt(state, column, row) === player;
  const reach = (column: number, row: number, right: number, up: number): number =>
    isOwn(column + right, row + up) ? 1 + reach(column + right, row + up, right, up) : 0;
  const isIn = ({ column, row }: { column: number; row: number }) =>
    isOwn(column, row) &&
    DIRECTIONS.some(([right, up]) => reach(column, row, right, up) + reach(column, row, -right, -up) >= 3);
  const cells = Array.from({ length: state.height }, (_, row) =>
    Array.from({ length: state.width }, (__, column) => ({ column, row })),
  ).flat();
  return cells.filter(isIn);
}

const FIRST = 1;
const SECOND = 2;
/** The first player's stones in the line of a column. */
const FIRST_STONES = (1 << PLAYER_SHIFT) - 1;
/** An empty cell on which the next stone of its column lands. */
const NEXT = 3;

/**
 * Cells column by column from below. The cell that a column's next stone takes has a digit of its own,
 * different from the empty cells above it (Thill, Koch and Konen 2012). The value of a threat depends on
 * who moves next, and on its row and owner (Allis 1988). So the players' stones have different digits,
 * and the context cell holds whose turn it is.
 */
function tupleBoard(width: number, height: number): TupleBoard<ConnectFourState> {
  const context = width * height;
  const cells = Array.from({ length: width * height }, (_, cell) => cell);
  const columnOf = (cell: number) => Math.floor(cell / height);
  const rowOf = (cell: number) => cell % height;
  const rows = Array.from({ length: height }, (_, at) =>
    cells.filter((cell) => rowOf(cell) === height - 1 - at),
  );
  const groups: TupleGroups<ConnectFourState> = {
    cells: [
      ...Array.from({ length: width }, (_, column) => cells.filter((cell) => columnOf(cell) === column)),
      [context],
    ],
    keys({ lines, stones }, _player, keys) {
      for (let column = 0; column < width; column++) keys[column] = lines[COLUMNS + column];
      keys[width] = stones & 1;
    },
    read(group, key, digits) {
      if (group === width) {
        digits[context] = FIRST + key;
        return;
      }
      const second = key >>> PLAYER_SHIFT;
      const filled = 32 - Math.clz32((key & FIRST_STONES) | second);
      const first = group * height;
      for (let row = 0; row < height; row++)
        digits[first + row] = row < filled ? FIRST + ((second >>> row) & 1) : row === filled ? NEXT : 0;
    },
  };
  return {
    cells: context + 1,
    context,
    digits: 4,
    symmetries: [
      [...cells, context],
      [...cells.map((cell) => (width - 1 - columnOf(cell)) * height + rowOf(cell)), context],
    ],
    neighbours: [...adjacentCells(rows), []],
    tupleSets: {
      "supported-lines": {
        summary: "each line of four with the cells below it, on which its stones will rest",
        tuples: [{ lines: 4, with: "below" }],
      },
    },
    layout: {
      rows,
      rowNames: Array.from({ length: height }, (_, at) => String(height - at)),
      columnNames: Array.from({ length: width }, (_, column) => String(column + 1)),
    },
    groups,
    read: readGroups(groups),
    cellName: (cell) => (cell === context ? "turn" : `${columnOf(cell) + 1},${rowOf(cell) + 1}`),
    digitName: (digit) => (digit === FIRST ? "x" : digit === SECOND ? "o" : digit === NEXT ? "next" : "."),
  };
}
