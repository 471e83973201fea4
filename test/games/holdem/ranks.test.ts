import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { cardNamed, DECK, Hand, KINDS, KIND_SHIFT, valueOf } from "../../../src/games/holdem/ranks.ts";
import { slowTest } from "../../support/thorough.ts";

const FIVE = [1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 40];
const SEVEN = [23294460, 58627800, 31433400, 6461620, 6180020, 4047644, 3473184, 224848, 41584];

/** Counts the hands of a full deck by kind, the straight flushes to the ace apart, and their different values. */
function countHands(cards: number) {
  const hand = new Hand(cards);
  const kinds = KINDS.map(() => 0);
  const values = new Set<number>();
  let royal = 0;
  let best = 0;
  const go = (from: number, left: number): void => {
    for (let card = from; card <= DECK - left; card++) {
      if (left === 1) {
        const value = hand.valueWith(card);
        kinds[value >> KIND_SHIFT]!++;
        if (value === best) royal++;
        else if (value > best) [best, royal] = [value, 1];
        if (cards === 5) values.add(value);
        continue;
      }
      hand.add(card);
      go(card + 1, left - 1);
      hand.remove(card);
    }
  };
  go(0, cards);
  return { kinds, royal, values: values.size };
}

test("the 2,598,960 hands of five cards are of the known kinds, and of 7,462 values", () => {
  expect(countHands(5)).toEqual({ kinds: FIVE, royal: 4, values: 7462 });
});

slowTest("the 133,784,560 hands of seven cards are of the known kinds", () => {
  expect(countHands(7)).toEqual({ kinds: SEVEN, royal: 4324, values: 0 });
});

const cardsOf = (text: string) => text.match(/../g)!.map(cardNamed);

test("hands of five to seven cards are ordered as by an independent program", () => {
  const text = readFileSync(new URL("../../fixtures/holdem/ranks.txt", import.meta.url), "utf8");
  const hands = text
    .trim()
    .split("\n")
    .map((line) => {
      const [cards, rank] = line.split(" ");
      return { value: valueOf(cardsOf(cards!)), rank: Number(rank) };
    });
  expect(hands).toHaveLength(1000);
  const sorted = hands.toSorted((a, b) => a.rank - b.rank);
  const wrong = sorted.filter(({ value, rank }, at) => {
    const next = sorted[at + 1];
    return next !== undefined && Math.sign(value - next.value) !== (rank === next.rank ? 0 : 1);
  });
  expect(wrong).toEqual([]);
});

test("hands of fewer than five cards have pairs, threes and fours, and no straights or flushes", () => {
  const kindOf = (text: string) => KINDS[valueOf(cardsOf(text)) >> KIND_SHIFT];
  expect(kindOf("KsKh")).toBe("pair");
  expect(kindOf("2s3s4s5s")).toBe("high card");
  expect(kindOf("7s7h2d2c")).toBe("two pair");
  expect(kindOf("7s7h7d2c")).toBe("three of a kind");
  expect(valueOf(cardsOf("KsQh"))).toBeGreaterThan(valueOf(cardsOf("KsJh")));
  expect(valueOf(cardsOf("KsQh"))).toBe(valueOf(cardsOf("KdQc")));
});

test("cards beyond the best five do not count", () => {
  const valueFor = (text: string) => valueOf(cardsOf(text));
  expect(valueFor("9s9h9d9cKs3h2d")).toBe(valueFor("9s9h9d9cKhQsJs"));
  expect(valueFor("AsAhKsKhQdQc2s")).toBe(valueFor("AsAhKsKhQd9c3s"));
  expect(valueFor("AsAhAdKsKhKd2c")).toBe(valueFor("AsAhAdKsKhQdQc"));
  expect(valueFor("AsKsQsJs9sAhAd")).toBe(valueFor("AsKsQsJs9s2h3d"));
});

/** The share of the pot, in percent, that the first hand wins over all boards. */
function equity(first: string, second: string): number {
  const hands = [first, second].map((text) => {
    const hand = new Hand(7);
    for (const card of cardsOf(text)) hand.add(card);
    return hand;
  });
  const [one, two] = [hands[0]!, hands[1]!];
  const known = cardsOf(first + second);
  const deck = Array.from({ length: DECK }, (_, card) => card).filter((card) => !known.includes(card));
  let [won, boards] = [0, 0];
  const go = (from: number, left: number): void => {
    for (let at = from; at <= deck.length - left; at++) {
      const card = deck[at]!;
      if (left === 1) {
        won += (1 + Math.sign(one.valueWith(card) - two.valueWith(card))) / 2;
        boards++;
        continue;
      }
      for (const hand of hands) hand.add(card);
      go(at + 1, left - 1);
      for (const hand of hands) hand.remove(card);
    }
  };
  go(0, 5);
  expect(boards).toBe(1_712_304);
  return (100 * won) / boards;
}

slowTest(
  "aces win 81.95% against kings, and ace-king of one suit 46.21% against queens, as published",
  () => {
    // The two pairs share two, one or no suits in 6, 24 and 6 of 36 cases.
    const shared = [equity("AsAh", "KsKh"), equity("AsAh", "KsKd"), equity("AsAh", "KcKd")];
    const mean = (6 * shared[0]! + 24 * shared[1]! + 6 * shared[2]!) / 36;
    expect(Math.abs(mean - 81.95)).toBeLessThan(0.01);
    expect(equity("AsKs", "QhQd")).toBeCloseTo(46.21, 2);
  },
);
