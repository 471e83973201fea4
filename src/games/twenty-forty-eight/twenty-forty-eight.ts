import { z } from "zod";
import type { Facets } from "../contract/facets.ts";
import { defineGame } from "../contract/game.ts";
import { type Rules, CHANCE, TERMINAL } from "../contract/rules.ts";
import { type BoardSize, DOWN, LEFT, RIGHT, ROWS, UP } from "./board.ts";
import { highestScore, MAX_SIDE, mostPlies, exponentAt } from "./line.ts";
import { formatAction, formatState, parseAction, parseState, render, DIRECTIONS } from "./text.ts";
import { order, simpleFeatures, eightTuples, fourTuples, sixTuples, TUPLE_SIDE } from "./judge.ts";
import { TwentyFortyEightState } from "./state.ts";
import type { Painted, Picture, Place, Shape } from "../contract/picture.ts";
import { label, middleOf, rect, trianglePoints } from "../shared/shapes.ts";

const side = z.int().min(2).max(MAX_SIDE);
const DEFAULT_SIDE = 4;
const options = z.strictObject({
  width: side.default(DEFAULT_SIDE).describe("columns"),
  height: side.default(DEFAULT_SIDE).describe("rows"),
});

/** The board of checked options. */
function shapeOf({ width, height }: z.output<typeof options>): BoardSize {
  return { rows: height, columns: width };
}

/**
 * 2048 (Cirulli 2014). Actions: 0 up, 1 right, 2 down, 3 left, those that change the board. Then a tile
 * comes on any empty cell: the outcome is 5 * row + column for a 2 (0.9), and 25 more for a 4 (0.1).
 */
export const twentyFortyEight = defineGame({
  id: "2048",
  summary: "slide and merge tiles that come by chance; the return is the score",
  options,
  rules(given): Rules<TwentyFortyEightState> {
    const shape = shapeOf(given);
    const cells = shape.rows * shape.columns;
    return {
      players: 1,
      chance: true,
      zeroSum: false,
      rewardsAlongTheWay: true,
      minReturn: 0,
      maxReturn: highestScore(cells),
      maxActions: 2 * cells,
      maxPlies: mostPlies(cells),
      start: () => new TwentyFortyEightState(shape),
      formatAction,
      parseAction(text, state) {
        return parseAction(text, state, this);
      },
      formatState,
      parseState: (text) => parseState(text, shape),
      render,
    };
  },
  facets(given): Facets<TwentyFortyEightState> {
    const shape = shapeOf(given);
    return {
      featureSets: {
        simple: simpleFeatures(shape),
        ...(shape.rows === TUPLE_SIDE && shape.columns === TUPLE_SIDE
          ? { tuples: sixTuples, "tuples-4": fourTuples, "tuples-8": eightTuples }
          : {}),
      },
      heuristics: { order: order(shape) },
      picture: createPicture(shape),
    };
  },
});

/** The strip on each side of the board, which holds the arrow. */
const SIDE = 0.8;
/** The strip above all else, which holds the score. */
const TOP = 0.75;
const GAP = 0.05;

/** The layers of colour on a tile: tiles grow warmer with their exponent, and the highest are black. */
function tintsOf(exponent: number): { fill: "player1" | "player0" | "black"; opacity: number }[] {
  if (exponent <= 5) return [{ fill: "player1", opacity: (exponent - 1) / 5 }];
  if (exponent <= 11)
    return [
      { fill: "player1", opacity: 1 },
      { fill: "player0", opacity: (exponent - 5) / 6.5 },
    ];
  return [{ fill: "black", opacity: 1 }];
}

/** Tiles with their numbers; around them an arrow for each direction. */
function createPicture({ rows, columns }: BoardSize): Picture<TwentyFortyEightState> {
  const width = columns + 2 * SIDE;
  const height = TOP + rows + 2 * SIDE;
  const [left, top] = [SIDE, TOP + SIDE];
  const middle = { x: width / 2, y: top + rows / 2 };
  const arrows: readonly Place[] = DIRECTIONS.map((name, action) => {
    const size = { w: SIDE, h: SIDE, isRound: true };
    const [x, y] = [middle.x - SIDE / 2, middle.y - SIDE / 2];
    if (action === UP) return { name, x, y: TOP, ...size };
    if (action === DOWN) return { name, x, y: top + rows, ...size };
    return { name, x: action === LEFT ? 0 : left + columns, y, ...size };
  });
  const arrow = (action: number, painted: Painted): Shape => ({
    kind: "polygon",
    points: trianglePoints(middleOf(arrows[action]!), 0.44, action),
    ...painted,
  });
  const cells = Array.from({ length: rows * columns }, (_, cell) => ({
    row: Math.floor(cell / columns),
    column: cell % columns,
  }));
  const exponentOf = ({ board }: TwentyFortyEightState, cell: number) =>
    exponentAt(board.lines[ROWS + cells[cell]!.row]!, cells[cell]!.column);
  const square = (cell: number, painted: Painted): Shape => {
    const { row, column } = cells[cell]!;
    const area = { x: left + column + GAP, y: top + row + GAP, w: 1 - 2 * GAP, h: 1 - 2 * GAP };
    return rect(area, { round: 0.08, ...painted });
  };

  const drawTile = (cell: number, exponent: number): Shape[] => {
    const text = String(2 ** exponent);
    const { row, column } = cells[cell]!;
    return [
      square(cell, { fill: "light" }),
      ...tintsOf(exponent).map((tint) => square(cell, tint)),
      label({ x: left + column + 0.5, y: top + row + 0.5 }, text, {
        size: Math.min(0.48, 1.2 / text.length),
        fill: exponent > 11 ? "white" : "black",
        bold: true,
      }),
    ];
  };

  return {
    width,
    height,
    ground: [
      rect(
        { x: left - GAP, y: top - GAP, w: columns + 2 * GAP, h: rows + 2 * GAP },
        { round: 0.12, fill: "dark" },
      ),
      ...cells.map((_, cell) => square(cell, { fill: "board", opacity: 0.3 })),
      ...[UP, RIGHT, DOWN, LEFT].map((action) => arrow(action, { stroke: "faint" })),
    ],
    // Arrows first, so that an action is the number of its arrow.
    places: [
      ...arrows,
      ...cells.map(({ row, column }) => ({
        name: `r${row + 1}c${column + 1}`,
        x: left + column,
        y: top + row,
        w: 1,
        h: 1,
      })),
    ],
    draw(state) {
      const legal = new Int32Array(DIRECTIONS.length);
      const count = state.toMove >= 0 ? state.legalActions(legal, 0) : 0;
      const next = state.toMove === TERMINAL ? ", over" : state.toMove === CHANCE ? ", a tile comes" : "";
      return [
        ...Array.from(legal.subarray(0, count), (action) => arrow(action, { fill: "ink" })),
        ...cells.flatMap((_, cell) => {
          const exponent = exponentOf(state, cell);
          return exponent === 0 ? [] : drawTile(cell, exponent);
        }),
        label({ x: middle.x, y: TOP / 2 + 0.05 }, `score ${state.returns()}${next}`, {
          size: 0.4,
          bold: true,
        }),
      ];
    },
    describe(state, place) {
      if (place < DIRECTIONS.length) return "";
      const exponent = exponentOf(state, place - DIRECTIONS.length);
      return exponent === 0 ? "" : `tile ${2 ** exponent}`;
    },
    touches: (_, action) => [action],
  };
}
