import { z } from "zod";
import type { Facets } from "../contract/facets.ts";
import { defineGame } from "../contract/game.ts";
import type { Rules } from "../contract/rules.ts";
import { MAX_SIZE, boardOf, COLUMN_NAMES } from "./board.ts";
import {
  describeEnding,
  formatAction,
  formatState,
  parseAction,
  parseState,
  render,
  formatPoint,
  sgf,
} from "./text.ts";
import { area, goBlocks, shapeFeatures } from "./judge.ts";
import { mogo } from "./search.ts";
import { GoState, type GoRules } from "./state.ts";
import { numberedRows, squareSymmetries } from "../contract/grid.ts";
import type { Picture } from "../contract/picture.ts";
import { circle, middleOf, rect } from "../shared/shapes.ts";
import { disc, gridLines, piecePicture, squareBoard } from "../shared/square-picture.ts";

const options = z.strictObject({
  size: z.int().min(5).max(MAX_SIZE).default(9).describe("rows and columns of the board"),
  komi: z
    .number()
    .multipleOf(0.5)
    .min(-MAX_SIZE * MAX_SIZE)
    .max(MAX_SIZE * MAX_SIZE)
    .default(7.5)
    .describe("points that white gets for moving second; whole numbers allow draws"),
  ko: z
    .enum(["simple", "positional-superko"])
    .default("simple")
    .describe("the boards that may not be repeated: the one before the last move, or any earlier one"),
  repetition: z
    .enum(["draw", "play-on"])
    .default("draw")
    .describe("under simple ko, what follows when an earlier board comes back"),
  suicide: z
    .boolean()
    .default(false)
    .describe("true if a move may take off two or more stones of the player's own (one stone never)"),
  moveLimit: z
    .int()
    .min(1)
    .max(10_000)
    .optional()
    .describe("moves, passes counted, after which the game is scored; 2 * size * size by default"),
});

/**
 * Go with area scoring (Tromp and Taylor). Two passes, or the limit of moves, end the game; then all
 * stones on the board count as alive. An action is `row * size + column`, 0 for a1; the last action is
 * the pass.
 */
export const go = defineGame({
  id: "go",
  summary: "surround more of the board than the other; 5x5 to 19x19, area scoring",
  options,
  rules({ size, komi, ko, repetition, suicide, moveLimit = 2 * size * size }): Rules<GoState> {
    const superko = ko === "positional-superko";
    const drawByRepetition = !superko && repetition === "draw";
    const rules: GoRules = { komi, suicide, superko, drawByRepetition, moveLimit };
    return {
      options: { size, komi, ko, repetition, suicide, moveLimit },
      maxActions: size * size + 1,
      maxPlies: moveLimit,
      start: () => new GoState(size, rules),
      formatAction,
      describeEnding,
      parseAction(text, state) {
        return parseAction(text, state, this);
      },
      formatState,
      parseState(text) {
        return parseState(text, this, rules);
      },
      render,
      pieces: ["X", "O"],
    };
  },
  facets({ size }, game): Facets<GoState> {
    return {
      featureSets: {
        shape: shapeFeatures(size),
        blocks: goBlocks(size, (action) => formatPoint(action, size)),
      },
      heuristics: { area },
      policies: { mogo },
      transcripts: { sgf: sgf(game) },
      policyHead: {
        version: 1,
        size: size * size + 1,
        // The last number, the pass, stays where it is.
        images: squareSymmetries(size)
          .slice(1)
          .map((symmetry) => Int32Array.of(...symmetry, size * size)),
        index: (action) => action,
      },
      picture: picture(size),
    };
  },
});

const COLOURS = ["black", "white"] as const;

/** Stones on the crossings of lines. A place is an action, 0 for a1 in the lower left corner. */
function picture(size: number): Picture<GoState> {
  const { pointOf } = boardOf(size);
  const board = squareBoard(
    {
      rows: numberedRows(size, size).toReversed(),
      rowNames: Array.from({ length: size }, (_, row) => String(size - row)),
      columnNames: Array.from(COLUMN_NAMES.slice(0, size)),
    },
    { nameOf: (action) => formatPoint(action, size), isRound: true },
  );
  const { left, top, places, labels } = board;
  return piecePicture(board, {
    players: COLOURS,
    ground: [
      rect({ x: left, y: top, w: size, h: size }, { round: 0.1, fill: "wood" }),
      gridLines(board, 0.5),
      ...starPoints(size).map((action) => circle(middleOf(places[action]!), 0.1, { fill: "edge" })),
      ...labels,
    ],
    pieceAt: (state, place) => COLOURS[state.colour[pointOf[place]]],
    draw: (colour, place) => [disc(place, colour, 0.46)],
    nameOf: (colour) => `${colour} stone`,
    touches: (state, action) => (action === state.pass ? [] : [action]),
  });
}

/**
 * The points with dots. They lie on the third lines from the edge on boards up to 12x12, on the fourth lines of larger
 * boards, and on the middle lines of odd boards. Boards below 15x15 have only the centre of the middle lines; boards
 * below 7x7 have nothing but the centre.
 */
function starPoints(size: number): number[] {
  if (size < 7) return size % 2 === 1 ? [(size * size - 1) / 2] : [];
  const near = size < 13 ? 2 : 3;
  const middle = (size - 1) / 2;
  const lines = size % 2 === 1 ? [near, middle, size - 1 - near] : [near, size - 1 - near];
  return lines.flatMap((row) =>
    lines.flatMap((column) =>
      size < 15 && (row === middle) !== (column === middle) ? [] : [row * size + column],
    ),
  );
}
