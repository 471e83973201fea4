import { describe, expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { findGroups } from "../../../src/ratings/counts/groups.ts";
import { countHeadToHead } from "../../../src/ratings/counts/head-to-head.ts";
import { tallyGames } from "../../../src/ratings/counts/tally.ts";
import { ADVANTAGE_SD_ELO, STRENGTH_SD_ELO } from "../../../src/ratings/elo/pairings.ts";
import { rate } from "../../../src/ratings/elo/rate.ts";
import { ELO_SCALE, normalBelow, Z95, type EloInterval } from "../../../src/ratings/elo/scale.ts";
import { blocksOf, type GameRecord } from "../../../src/ratings/record.ts";
import { inverted, product } from "../plain-matrix.ts";
import { pairs, randomGames } from "../records.ts";
import { slowTest } from "../../support/thorough.ts";

/** A comparison of two numbers: entrants or seats. */
interface Compared {
  readonly one: number;
  readonly other: number;
  /** 1, a half or 0 for `one`. */
  readonly result: number;
}

/** The comparisons of a game: every two of its seats. */
function compare({ seats, returns }: GameRecord, by: "entrant" | "seat"): Compared[] {
  const all = seats.flatMap((_, seat) =>
    seats.slice(seat + 1).map((__, at) => [seat, seat + 1 + at] as const),
  );
  return all
    .map(([a, b]) => ({
      one: by === "seat" ? a : seats[a]!,
      other: by === "seat" ? b : seats[b]!,
      result: returns[a]! > returns[b]! ? 1 : returns[a]! < returns[b]! ? 0 : 0.5,
    }))
    .filter(({ one, other }) => one !== other);
}

/**
 * The covariance of fitted numbers as docs/ratings.md writes it, in natural units: one comparison after the other, whole matrices.
 */
function plainCovariance(blocks: readonly (readonly Compared[])[], values: readonly number[], sd: number) {
  const zeros = () => values.map(() => values.map(() => 0));
  const [information, meat] = [zeros(), zeros()];
  const played = values.map(
    (_, at) => blocks.filter((all) => all.some((one) => [one.one, one.other].includes(at))).length,
  );
  for (const matrix of [information, meat])
    for (const at of values.keys()) matrix[at]![at] = (ELO_SCALE / sd) ** 2;
  const addDifference = (matrix: number[][], one: number, other: number, weight: number) => {
    for (const [row, column, sign] of [
      [one, one, 1],
      [other, other, 1],
      [one, other, -1],
      [other, one, -1],
    ] as const)
      matrix[row]![column]! += sign * weight;
  };
  for (const block of blocks) {
    const gradient = values.map(() => 0);
    for (const { one, other, result } of block) {
      const expected = 1 / (1 + Math.exp(values[other]! - values[one]!));
      gradient[one]! += result - expected;
      gradient[other]! -= result - expected;
      const amount = expected * (1 - expected);
      addDifference(information, one, other, amount);
      addDifference(meat, one, other, amount / Math.min(played[one]!, played[other]!));
    }
    for (const row of values.keys())
      for (const column of values.keys()) meat[row]![column]! += gradient[row]! * gradient[column]!;
  }
  const inverse = inverted(information);
  return product(product(inverse, meat), inverse);
}

/** Half the width of the interval of a sum of numbers with weights, in Elo. */
function margin(covariance: readonly (readonly number[])[], weights: readonly number[]): number {
  const variance = weights.reduce(
    (sum, weight, row) =>
      sum + weights.reduce((part, other, column) => part + weight * other * covariance[row]![column]!, 0),
    0,
  );
  return Z95 * ELO_SCALE * Math.sqrt(variance);
}

const half = ({ elo, high }: EloInterval) => high - elo;

describe.each([
  { entrants: 3, seats: 2, games: 60 },
  { entrants: 5, seats: 2, games: 150 },
  { entrants: 4, seats: 3, games: 80 },
  { entrants: 5, seats: 4, games: 60 },
])("$entrants entrants, $seats seats", (size) => {
  const records = [0, 1, 2].map((set) =>
    randomGames(createRandom("spread", size.entrants, size.seats, set), size),
  );

  test("intervals and likelihoods of superiority are those of the formula, summed game by game", () => {
    for (const games of records) {
      // All entrants are the zero.
      expect(findGroups(tallyGames(games, size.entrants)).bounded).toHaveLength(1);
      const { entrants, superiority } = rate(games, size.entrants);
      const values = entrants.map(({ elo }) => elo / ELO_SCALE);
      const blocks = blocksOf(games).map((block) => block.flatMap((game) => compare(game, "entrant")));
      const covariance = plainCovariance(blocks, values, STRENGTH_SD_ELO);
      entrants.forEach((rating, entrant) => {
        const weights = values.map((_, at) => (at === entrant ? 1 : 0) - 1 / size.entrants);
        expect(half(rating)).toBeCloseTo(margin(covariance, weights), 4);
        for (let other = 0; other < entrant; other++) {
          const pair = values.map((_, at) => (at === entrant ? 1 : at === other ? -1 : 0));
          // The signed root of the likelihood ratio in place of the difference.
          const p = 1 / (1 + 10 ** ((entrants[other]!.elo - rating.elo) / 400));
          const entropy = -p * Math.log(p) - (1 - p) * Math.log(1 - p);
          const root = Math.sqrt((2 * (Math.LN2 - entropy)) / (p * (1 - p)));
          const z = (Z95 * ELO_SCALE * Math.sign(p - 0.5) * root) / margin(covariance, pair);
          expect(superiority[entrant]![other]).toBeCloseTo(normalBelow(z), 6);
        }
      });
    }
  });

  test("so is the interval of the first seat", () => {
    for (const games of records) {
      const { firstSeat } = rate(games, size.entrants);
      const blocks = blocksOf(games).map((block) => block.flatMap((game) => compare(game, "seat")));
      const values = climb(blocks.flat(), size.seats);
      const weights = values.map((_, seat) => (seat === 0 ? 1 : -1 / (size.seats - 1)));
      expect(firstSeat.elo).toBeCloseTo(
        ELO_SCALE * weights.reduce((sum, weight, at) => sum + weight * values[at]!, 0),
        3,
      );
      expect(half(firstSeat)).toBeCloseTo(
        margin(plainCovariance(blocks, values, ADVANTAGE_SD_ELO), weights),
        3,
      );
    }
  });

  test("z of a pair is its lead in roots of the sum of its squared leads, block by block", () => {
    for (const games of records) {
      const { z } = countHeadToHead(tallyGames(games, size.entrants));
      for (let one = 0; one < size.entrants; one++)
        for (let other = 0; other < size.entrants; other++) {
          const leads = blocksOf(games).map((block) =>
            block
              .flatMap((game) => compare(game, "entrant"))
              .reduce(
                (sum, { one: a, other: b, result }) =>
                  sum +
                  (a === one && b === other ? 2 * result - 1 : a === other && b === one ? 1 - 2 * result : 0),
                0,
              ),
          );
          const squares = leads.reduce((sum, lead) => sum + lead * lead, 0);
          const expected =
            squares === 0 ? 0 : leads.reduce((sum, lead) => sum + lead, 0) / Math.sqrt(squares);
          expect(z[one * size.entrants + other]).toBeCloseTo(expected, 10);
        }
    }
  });
});

/** The advantages of seats with their prior, by plain gradient ascent. */
function climb(all: readonly Compared[], count: number): number[] {
  const values = Array.from({ length: count }, () => 0);
  const prior = (ELO_SCALE / ADVANTAGE_SD_ELO) ** 2;
  for (let step = 0; step < 3000; step++) {
    const slope = values.map((value) => 0 - prior * value);
    for (const { one, other, result } of all) {
      const missing = result - 1 / (1 + Math.exp(values[other]! - values[one]!));
      slope[one]! += missing;
      slope[other]! -= missing;
    }
    slope.forEach((value, at) => (values[at]! += value / all.length));
  }
  return values;
}

/**
 * Entrants 1 and 2 are equal; blocks are two independent games. Of 600 tournaments at most 2.5% may have a lower end above the
 * truth; more than 4.5% would come in fewer than one sample of 300.
 */
slowTest.each([300, 500, 700])(
  "an entrant %i Elo above the others: its lower end is above that in few tournaments",
  (lead) => {
    const chance = 1 / (1 + 10 ** (-lead / 400));
    let [above, unbeaten] = [0, 0];
    for (let number = 0; number < 600; number++) {
      const random = createRandom("unbeaten", lead, number);
      const result = (p: number) => (random.float() < p ? 1 : -1);
      const blocks = (one: number, other: number, p: number, count: number) =>
        pairs(
          one,
          other,
          Array.from({ length: count }, () => [result(p), result(p)] as const),
        );
      const games = [...blocks(0, 1, chance, 8), ...blocks(0, 2, chance, 8), ...blocks(1, 2, 0.5, 40)];
      if (!findGroups(tallyGames(games, 3)).wonAll[0]) continue;
      unbeaten++;
      if (rate(games, 3).entrants[0]!.low > lead) above++;
    }
    expect(above / 600).toBeLessThan(0.045);
    if (lead >= 500) expect(unbeaten).toBeGreaterThan(50);
  },
);
