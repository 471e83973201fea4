import { z } from "zod";
import type { Facets } from "../contract/facets.ts";
import { defineGame } from "../contract/game.ts";
import type { Rules } from "../contract/rules.ts";
import type { BoardSize } from "./board.ts";
import { highestScore, MAX_SIDE, mostPlies } from "./line.ts";
import { formatAction, formatState, parseAction, parseState, render } from "./notation.ts";
import { order } from "./order.ts";
import { createPicture } from "./picture.ts";
import { simpleFeatures } from "./simple.ts";
import { TwentyFortyEightState } from "./state.ts";
import { fourTuples, sixTuples, TUPLE_SIDE } from "./tuples.ts";

const side = z.int().min(2).max(MAX_SIDE);
const DEFAULT_SIDE = 4;
/** Former names, which stay the names in stored options, so that ids of games and headers of weights stay the same. */
const former = side.optional().meta({ deprecated: true });
const options = z
  .strictObject({
    width: side.default(DEFAULT_SIDE).describe("columns"),
    height: side.default(DEFAULT_SIDE).describe("rows"),
    rows: former,
    columns: former,
  })
  .refine(({ height, rows = height }) => height === DEFAULT_SIDE || height === rows, {
    path: ["rows"],
    message: "is a former name of height: give one of them",
  })
  .refine(({ width, columns = width }) => width === DEFAULT_SIDE || width === columns, {
    path: ["columns"],
    message: "is a former name of width: give one of them",
  });

/** The board of checked options. */
function shapeOf({ width, height, rows = height, columns = width }: z.output<typeof options>): BoardSize {
  return { rows, columns };
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
      options: { ...shape },
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
          ? { tuples: sixTuples, "tuples-4": fourTuples }
          : {}),
      },
      heuristics: { order: order(shape) },
      picture: createPicture(shape),
    };
  },
});
