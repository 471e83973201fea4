import { z } from "zod";
import type { Facets } from "../contract/facets.ts";
import { defineGame } from "../contract/game.ts";
import type { Rules } from "../contract/rules.ts";
import { MAX_SIZE } from "./board.ts";
import { formatAction, formatState, parseAction, parseState, render } from "./notation.ts";
import { area } from "./influence.ts";
import { mogo } from "./mogo.ts";
import { picture } from "./picture.ts";
import { sgf } from "./sgf.ts";
import { shapeFeatures } from "./shape.ts";
import { GoState, type GoRules } from "./state.ts";

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
      featureSets: { shape: shapeFeatures(size) },
      heuristics: { area },
      policies: { mogo },
      transcripts: { sgf: sgf(game) },
      picture: picture(size),
    };
  },
});
