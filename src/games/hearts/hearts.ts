import type { Facets } from "../contract/facets.ts";
import { defineGame } from "../contract/game.ts";
import type { Rules } from "../contract/rules.ts";
import { packOf, packOptions, SEATS, type Pack } from "../shared/cards.ts";
import { cardPicture, renderCards, cardNotation } from "../shared/card-picture.ts";
import { danger, knowledge } from "./judge.ts";
import { formatPoints, HeartsState, harmlessOf, heartsOf, pointsOf } from "./state.ts";
import type { Privacy } from "../contract/privacy.ts";
import { cardPrivacy } from "../shared/card-privacy.ts";

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

/** Players see their own cards and all plays. A hand has only hearts if it leads hearts before they are broken. */
function createPrivacy(pack: Pack): Privacy<HeartsState> {
  const hearts = heartsOf(pack);
  const worth = pointsOf(pack);
  const harmless = harmlessOf(pack);
  return cardPrivacy<HeartsState>(pack, {
    seats: [0, 1, 2, 3],
    exclude({ cards, seats }, lacks) {
      const suitOf = (card: number) => Math.floor(card / pack.ranks);
      let isBroken = false;
      for (const [at, card] of cards.entries()) {
        const base = 4 * seats[at]!;
        if (at > 0 && at % 4 === 0 && suitOf(card) === hearts && !isBroken)
          for (let suit = 0; suit < pack.suits; suit++) if (suit !== hearts) lacks[base + suit] = -1;
        // Points in the first trick come from a hand of nothing else.
        if (at > 0 && at < 4 && suitOf(card) !== suitOf(cards[0]!) && worth[card] !== 0)
          for (const [suit, ranks] of harmless.entries()) lacks[base + suit]! |= ranks;
        isBroken ||= suitOf(card) === hearts;
      }
    },
    formatScore: formatPoints,
  });
}
