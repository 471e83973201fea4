import { z } from "zod";
import type { Facets } from "../contract/facets.ts";
import { defineGame } from "../contract/game.ts";
import type { Tactics } from "../contract/tactics.ts";
import type { Rules } from "../contract/rules.ts";
import { samuelFeatures } from "./samuel.ts";
import { material, squareFeatures } from "./pieces.ts";
import { describeEnding, formatAction, formatState, parseAction, parseState, render } from "./notation.ts";
import { endgames } from "./endgames.ts";
import { picture } from "./picture.ts";
import { CheckersState, type DrawRules } from "./state.ts";
import { pdn } from "./pdn.ts";
import { tupleBoard } from "./tuples.ts";
import { jumpsOf } from "./board.ts";

/** The pieces on the board, and the rows that each can advance as a man. */
const PIECES = 24;
const ROWS_AHEAD = 7;

const options = z.strictObject({
  drawAfter: z
    .int()
    .min(1)
    .max(1000)
    .default(40)
    .describe("moves in a row, of both players together, without progress: a draw"),
  progress: z
    .enum(["capture", "capture-or-man"])
    .default("capture")
    .describe("the moves that count as progress: captures only, or moves of men too"),
  repetitions: z
    .union([z.literal(0), z.int().min(2).max(10)])
    .default(0)
    .describe("the occurrences of the same position that make a draw; 0: no such rule"),
});

/** Captures are forced. A pass would mislead a search: having to move is often bad. */
const tactics: Tactics<CheckersState> = {
  summary: "captures, which are forced",
  isForced: (state) => state.canJump(),
  noisyActions: (state, out, at) => (state.canJump() ? state.legalActions(out, at) : 0),
  gain: (_state, action) => jumpsOf(action),
  futility: 0.1,
};

/**
 * English draughts. Black, the first player, has men on 1 to 12 and moves toward 32. A player who can
 * capture must capture, and go on capturing with the same piece as long as possible; the way is free to
 * choose. A player who cannot move has lost.
 */
export const checkers = defineGame({
  id: "checkers",
  summary: "English draughts: forced captures, kings, 32 squares",
  options,
  rules({ drawAfter, progress, repetitions }): Rules<CheckersState> {
    const rules: DrawRules = { drawAfter, menProgress: progress === "capture-or-man", repetitions };
    const mostProgress = rules.menProgress ? PIECES * (1 + ROWS_AHEAD) : PIECES;
    return {
      // Twelve kings with four moves each; there are never more than 40 ways to capture.
      maxActions: 48,
      maxPlies: (mostProgress + 1) * drawAfter,
      start: () => new CheckersState(rules),
      formatAction(action, state) {
        return formatAction(action, state, this);
      },
      parseAction(text, state) {
        return parseAction(text, state, this);
      },
      formatState,
      parseState(text) {
        return parseState(text, this, rules);
      },
      describeEnding,
      render,
      pieces: ["⛂⛃", "⛀⛁"],
    };
  },
  facets(_options, game): Facets<CheckersState> {
    return {
      featureSets: { samuel: samuelFeatures, squares: squareFeatures },
      heuristics: { material },
      transcripts: { pdn: pdn(game) },
      tupleBoard,
      tactics,
      picture,
      endgames,
    };
  },
});
