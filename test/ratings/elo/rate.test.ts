import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ELO_SCALE } from "../../../src/ratings/elo/scale.ts";
import { rate, type Rating } from "../../../src/ratings/elo/rate.ts";
import type { GameRecord } from "../../../src/ratings/record.ts";
import { createRandom } from "../../../src/base/random.ts";
import { duels, gameRecord, pairs, randomGames, shuffled } from "../records.ts";
import { slowTest } from "../../support/thorough.ts";

const SAMPLE = fc.record({
  seed: fc.nat(),
  entrants: fc.integer({ min: 2, max: 6 }),
  seats: fc.integer({ min: 2, max: 4 }),
  games: fc.integer({ min: 1, max: 40 }),
});
const RUNS = { numRuns: 60, seed: 7 };

function games(sample: { seed: number; entrants: number; seats: number; games: number }): GameRecord[] {
  return randomGames(createRandom("rate", sample.seed), sample);
}

function expectClose(actual: Rating, expected: Rating): void {
  actual.entrants.forEach(({ elo, low, high }, entrant) => {
    expect(elo).toBeCloseTo(expected.entrants[entrant]!.elo, 4);
    expect(low).toBeCloseTo(expected.entrants[entrant]!.low, 4);
    expect(high).toBeCloseTo(expected.entrants[entrant]!.high, 4);
  });
  actual.superiority.forEach((row, one) =>
    row.forEach((value, other) => expect(value).toBeCloseTo(expected.superiority[one]![other]!, 6)),
  );
}

describe("properties", () => {
  test("the order of the records and the names of the blocks change no bit", () => {
    fc.assert(
      fc.property(SAMPLE, (sample) => {
        const records = games(sample);
        const mixed = shuffled(records, createRandom("mix", sample.seed)).map((game) => ({
          ...game,
          block: `another ${game.block}`,
        }));
        expect(JSON.stringify(rate(mixed, sample.entrants))).toBe(
          JSON.stringify(rate(records, sample.entrants)),
        );
      }),
      RUNS,
    );
  });

  slowTest("renumbered entrants keep their ratings", () => {
    fc.assert(
      fc.property(SAMPLE, (sample) => {
        const records = games(sample);
        const numbers = shuffled([...Array(sample.entrants).keys()], createRandom("numbers", sample.seed));
        const renumbered = records.map((game) => ({
          ...game,
          seats: game.seats.map((entrant) => numbers[entrant]!),
        }));
        const rating = rate(renumbered, sample.entrants);
        const back: Rating = {
          firstSeat: rating.firstSeat,
          entrants: numbers.map((number) => rating.entrants[number]!),
          superiority: numbers.map((one) => numbers.map((other) => rating.superiority[one]![other]!)),
        };
        expectClose(back, rate(records, sample.entrants));
      }),
      RUNS,
    );
  });

  test("only the ranks count: scaled and shifted returns give the same rating", () => {
    fc.assert(
      fc.property(SAMPLE, (sample) => {
        const records = games(sample);
        const scaled = records.map((game) => ({
          ...game,
          returns: game.returns.map((value) => 3 * value + 100),
        }));
        expect(rate(scaled, sample.entrants)).toEqual(rate(records, sample.entrants));
      }),
      RUNS,
    );
  });

  test("two players: returns with changed signs turn every rating round", () => {
    fc.assert(
      fc.property(SAMPLE, (sample) => {
        const records = games({ ...sample, seats: 2 });
        const turned = records.map((game) => ({ ...game, returns: game.returns.map((value) => 0 - value) }));
        const { entrants, firstSeat, superiority } = rate(turned, sample.entrants);
        const back: Rating = {
          firstSeat,
          entrants: entrants.map(({ elo, low, high }) => ({ elo: -elo, low: -high, high: -low })),
          superiority: superiority.map((row) => row.map((value) => 1 - value)),
        };
        const rating = rate(records, sample.entrants);
        expectClose(back, rating);
        expect(firstSeat.elo).toBeCloseTo(-rating.firstSeat.elo, 4);
      }),
      RUNS,
    );
  });

  test("everything is finite, the interval holds its rating, superiorities add up to 1", () => {
    fc.assert(
      fc.property(SAMPLE, (sample) => {
        const { entrants, superiority } = rate(games(sample), sample.entrants);
        for (const { elo, low, high } of entrants) {
          expect([elo, low, high].every(Number.isFinite)).toBe(true);
          expect(low).toBeLessThanOrEqual(elo);
          expect(high).toBeGreaterThanOrEqual(elo);
        }
        superiority.forEach((row, one) =>
          row.forEach((value, other) => expect(value + superiority[other]![one]!).toBeCloseTo(1, 9)),
        );
      }),
      RUNS,
    );
  });
});

describe("the zero of the scale", () => {
  const even = pairs(0, 1, [
    [1, -1],
    [1, 1],
    [-1, 1],
    [-1, 1],
    [1, -1],
    [0, 0],
    [1, 0],
    [-1, -1],
  ]);
  const third = pairs(2, 1, [
    [1, -1],
    [-1, 1],
    [1, 0],
    [0, 0],
  ]);

  test("is the mean of all entrants", () => {
    const { entrants } = rate([...even, ...third], 3);
    expect(entrants.reduce((sum, { elo }) => sum + elo, 0)).toBeCloseTo(0, 6);
  });

  test("an anchor has its Elo without interval, and moves all others alike", () => {
    const free = rate([...even, ...third], 3);
    const { entrants, superiority } = rate([...even, ...third], 3, { anchor: { entrant: 2, elo: 1500 } });
    expect(entrants[2]!.elo).toBe(1500);
    expect(entrants[2]!.low).toBeCloseTo(1500, 4);
    expect(entrants[2]!.high).toBeCloseTo(1500, 4);
    entrants.forEach(({ elo }, entrant) =>
      expect(elo - entrants[0]!.elo).toBeCloseTo(free.entrants[entrant]!.elo - free.entrants[0]!.elo, 6),
    );
    expect(superiority).toEqual(free.superiority);
  });

  test("who lost everything is left out of the mean and widens nobody's interval", () => {
    const without = rate(even, 2);
    const { entrants } = rate([...even, ...duels([0, 2], { won: 20 }), ...duels([2, 1], { lost: 20 })], 3);
    expect(entrants[0]!.elo + entrants[1]!.elo).toBeCloseTo(0, 6);
    const width = ({ low, high }: { low: number; high: number }) => high - low;
    expect(width(entrants[0]!)).toBeLessThan(1.1 * width(without.entrants[0]!));
    expect(width(entrants[2]!)).toBeGreaterThan(3 * width(entrants[0]!));
  });
});

describe("intervals", () => {
  test("won everything: the inner end is where that had a chance of 2.5%, a block counting once", () => {
    // P^n = 0.025 for n blocks; of two entrants each lies half the difference from their mean.
    const blocks = 30;
    const p = 0.025 ** (1 / blocks);
    const bound = (ELO_SCALE * Math.log(p / (1 - p))) / 2;
    const [winner, loser] = rate(
      pairs(
        0,
        1,
        Array.from({ length: blocks }, () => [1, 1] as const),
      ),
      2,
    ).entrants;
    expect(winner!.low).toBeCloseTo(bound, 4);
    expect(loser!.high).toBeCloseTo(-bound, 4);
    expect(winner!.high - winner!.elo).toBeGreaterThan(400);
  });

  test("won everything among three: the same bound, from coming ahead of each", () => {
    // Entrant 0 against equals 1 and 2: each pair has the same probability, and a block counts as one result.
    const blocks = 40;
    const records = Array.from({ length: blocks }, (_, block) =>
      [
        [0, 1, 2],
        [1, 2, 0],
        [2, 0, 1],
        [0, 2, 1],
        [2, 1, 0],
        [1, 0, 2],
      ].map((seats) =>
        gameRecord({
          seats,
          returns: seats.map((entrant) => (entrant === 0 ? 2 : (entrant + block) % 2)),
          block: `${block}`,
        }),
      ),
    ).flat();
    const p = 0.025 ** (1 / blocks);
    const { entrants } = rate(records, 3);
    expect(entrants[0]!.low - entrants[1]!.elo).toBeCloseTo(ELO_SCALE * Math.log(p / (1 - p)), 3);
  });

  test("one block says as much as the model makes of it, not that all is certain", () => {
    const [one] = rate(pairs(0, 1, [[1, -1]]), 2).entrants;
    expect(one!.high - one!.low).toBeGreaterThan(400);
  });

  test("pairs whose games cancel out narrow the interval, pairs won together widen it", () => {
    const width = (results: readonly (readonly [number, number])[]) => {
      const [one] = rate(pairs(0, 1, results), 2).entrants;
      return one!.high - one!.low;
    };
    const results = (first: readonly [number, number], second: readonly [number, number]) =>
      Array.from({ length: 40 }, (_, block) => (block % 2 === 0 ? first : second));
    const opposed = results([1, -1], [-1, 1]);
    const together = results([1, 1], [-1, -1]);
    expect(width(together)).toBeGreaterThan(3 * width(opposed));
  });

  test("entrants that no game connects have no known difference", () => {
    const played = (one: number, other: number, won: number) => [
      ...duels([one, other], { won, lost: 50 - won }),
      ...duels([other, one], { won: 50 - won, lost: won }),
    ];
    const { entrants, superiority } = rate([...played(0, 1, 30), ...played(2, 3, 45)], 4);
    expect(entrants[0]!.high - entrants[0]!.low).toBeGreaterThan(4000);
    expect(superiority[2]![0]).toBeGreaterThan(0.4);
    expect(superiority[2]![0]).toBeLessThan(0.6);
    expect(superiority[2]![3]).toBeGreaterThan(0.999);
  });
});

describe("unusual sets of games", () => {
  test("no games, one entrant, games of one player", () => {
    expect(rate([], 2).entrants.map(({ elo }) => elo)).toEqual([0, 0]);
    expect(rate([], 1).entrants[0]).toEqual({ elo: 0, low: 0, high: 0 });
    const solo = rate([gameRecord({ seats: [0], returns: [5], block: "b" })], 1);
    expect(solo.firstSeat).toEqual({ elo: 0, low: 0, high: 0 });
  });

  test("an entrant against itself tells of the seats only", () => {
    const self = duels([0, 0], { won: 75, lost: 25 });
    const rating = rate(
      [
        ...self,
        ...pairs(0, 1, [
          [1, -1],
          [-1, 1],
          [1, 0],
          [0, -1],
        ]),
      ],
      2,
    );
    expect(rating.firstSeat.elo).toBeGreaterThan(100);
    expect(Math.abs(rating.entrants[0]!.elo)).toBeLessThan(20);
  });

  test("games of different numbers of players, or of more than six, are refused", () => {
    const mixed = [
      ...duels([0, 1], { won: 1 }),
      gameRecord({ seats: [0, 1, 2], returns: [1, 0, 0], block: "b" }),
    ];
    expect(() => rate(mixed, 3)).toThrow("different numbers of players");
    const seven = gameRecord({ seats: [0, 1, 2, 3, 4, 5, 6], returns: [1, 0, 0, 0, 0, 0, 0], block: "b" });
    expect(() => rate([seven], 7)).toThrow("up to 6 players");
  });
});

describe("the likelihood of superiority at the border", () => {
  /** Of the first of two entrants after games that are blocks of their own. */
  const after = (won: number, lost: number) => rate(duels([0, 1], { won, lost }), 2).superiority[0]![1]!;

  test("after wins alone is that of the sign test with a uniform prior", () => {
    for (const won of [1, 2, 6, 20, 40]) {
      expect(after(won, 0)).toBeCloseTo(1 - 2 ** -(won + 1), 9);
      expect(after(0, won)).toBeCloseTo(2 ** -(won + 1), 9);
    }
  });

  test("is higher after a win more, and than after a loss among them", () => {
    for (let won = 1; won <= 30; won++) {
      expect(after(won, 0)).toBeGreaterThan(after(won - 1, 0));
      expect(after(won, 0)).toBeGreaterThan(after(won - 1, 1));
    }
  });

  test("of an entrant that has met weak ones alone says little about a strong one", () => {
    // 1 is far above 2, which alone has met 0.
    const met = [...duels([1, 2], { won: 40, lost: 2 }), ...duels([0, 2], { won: 5, lost: 0 })];
    const { superiority } = rate(met, 3);
    expect(superiority[0]![2]).toBeGreaterThan(0.95);
    expect(superiority[0]![1]).toBeGreaterThan(0.5);
    expect(superiority[0]![1]).toBeLessThan(0.7);
    for (let one = 0; one < 3; one++)
      for (let other = 0; other < 3; other++)
        expect(superiority[one]![other]! + superiority[other]![one]!).toBeCloseTo(1, 12);
  });
});
