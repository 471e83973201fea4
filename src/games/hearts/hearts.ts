import type { Facets } from "../contract/facets.ts";
import { defineGame } from "../contract/game.ts";
import type { Rules } from "../contract/rules.ts";
import { cardPicture, renderCards } from "../shared/card-picture.ts";
import { cardNotation } from "../shared/card-notation.ts";
import { packOf, packOptions, SEATS } from "../shared/cards.ts";
import { danger, knowledge } from "./evaluation.ts";
import { createPrivacy } from "./privacy.ts";
import { formatPoints, HeartsState } from "./state.ts";

/**
 * Hearts for four players (black lady hearts, without passing). The cards are dealt in their order: an outcome is the player who
 * receives the next card. The lowest club leads. Players follow suit if they can. Hearts are not led before one was played,
 * except from a hand of hearts. In the first trick nobody throws points who has other cards. A heart is a point, the queen
 * of spades 13. The return is the mean of all points less one's own, at the end; a player who took all points has none, and each
 * other has all. Actions: cards.
 */
export const hearts = defineGame({
  id: "hearts",
  summary: "hearts for four players, without passing",
  options: packOptions,
  rules(given): Rules<HeartsState> {
    const pack = packOf(given);
    const start = () => new HeartsState(pack);
    const { total } = start();
    return {
      maxActions: Math.max(4, pack.hand),
      start,
      ...cardNotation(pack, start),
      players: 4,
      chance: true,
      dealt: true,
      hiddenInformation: true,
      minReturn: Math.min(total / -4, 1 - (3 * total) / 4),
      maxReturn: (3 * total) / 4,
      maxPlies: pack.size,
      render: (state) => `${renderCards(state)}\n${formatPoints(state)}`,
      describeEnding: ({ shooter }) => (shooter < 0 ? undefined : `${SEATS[shooter]} took all points`),
    };
  },
  facets(given, { minReturn }): Facets<HeartsState> {
    const pack = packOf(given);
    return {
      featureSets: { knowledge: knowledge(pack) },
      heuristics: { danger: danger(pack, minReturn) },
      privacy: createPrivacy(pack),
      picture: cardPicture(pack, { seats: [0, 1, 2, 3], formatScore: formatPoints }),
    };
  },
});
