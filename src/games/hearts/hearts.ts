import { z } from "zod";
import type { Facets } from "../../game/facets.ts";
import { defineGame } from "../../game/game.ts";
import type { Rules } from "../../game/rules.ts";
import { cardPicture, renderCards } from "../shared/card-picture.ts";
import { cardNotation } from "../shared/card-notation.ts";
import { Pack, SEATS } from "../shared/cards.ts";
import { danger, knowledge } from "./evaluation.ts";
import { createPrivacy } from "./privacy.ts";
import { formatPoints, HeartsState } from "./state.ts";

const options = z
  .strictObject({
    cards: z.int().min(1).max(13).default(13).describe("cards of a hand"),
    suits: z
      .union([z.literal(2), z.literal(4)])
      .default(4)
      .describe("suits: 4, or 2 (hearts and spades); each has its highest ranks, 4 x cards / suits of them"),
  })
  .refine(({ cards, suits }) => suits === 4 || cards <= 6, {
    path: ["cards"],
    message: "must be at most 6 with two suits, which have 13 ranks each",
  });

function packOf({ cards, suits }: z.output<typeof options>): Pack {
  return new Pack(suits, (4 * cards) / suits);
}

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
  options,
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
      picture: cardPicture(pack, { playerOf: (seat) => seat, formatScore: formatPoints }),
    };
  },
});
