import { z } from "zod";
import { bitsOf } from "../../base/hashing.ts";

const SUIT_NAMES = "CDHS";
const RANK_NAMES = "23456789TJQKA";
/** The four seats, clockwise. */
export const SEATS = "SWNE";

/** The cards of a game of four hands: the highest `ranks` ranks of the highest `suits` suits. A card is suit x ranks + rank. */
export class Pack {
  readonly suits: number;
  readonly ranks: number;
  readonly size: number;
  /** Cards of a hand. */
  readonly hand: number;

  constructor(suits: number, ranks: number) {
    this.suits = suits;
    this.ranks = ranks;
    this.size = suits * ranks;
    this.hand = this.size / 4;
  }

  suitName(suit: number): string {
    return SUIT_NAMES[4 - this.suits + suit]!;
  }

  rankName(rank: number): string {
    return RANK_NAMES[13 - this.ranks + rank]!;
  }

  /** The suit with this name; -1 if the pack has none. */
  suitNamed(name: string): number {
    return Math.max(-1, SUIT_NAMES.indexOf(name) - (4 - this.suits));
  }

  /** Suit and rank, as in PBN: `SQ` is the queen of spades. */
  cardName(card: number): string {
    return this.suitName(Math.floor(card / this.ranks)) + this.rankName(card % this.ranks);
  }

  /** The card with this name; -1 if the pack has none. */
  cardNamed(name: string): number {
    const suit = this.suitNamed(name.charAt(0));
    const rank = RANK_NAMES.indexOf(name.charAt(1)) - (13 - this.ranks);
    return name.length === 2 && suit >= 0 && rank >= 0 ? suit * this.ranks + rank : -1;
  }

  /** A hand, of which `ranksOf` gives the set of ranks of a suit, as in PBN: `KQ2.A.T9.` has spades, hearts, diamonds, clubs. */
  handName(ranksOf: (suit: number) => number): string {
    return Array.from({ length: this.suits }, (_, suit) =>
      bitsOf(ranksOf(suit))
        .toReversed()
        .map((rank) => this.rankName(rank))
        .join(""),
    )
      .toReversed()
      .join(".");
  }
}

/** The options of a pack. */
export const packOptions = z
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

export function packOf({ cards, suits }: z.output<typeof packOptions>): Pack {
  return new Pack(suits, (4 * cards) / suits);
}
