import { describe, expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { NormalDraws } from "../../../src/ratings/beyond/unexplained.ts";
import { blocksOf, type GameRecord } from "../../../src/ratings/record.ts";
import { plainElo } from "../plain-elo.ts";
import { simulate, type Shared, type Truth } from "../simulate.ts";
import { circle } from "./circle.ts";
import { unexplainedOf } from "./unexplained-of.ts";
import { slowTest } from "../../support/thorough.ts";

describe("results that ratings explain", () => {
  /**
   * Sample size: 150 tournaments of each kind. The p-values are uniform, or larger where blocks are few: 15 or more of 150
   * at 0.05 or below come in fewer than 1 of 100 samples. Their mean is 0.5 with a standard error of 0.024.
   */
  const TOURNAMENTS = 150;
  const cases: readonly [string, Truth, number, Shared][] = [
    ["shared dice", { strengths: [1, 0.3, 0, -0.3, -1], seats: [0.1, -0.1], draws: 0 }, 15, "entrants"],
    [
      "a strong first seat",
      { strengths: [1, 0.3, 0, -0.3, -1], seats: [0.75, -0.75], draws: 0 },
      20,
      "nothing",
    ],
    ["one-sided openings", { strengths: [0.8, 0, 0, -0.8], seats: [0.3, -0.3], draws: 0.5 }, 20, "seats"],
  ];
  slowTest.each(cases)("%s: p-values are uniform", (name, truth, count, shared) => {
    const values = Array.from({ length: TOURNAMENTS }, (_, number) => {
      const random = createRandom("explained", name, number);
      return unexplainedOf(simulate(truth, { blocks: count, shared, random }), truth.strengths.length).pValue;
    });
    expect(values.filter((value) => value <= 0.05).length).toBeLessThan(15);
    expect(values.filter((value) => value <= 0.05).length).toBeGreaterThan(0);
    const mean = values.reduce((sum, value) => sum + value, 0) / TOURNAMENTS;
    expect(mean).toBeGreaterThan(0.43);
    expect(mean).toBeLessThan(0.57);
  });

  slowTest("games of three players: too little is found, not too much", () => {
    const truth = { strengths: [1, 0.3, -0.3, -1], seats: [0.2, 0, -0.2], draws: 0 };
    let found = 0;
    for (let number = 0; number < 100; number++) {
      const random = createRandom("three players", number);
      if (unexplainedOf(simulate(truth, { blocks: 15, shared: "nothing", random }), 4).pValue <= 0.05)
        found++;
    }
    expect(found).toBeLessThanOrEqual(5);
  });
});

/**
 * The statistic by its definition, and its p-value by drawing points and fitting plain ratings to them: no first order, no
 * Laplacian. 400 draws: the standard error of a p-value is 2.5% or less, and that of the 2,000 draws 1.1%.
 */
describe("agrees with points that are drawn and rated anew", () => {
  const COUNT = 4;
  const noise = new NormalDraws("plain unexplained");
  const byPair = (games: readonly GameRecord[], one: number, other: number) =>
    blocksOf(games.filter(({ seats }) => seats.includes(one) && seats.includes(other))).map((block) =>
      block.reduce((sum, { seats, returns }) => {
        const [own, rival] = [returns[seats.indexOf(one)]!, returns[seats.indexOf(other)]!];
        return sum + (own > rival ? 1 : own === rival ? 0.5 : 0);
      }, 0),
    );
  const statistic = (score: readonly (readonly number[])[]) => {
    const elo = plainElo(score);
    let sum = 0;
    const all = { expected: score.map(() => [] as number[]), sum: 0 };
    for (let one = 0; one < COUNT; one++)
      for (let other = one + 1; other < COUNT; other++) {
        const games = score[one]![other]! + score[other]![one]!;
        const expected = 1 / (1 + 10 ** ((elo[other]! - elo[one]!) / 400));
        all.expected[one]![other] = expected;
        sum += games * (score[one]![other]! / games - expected) ** 2;
      }
    return { ...all, sum };
  };
  const empty = () => Array.from({ length: COUNT }, () => Array.from({ length: COUNT }, () => 0));

  test.each([0, 1, 2, 3, 4, 5])("tournament %i", (number) => {
    const truth = { strengths: [0.6, 0.2, -0.2, -0.6], seats: [0.1, -0.1], draws: 0.3 };
    const random = createRandom("plain unexplained", number);
    const games = simulate(truth, { blocks: 40, shared: number % 2 ? "entrants" : "nothing", random });
    const score = empty();
    const pairs: { one: number; other: number; games: number; variance: number }[] = [];
    for (let one = 0; one < COUNT; one++)
      for (let other = one + 1; other < COUNT; other++) {
        const points = byPair(games, one, other);
        const sum = points.reduce((total, value) => total + value, 0);
        [score[one]![other], score[other]![one]] = [sum, 2 * points.length - sum];
        const spread = points.reduce((total, value) => total + (value - sum / points.length) ** 2, 0);
        const variance = (points.length * spread) / (points.length - 1);
        pairs.push({ one, other, games: 2 * points.length, variance });
      }
    const seen = statistic(score);
    const scatter = pairs.reduce(
      (sum, { one, other, games: count }) => sum + count * (score[one]![other]! / count - 0.5) ** 2,
      0,
    );
    let [larger, mean] = [0, 0];
    for (let draw = 0; draw < 400; draw++) {
      const drawn = empty();
      for (const { one, other, games: count, variance } of pairs) {
        drawn[one]![other] = count * seen.expected[one]![other]! + Math.sqrt(variance) * noise.next();
        drawn[other]![one] = count - drawn[one]![other]!;
      }
      const { sum } = statistic(drawn);
      mean += sum / 400;
      if (sum >= seen.sum) larger++;
    }
    const found = unexplainedOf(games, COUNT);
    // Normal noise instead of its true size adds a little: 234 degrees of freedom.
    expect(Math.abs(found.pValue - larger / 400)).toBeLessThan(0.1);
    expect(found.noise * scatter).toBeCloseTo(mean, -Math.log10(mean / 2));
    expect(found.share).toBeCloseTo(Math.max(0, seen.sum - found.noise * scatter) / scatter, 3);
  });
});

slowTest("a circle of scores of 60% is found in most of 200 tournaments of 60 blocks", () => {
  let found = 0;
  for (let number = 0; number < 200; number++)
    if (unexplainedOf(circle(createRandom("power", number), 60), 3).pValue < 0.05) found++;
  expect(found).toBeGreaterThan(180);
});
