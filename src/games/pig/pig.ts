import { z } from "zod";
import type { Facets } from "../contract/facets.ts";
import { defineGame } from "../contract/game.ts";
import { CHANCE, type Rules } from "../contract/rules.ts";
import { raceFeatures } from "./features.ts";
import { formatState, parseState, render } from "./notation.ts";
import { perfect } from "./optimal.ts";
import { createPicture } from "./picture.ts";
import { race } from "./race.ts";
import { HOLD, MAX_PLAYERS, MAX_TARGET, PigState } from "./state.ts";

const options = z.strictObject({
  players: z.int().min(2).max(MAX_PLAYERS).default(2).describe("number of players, who take turns"),
  target: z.int().min(10).max(MAX_TARGET).default(100).describe("points that win"),
  maxTurns: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(1000)
    .describe("turns of all players together after which the game is a draw"),
});

/**
 * Pig (Scarne 1945; Neller & Presser, "Optimal play of the dice game Pig", 2004). On each turn a player
 * rolls a die as often as they like. A roll of 2 to 6 is added to the turn's total. A roll of 1 loses the
 * total and ends the turn. Holding banks the total and ends the turn. A player whose score plus total
 * reaches the target wins at once. The usual rules ask for a hold first, which changes nothing in optimal
 * play. Actions: 0 hold, 1 roll; outcomes 1 to 6.
 */
export const pig = defineGame({
  id: "pig",
  summary: "roll on or hold: a jeopardy dice race",
  options,
  rules(variant): Rules<PigState> {
    const { players, target, maxTurns } = variant;
    return {
      players,
      chance: true,
      minReturn: -1 / (players - 1),
      maxActions: 6,
      // Every roll but the last of a turn adds at least 2.
      maxPlies: maxTurns * (Math.ceil(target / 2) + 1),
      start: () => new PigState(variant),
      formatAction: (action, { toMove }) =>
        toMove === CHANCE ? String(action) : action === HOLD ? "hold" : "roll",
      formatState,
      parseState: (text) => parseState(text, variant),
      render,
    };
  },
  facets(variant): Facets<PigState> {
    const { players, target } = variant;
    return {
      featureSets: { race: raceFeatures(players, target) },
      heuristics: { race },
      policies: players === 2 ? { perfect: perfect(target) } : {},
      picture: createPicture(variant),
    };
  },
});
