import { z } from "zod";
import { InputError } from "../../base/errors.ts";
import type { Facets } from "../contract/facets.ts";
import { defineGame } from "../contract/game.ts";
import type { Rules } from "../contract/rules.ts";
import { parityFeatures } from "./features.ts";
import { createPicture } from "./picture.ts";
import { exact, perfect } from "./theory.ts";
import { COUNT_BITS, MAX_COUNTERS, MAX_PILES, MAX_PLAYERS, NimState } from "./state.ts";

const options = z.strictObject({
  piles: z
    .array(z.int().min(1).max(MAX_COUNTERS))
    .min(1)
    .max(MAX_PILES)
    .default([3, 5, 7])
    .describe("counters in each pile"),
  players: z.int().min(2).max(MAX_PLAYERS).default(2).describe("number of players, who take turns"),
  misere: z.boolean().default(false).describe("true if taking the last counter loses instead of wins"),
});

/**
 * Nim (Bouton 1902): take any number of counters from one pile. An action is `256 * pile + counters` with
 * piles counted from 0; `1-3` takes three counters from the first pile. In normal play the player who
 * takes the last counter gets +1, and each other player gets -1 / (players - 1). In misere nim all signs
 * are opposite.
 */
export const nim = defineGame({
  id: "nim",
  summary: "take counters from one pile; the last counter wins, or loses (misere)",
  options,
  rules({ piles, players, misere }): Rules<NimState> {
    const counters = piles.reduce((sum, pile) => sum + pile, 0);
    const share = 1 / (players - 1);
    return {
      players,
      minReturn: misere ? -1 : -share,
      maxReturn: misere ? share : 1,
      maxActions: counters,
      maxPlies: counters,
      start: () => new NimState(piles, players, misere),
      formatAction: (action) => `${(action >> COUNT_BITS) + 1}-${action & MAX_COUNTERS}`,
      formatState: (state) => `${state.piles.join(",")} ${state.turn}`,
      parseState: (text) => parseState(text, { piles, players, misere }),
      render,
    };
  },
  facets({ piles, players, misere }, { maxActions: counters }): Facets<NimState> {
    return {
      featureSets: { parity: parityFeatures(players) },
      heuristics: { exact },
      // Bouton's rule is for two.
      policies: players === 2 ? { perfect: perfect(counters) } : {},
      picture: createPicture(piles, misere),
    };
  },
});

/** Reads the piles and the player whose turn it is: `3,5,7 0`; the first player when none is named. */
function parseState(text: string, { piles, players, misere }: z.output<typeof options>): NimState {
  const [left = "", turn = "0", ...rest] = text.trim().split(/\s+/);
  const counters = left.split(",").map((pile) => (/^\d+$/.test(pile) ? Number(pile) : -1));
  if (rest.length > 0 || counters.includes(-1)) {
    throw new InputError(
      `"${text}" is not of the form "3,5,7 0": counters left in each pile, player to move`,
    );
  }
  if (counters.length !== piles.length || counters.some((count, pile) => count > piles[pile]!)) {
    throw new InputError(`"${text}" cannot come from piles of ${piles.join(",")}`);
  }
  if (!/^\d$/.test(turn) || Number(turn) >= players) {
    throw new InputError(`"${turn}" in "${text}" is not a player; allowed: 0 to ${players - 1}`);
  }
  const state = new NimState(piles, players, misere);
  state.place(counters, Number(turn));
  return state;
}

function render({ piles, left, turn }: NimState): string {
  const rows = Array.from(piles, (count, pile) => `${pile + 1}: ${"|".repeat(count)} ${count}`);
  return [...rows, `player ${turn + 1} ${left === 0 ? "cannot move" : "to move"}`].join("\n");
}
