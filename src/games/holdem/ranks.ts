import { countBits } from "../../base/hashing.ts";

/*
 * The rank of a hand of poker, by tables. A card is 4 x rank + suit, ranks from 0, the deuce, to 12, the ace. The ranks of a
 * hand are counted in base 5, low and high ones apart, so that adding a card adds a number. Low and high counts lead to
 * a place in a table without gaps; a flush is read from the set of its ranks.
 */

export const RANKS = 13;
export const SUITS = 4;
export const DECK = RANKS * SUITS;
/** The most cards of a hand. */
const MOST_CARDS = 7;

/** Kinds of hands by number, the weakest first. `value >> KIND_SHIFT` is the kind of a value. */
export const KINDS = [
  "high card",
  "pair",
  "two pair",
  "three of a kind",
  "straight",
  "flush",
  "full house",
  "four of a kind",
  "straight flush",
] as const;
export const KIND_SHIFT = 20;
const [HIGH_CARD, PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH] = KINDS.keys();

/** Ranks that are counted in the low bits of a sum; the others are counted above them. */
const LOW_RANKS = 7;
const LOW_BITS = 17;
const LOW_MASK = (1 << LOW_BITS) - 1;
const HIGH_SUMS = 5 ** (RANKS - LOW_RANKS);
const LOW_SUMS = 5 ** LOW_RANKS;

/** By card: the number that it adds to the sum of ranks. */
const RANK_SUMS = Int32Array.from({ length: DECK }, (_, card) => {
  const rank = card >> 2;
  return rank < LOW_RANKS ? 5 ** rank : (5 ** (rank - LOW_RANKS)) << LOW_BITS;
});
/** Suits are counted in four bits each, from 3 on: the highest bit is set by the fifth card. */
const NO_SUITS = 0x3333;
const FLUSH_BITS = 0x8888;

/** The rank of the highest card of the best straight in a set of ranks, -1 without one. The ace is also below the deuce. */
function straightIn(ranks: number): number {
  const withLowAce = (ranks << 1) | (ranks >> (RANKS - 1));
  for (let top = RANKS - 1; top >= 3; top--) if (((withLowAce >> (top - 3)) & 0x1f) === 0x1f) return top;
  return -1;
}

const topOf = (ranks: number): number => 31 - Math.clz32(ranks);

/** Adds the highest `count` ranks of a set to a value; a missing one is added as 0. */
function withTop(value: number, ranks: number, count: number): number {
  let [sum, rest] = [value, ranks];
  for (let at = 0; at < count; at++) {
    const top = topOf(rest);
    sum = (sum << 4) | Math.max(top, 0);
    if (top >= 0) rest ^= 1 << top;
  }
  return sum;
}

/** By set of ranks: the value of the best flush in it, 0 with fewer than five. */
const FLUSHES = Int32Array.from({ length: 1 << RANKS }, (_, ranks) => {
  if (countBits(ranks) < 5) return 0;
  const top = straightIn(ranks);
  return top < 0 ? withTop(FLUSH, ranks, 5) : withTop(STRAIGHT_FLUSH, 1 << top, 5);
});

/**
 * The value of a hand from the ranks that it has at least once, twice, and so on, flushes aside. After the kind come the ranks
 * that compare equal kinds, the most important first, four bits each.
 */
function valueOfRanks(once: number, twice: number, thrice: number, four: number): number {
  if (four !== 0) {
    const rank = 1 << topOf(four);
    return withTop(withTop(FOUR, rank, 1), once & ~rank, 1) << 12;
  }
  const three = thrice === 0 ? 0 : 1 << topOf(thrice);
  const pairs = twice & ~three;
  if (three !== 0 && pairs !== 0) return withTop(withTop(FULL_HOUSE, three, 1), 1 << topOf(pairs), 4);
  const straight = straightIn(once);
  if (straight >= 0) return withTop(STRAIGHT, 1 << straight, 5);
  if (three !== 0) return withTop(withTop(THREE, three, 1), once & ~three, 2) << 8;
  if (pairs === 0) return withTop(HIGH_CARD, once, 5);
  const first = 1 << topOf(pairs);
  const second = pairs === first ? 0 : 1 << topOf(pairs ^ first);
  if (second === 0) return withTop(withTop(PAIR, first, 1), once & ~first, 3) << 4;
  return withTop(withTop(TWO_PAIR, first | second, 2), once & ~(first | second), 1) << 8;
}

/** Some cards of the low or of the high ranks, by their number of each rank. */
interface Counting {
  /** The cards' part of the sum of ranks; low and high ranks have bits of their own. */
  readonly sum: number;
  /** The sets of ranks that are there at least once, twice, three times, and four times. */
  readonly least: readonly number[];
}

/** By number of cards, 0 to 7: all ways to have so many cards of the first `ranks` ranks, at most four of each. */
function countings(ranks: number): Counting[][] {
  const byTotal: Counting[][] = Array.from({ length: MOST_CARDS + 1 }, () => []);
  const go = (rank: number, total: number, sum: number, least: readonly number[]): void => {
    if (rank === ranks) byTotal[total]!.push({ sum, least });
    else
      for (let n = 0; n <= SUITS && total + n <= MOST_CARDS; n++)
        go(
          rank + 1,
          total + n,
          sum + n * 5 ** rank,
          least.map((set, at) => (n > at ? set | (1 << rank) : set)),
        );
  };
  go(0, 0, 0, [0, 0, 0, 0]);
  return byTotal;
}

const lowCountings = countings(LOW_RANKS);
const highCountings = countings(RANKS - LOW_RANKS);

/** By sum of low ranks: its number among those of as many cards. */
const LOW_PLACES = new Int16Array(LOW_SUMS);
for (const all of lowCountings) for (const [at, { sum }] of all.entries()) LOW_PLACES[sum] = at;

/** The values of all hands of one number of cards: the place of a sum is rows[high] + LOW_PLACES[low]. */
interface RankTable {
  readonly rows: Int32Array;
  readonly values: Int32Array;
}

function buildTable(cards: number): RankTable {
  const rows = new Int32Array(HIGH_SUMS);
  const values: number[] = [];
  for (const [total, all] of highCountings.slice(0, cards + 1).entries())
    for (const high of all) {
      const [once, twice, thrice, four] = high.least.map((set) => set << LOW_RANKS);
      rows[high.sum] = values.length;
      for (const { least } of lowCountings[cards - total]!)
        values.push(
          valueOfRanks(least[0]! | once!, least[1]! | twice!, least[2]! | thrice!, least[3]! | four!),
        );
    }
  return { rows, values: Int32Array.from(values) };
}

/** By number of cards: its table, made when it is first needed. */
const tables: (RankTable | undefined)[] = [];

/** A hand of up to seven cards that grows and shrinks by a card at a time. Reading its value costs three look-ups. */
export class Hand {
  private sum = 0;
  private suits = NO_SUITS;
  /** The sets of ranks of suits 0 and 1, and of 2 and 3, each suit in 16 bits. */
  private first = 0;
  private second = 0;
  private readonly rows: Int32Array;
  private readonly values: Int32Array;

  /** @param cards the number of cards, 1 to 7, with which the hand has a value */
  constructor(cards: number) {
    const table = (tables[cards] ??= buildTable(cards));
    this.rows = table.rows;
    this.values = table.values;
  }

  clear(): void {
    this.sum = this.first = this.second = 0;
    this.suits = NO_SUITS;
  }

  add(card: number): void {
    this.sum += RANK_SUMS[card];
    this.suits += 1 << (4 * (card & 3));
    this.flip(card);
  }

  remove(card: number): void {
    this.sum -= RANK_SUMS[card];
    this.suits -= 1 << (4 * (card & 3));
    this.flip(card);
  }

  /** The value of the best five cards: the higher wins, equal ones share. Called with the number of cards that was declared. */
  get value(): number {
    const flush = this.suits & FLUSH_BITS;
    if (flush !== 0) {
      const two = flush & 0xff ? this.first : this.second;
      return FLUSHES[flush & 0x0808 ? two & 0xffff : two >>> 16];
    }
    const { sum } = this;
    return this.values[this.rows[sum >>> LOW_BITS] + LOW_PLACES[sum & LOW_MASK]];
  }

  /** The value with one more card, for the last card of an enumeration. */
  valueWith(card: number): number {
    const suits = this.suits + (1 << (4 * (card & 3)));
    if ((suits & FLUSH_BITS) !== 0) {
      this.add(card);
      const { value } = this;
      this.remove(card);
      return value;
    }
    const sum = this.sum + RANK_SUMS[card];
    return this.values[this.rows[sum >>> LOW_BITS] + LOW_PLACES[sum & LOW_MASK]];
  }

  /** Adds or removes the card's rank in the set of its suit. */
  private flip(card: number): void {
    const bit = 1 << ((card >> 2) + 16 * (card & 1));
    if ((card & 2) === 0) this.first ^= bit;
    else this.second ^= bit;
  }
}

/** The value of a hand of 1 to 7 cards. Allocates: enumerations keep a Hand. */
export function valueOf(cards: readonly number[]): number {
  const hand = new Hand(cards.length);
  for (const card of cards) hand.add(card);
  return hand.value;
}

const RANK_NAMES = "23456789TJQKA";
const SUIT_NAMES = "cdhs";

/** Rank and suit: `As`. */
export function cardName(card: number): string {
  return RANK_NAMES[card >> 2]! + SUIT_NAMES[card & 3]!;
}

/** The card with this name, such as `As`; -1 if there is none. @internal tests alone import it. */
export function cardNamed(name: string): number {
  const [rank, suit] = [RANK_NAMES.indexOf(name.charAt(0)), SUIT_NAMES.indexOf(name.charAt(1))];
  return name.length === 2 && rank >= 0 && suit >= 0 ? 4 * rank + suit : -1;
}
