import { z } from "zod";
import type { Facets } from "../contract/facets.ts";
import { defineGame } from "../contract/game.ts";
import { parseLegal } from "../contract/notation.ts";
import type { Rules } from "../contract/rules.ts";
import { formatAction, formatState, parseState, readAction, render } from "./notation.ts";
import { pipCount, pubeval } from "./heuristics.ts";
import { picture } from "./picture.ts";
import { pubevalFeatures, pubevalPolicy } from "./pubeval.ts";
import { BackgammonState } from "./state.ts";
import { tacticsFeatures } from "./tactics.ts";
import { tesauroFeatures } from "./tesauro.ts";
import { MAX_LEGAL_TURNS } from "./turns.ts";
import { mat } from "./mat.ts";

const options = z.strictObject({
  gammons: z.boolean().default(true).describe("true if gammons and backgammons count 2 and 3 points"),
  maxTurns: z
    .int()
    .min(1)
    .default(4096)
    .describe("turns after which a game without a winner ends as a draw; random games last about 100"),
});

/**
 * Backgammon as single games for points, without a cube. Chance throws the dice; the opening roll also
 * decides who starts. A player's whole turn is one action (see turns.ts).
 */
export const backgammon = defineGame({
  id: "backgammon",
  summary: "race 15 men home by dice, past the other's; no cube",
  options,
  rules(variant): Rules<BackgammonState> {
    const maxPoints = variant.gammons ? 3 : 1;
    return {
      chance: true,
      minReturn: 0 - maxPoints,
      maxReturn: maxPoints,
      outcomes: variant.gammons ? [-3, -2, -1, 1, 2, 3] : [-1, 1],
      maxActions: MAX_LEGAL_TURNS,
      maxPlies: variant.maxTurns,
      start: () => new BackgammonState(variant),
      formatAction,
      parseAction(text, state) {
        const action = readAction(text.trim(), state);
        return action >= 0 ? action : parseLegal(this, text, state);
      },
      formatState,
      parseState: (text) => parseState(text, variant),
      render,
      pieces: ["x", "o"],
    };
  },
  facets(variant, { maxReturn }): Facets<BackgammonState> {
    return {
      featureSets: {
        tesauro: tesauroFeatures,
        tactics: tacticsFeatures,
        pubeval: pubevalFeatures,
      },
      heuristics: { "pip-count": pipCount(maxReturn), pubeval: pubeval(maxReturn) },
      policies: { pubeval: pubevalPolicy },
      transcripts: { mat: mat(variant) },
      picture,
    };
  },
});
