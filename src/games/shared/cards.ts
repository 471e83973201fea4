import { bitsOf } from "../../base/bits.ts";

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

  /** Suit and rank, as in PBN: `SQ` is the queen of spades. */
  cardName(card: number): string {
    return this.suitName(Math.floor(card / this.ranks)) + this.rankName(card % this.ranks);
  }

  /** The card with this name; -1 if the pack has none. */
  cardNamed(name: string): number {
    const suit = SUIT_NAMES.indexOf(name.charAt(0)) - (4 - this.suits);
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
