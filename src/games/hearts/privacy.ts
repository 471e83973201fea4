import type { Privacy } from "../contract/privacy.ts";
import { cardPrivacy } from "../shared/card-privacy.ts";
import type { Pack } from "../shared/cards.ts";
import { formatPoints, harmlessOf, heartsOf, type HeartsState, pointsOf } from "./state.ts";

/** Players see their own cards and all plays. A hand has only hearts if it leads hearts before they are broken. */
export function createPrivacy(pack: Pack): Privacy<HeartsState> {
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
