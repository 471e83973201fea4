import { z } from "zod";
import type { Facets } from "../contract/facets.ts";
import { defineGame } from "../contract/game.ts";
import type { Rules } from "../contract/rules.ts";
import { distance } from "./distance.ts";
import { cellFeatures, progressFeatures } from "./features.ts";
import { formatAction, formatState, parseAction, parseState, render, MEN } from "./notation.ts";
import { createPicture } from "./picture.ts";
import { createSeating, PLAYER_COUNTS } from "./seating.ts";
import { createStar, MAX_SIDE } from "./star.ts";
import { ChineseCheckersState } from "./state.ts";

const options = z.strictObject({
  players: z.literal(PLAYER_COUNTS).default(2).describe("number of players, who take turns clockwise"),
  side: z
    .int()
    .min(2)
    .max(MAX_SIDE)
    .default(MAX_SIDE)
    .describe("cells along a side of a point: 4 for 10 men on 121 cells, 3 for 6 on 73, 2 for 3 on 37"),
  maxRounds: z
    .int()
    .min(1)
    .max(1000)
    .default(100)
    .describe("moves of each player after which the game ends, ranked by the steps left"),
});

/**
 * Chinese checkers (Stern-Halma 1892): bring all men to the opposite point of the star, by steps and
 * chains of jumps. An action is `128 * from + to`, with cells counted from 0 in reading order; 0 is the
 * pass of a player who has no move.
 *
 * A player wins as soon as the target is full and at least one man in it is the player's own. Otherwise
 * one man left at home could keep the opponent from winning for ever. The game ends with a winner, or
 * after `maxRounds`. All players but the winner are ranked by the steps that they have left, so that
 * playing on without end never pays. Returns go down in equal parts from +1 for the first to -1 for the
 * last; equal players share. A man may stop in any point of the star, and may leave the target.
 */
export const chineseCheckers = defineGame({
  id: "chinese-checkers",
  summary: "step and jump across the star; the first to fill the opposite point wins",
  options,
  rules({ players, side, maxRounds }): Rules<ChineseCheckersState> {
    const star = createStar(side);
    const seating = createSeating(star, players, maxRounds);
    return {
      players,
      maxActions: seating.maxActions,
      maxPlies: players * maxRounds,
      start: () => new ChineseCheckersState(seating),
      formatAction: (action) => formatAction(action, star),
      parseAction(text, state) {
        return parseAction(this, text, state);
      },
      formatState,
      parseState: (text) => parseState(text, seating),
      render,
      pieces: Array.from(MEN).slice(0, players),
    };
  },
  facets({ players, side, maxRounds }): Facets<ChineseCheckersState> {
    const seating = createSeating(createStar(side), players, maxRounds);
    return {
      featureSets: { progress: progressFeatures(seating), cells: cellFeatures(seating) },
      heuristics: { distance: distance(seating) },
      picture: createPicture(seating),
    };
  },
});
