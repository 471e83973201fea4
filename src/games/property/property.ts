import { z } from "zod";
import type { Facets } from "../contract/facets.ts";
import { defineGame } from "../contract/game.ts";
import type { Rules } from "../contract/rules.ts";
import { BOARD_NAMES, createBoard } from "./board.ts";
import { holdingsFeatures, netWorth } from "./judge.ts";
import { createPicture } from "./picture.ts";
import { MAX_DOUBLES, MAX_PLAYERS, type PropertyRules } from "./position.ts";
import { PropertyState } from "./state.ts";
import { formatAction, formatState, parseState, render } from "./text.ts";

const options = z.strictObject({
  players: z.int().min(2).max(MAX_PLAYERS).default(2).describe("number of players, who take turns"),
  board: z
    .enum(BOARD_NAMES)
    .default("full")
    .describe("the track: full, 40 squares with 28 to own, or small, 12 squares with 8"),
  cash: z.int().min(0).max(100_000).default(1500).describe("money of each player at the start"),
  maxRounds: z
    .int()
    .min(1)
    .max(100_000)
    .default(100)
    .describe("turns of each player after which the game ends, ranked by worth"),
  auctions: z.boolean().default(true).describe("true if what a player does not buy is auctioned"),
});

/**
 * A property game: two dice, a round track of squares to buy, rent from who stops there. Actions: see position.ts; an
 * outcome is 6 * (high - 1) + low - 1.
 *
 * A turn begins with building, as often as the player likes, and a roll. A double gives another roll, the third in a row
 * leads to jail. There is no trading, no mortgage, no card. Who cannot pay sells houses and property to the bank for half
 * of their prices; who still cannot is bankrupt, and the creditor gets the proceeds of everything. The game ends when one
 * player is left, or after `maxRounds`. A player's return is the share of the others who stand worse, by worth or by a
 * sooner bankruptcy, less the share of those who stand better.
 */
export const property = defineGame({
  id: "property",
  summary: "buy what you stop at, build, take rent; the last or the richest wins",
  options,
  rules(given): Rules<PropertyState> {
    const variant = rulesOf(given);
    const { board, players, cash, maxRounds } = variant;
    const rolls = MAX_DOUBLES * players * maxRounds;
    // A house that is built and sold costs its player half of its price, which only cash and salaries pay.
    const houses = Math.ceil((players * cash + rolls * board.salary) / (LEAST_HOUSE / 2));
    return {
      players,
      chance: true,
      // A decision to roll and to leave jail, an offer, an auction and a sale belong to a roll.
      maxPlies: rolls * (players + 4) + 2 * houses,
      // Two more than the property, and at least the 21 rolls of two dice.
      maxActions: Math.max(
        21,
        board.groups.reduce((sum, group) => sum + group.length, 2),
      ),
      outcomes: Array.from({ length: 2 * players - 1 }, (_, beaten) => beaten / (players - 1) - 1),
      start: () => new PropertyState(variant),
      formatAction,
      formatState,
      parseState: (text) => parseState(text, variant),
      render,
    };
  },
  facets(given): Facets<PropertyState> {
    const variant = rulesOf(given);
    return {
      featureSets: { holdings: holdingsFeatures(variant) },
      heuristics: { "net-worth": netWorth },
      picture: createPicture(variant),
    };
  },
});

/** The lowest price of a house. */
const LEAST_HOUSE = 50;

function rulesOf({ board, ...others }: z.output<typeof options>): PropertyRules {
  return { board: createBoard(board), ...others };
}
