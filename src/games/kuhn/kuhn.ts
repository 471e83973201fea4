import { z } from "zod";
import type { Facets, FeatureSet, Heuristic } from "../contract/facets.ts";
import { defineGame } from "../contract/game.ts";
import type { Rules } from "../contract/rules.ts";
import { historyPicture } from "../shared/history-picture.ts";
import { historyNotation, othersDeal } from "../shared/history-state.ts";
import { cardName, formatAction, render } from "./notation.ts";
import { privacy } from "./privacy.ts";
import { CARDS, KuhnState, MAX_EVENTS } from "./state.ts";

/** The betting before a decision. */
const SITUATIONS = ["first to act", "after a check", "after a bet", "after check and bet"] as const;

function situationOf({ history, events }: KuhnState): number {
  return events <= 2 ? 0 : events === 3 ? 1 + history[2]! : 3;
}

/** One feature for each pair of own card and betting so far: what a player knows. */
const information: FeatureSet<KuhnState> = {
  summary: "the player's own card and the betting so far, one feature a pair",
  version: 1,
  size: CARDS * SITUATIONS.length,
  maxActive: 1,
  unit: true,
  extract(state, player, index) {
    if (state.events <= player) return 0;
    index[0] = state.history[player]! * SITUATIONS.length + situationOf(state);
    return 1;
  },
  describe: (index) =>
    `${cardName(Math.floor(index / SITUATIONS.length))}, ${SITUATIONS[index % SITUATIONS.length]}`,
};

const card: Heuristic<KuhnState> = {
  summary: "the player's own card: -1, 0 or 1 chip",
  evaluate: ({ history, events }, player) => (events <= player ? 0 : history[player]! - 1),
};

const form = { maxActions: CARDS, start: () => new KuhnState(), formatAction };

/**
 * Kuhn poker (Kuhn 1950). Three cards, an ante of one chip each, and one bet of one chip: the first player passes or bets;
 * after a bet the other player folds or calls. Actions: 0 pass, 1 bet; outcomes: the card, 0 to 2, first of player 0, then
 * of player 1. Player 0 loses 1/18 of a chip a game between perfect players.
 */
export const kuhn = defineGame({
  id: "kuhn",
  summary: "Kuhn poker: three cards and one bet",
  options: z.strictObject({}),
  rules(): Rules<KuhnState> {
    return {
      ...form,
      ...historyNotation<KuhnState>(form, { maxReturn: 2 }),
      chance: true,
      dealt: true,
      hiddenInformation: true,
      minReturn: -2,
      maxReturn: 2,
      outcomes: [-2, -1, 1, 2],
      maxPlies: 3,
      render,
    };
  },
  facets: (): Facets<KuhnState> => ({
    featureSets: { information },
    heuristics: { card },
    privacy,
    picture: historyPicture(form, MAX_EVENTS, othersDeal),
  }),
});
