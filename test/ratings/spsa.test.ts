import { describe, expect, test } from "vitest";
import { createRandom, type Random } from "../../src/base/random.ts";
import { Spsa, type SpsaRule, type TunedNumber } from "../../src/ratings/spsa.ts";
import { slowTest, thorough } from "../support/thorough.ts";

const NUMBER: TunedNumber = { start: 3, min: -10, max: 10, step: 1, isWhole: false };
const RULE: Omit<SpsaRule, "seed"> = { numbers: [NUMBER], rounds: 63, pairs: 8, rate: 0.02 };
const BLOCKS = 4;
const DRAWS = 0.3;

/** Wins less losses in a block of two games, by the Elo of the first player over the second one. */
function playBlock(random: Random, elo: number): number {
  const score = 1 / (1 + 10 ** (-elo / 400));
  const draws = Math.min(DRAWS, 2 * score, 2 * (1 - score));
  let sum = 0;
  for (let game = 0; game < 2; game++) {
    const drawn = random.float();
    if (drawn < score - draws / 2) sum++;
    else if (drawn >= score + draws / 2) sum--;
  }
  return sum / 2;
}

/** Tunes on a landscape of Elo. Each round knows the results of all rounds but the last two. */
function tune(rule: SpsaRule, eloOf: (values: readonly number[]) => number): Spsa {
  const spsa = new Spsa(rule);
  const random = createRandom(rule.seed, "games");
  const play = (number: number) =>
    spsa.perturb(number).map(({ plus, minus }) => {
      let sum = 0;
      for (let block = 0; block < BLOCKS; block++) sum += playBlock(random, eloOf(plus) - eloOf(minus));
      return sum;
    });
  let out = play(0);
  for (let number = 1; number < rule.rounds; number++) {
    const next = play(number);
    spsa.add(out);
    out = next;
  }
  spsa.add(out);
  return spsa;
}

/** Elo that depend on the distance from an optimum at 0, in steps: a parabola, and a hill with flat surroundings. */
const LANDSCAPES = {
  parabola: (square: number) => -10 * square,
  hill: (square: number) => 400 / (1 + square / 40),
} as const;

describe("planted optima", () => {
  const runs = thorough(400, 40);
  for (const [name, landscape] of Object.entries(LANDSCAPES)) {
    // 2016 blocks, 4032 games. The start is 3 steps away from the optimum.
    for (const [dimension, within] of [
      [1, 5],
      [2, 5],
      [8, 8],
    ] as const) {
      test(`a ${name} in dimension ${dimension}: at least 95% of ${runs} tunings end within ${within} Elo`, () => {
        const eloOf = (values: readonly number[]) =>
          landscape(values.reduce((sum, value) => sum + value * value, 0));
        const start = 3 / Math.sqrt(dimension);
        const numbers = Array.from({ length: dimension }, (_, at) => {
          return { ...NUMBER, start: at % 2 === 0 ? start : -start };
        });
        const losses = Array.from({ length: runs }, (_, run) => {
          const { answer } = tune({ ...RULE, numbers, seed: `${name} ${dimension} ${run}` }, eloOf);
          return landscape(0) - eloOf(answer.map(({ value }) => value));
        });
        expect(landscape(0) - eloOf(numbers.map((one) => one.start))).toBeGreaterThan(70);
        expect(losses.filter((loss) => loss < within).length).toBeGreaterThanOrEqual(0.95 * runs);
      });
    }
  }

  test("an optimum beyond a bound: the tuning ends near the bound and inside", () => {
    const { answer, path } = tune(
      { ...RULE, numbers: [{ ...NUMBER, max: 5 }], seed: "bound" },
      ([value]) => -10 * (value! - 8) ** 2,
    );
    expect(answer[0]!.value).toBeGreaterThan(4.5);
    for (const [value] of path) expect(value).toBeLessThanOrEqual(5);
  });

  test("a whole number", () => {
    const numbers = [{ ...NUMBER, start: 6, isWhole: true }];
    const { answer } = tune({ ...RULE, numbers, seed: "whole" }, ([value]) => -10 * (value! - 2) ** 2);
    expect(answer[0]!.value).toBe(2);
  });
});

slowTest("the mean move is the gradient on a linear landscape, near bounds and for whole numbers too", () => {
  const slopes = [0.01, -0.02, 0.03];
  const numbers = [
    NUMBER,
    { ...NUMBER, start: 9.9, step: 0.4 },
    { ...NUMBER, start: 2.3, step: 0.7, isWhole: true },
  ];
  const runs = 4000;
  const moves = Array.from({ length: runs }, (_, run) => {
    const spsa = new Spsa({ numbers, rounds: 1, pairs: 1, rate: 1, seed: `linear ${run}` });
    const [{ plus, minus }] = spsa.perturb(0) as [{ plus: number[]; minus: number[] }];
    spsa.add([slopes.reduce((sum, slope, at) => sum + slope * (plus[at]! - minus[at]!), 0)]);
    return spsa.path[1]!.map((value, at) => value - numbers[at]!.start);
  });
  for (const [at, { step }] of numbers.entries()) {
    const mean = moves.reduce((sum, move) => sum + move[at]!, 0) / runs;
    const variance = moves.reduce((sum, move) => sum + (move[at]! - mean) ** 2, 0) / runs;
    expect(Math.abs(mean - 2 * slopes[at]! * step ** 2)).toBeLessThan(4 * Math.sqrt(variance / runs));
  }
});

slowTest(
  "perturbations stay within the bounds, whole numbers are whole, and the two sides are a distance apart",
  () => {
    const numbers = [
      { ...NUMBER, start: 10 },
      { ...NUMBER, start: -9.9, isWhole: true },
      { start: 0.1, min: 0, max: 1, step: 5, isWhole: false },
    ];
    const spsa = new Spsa({ ...RULE, numbers, seed: "bounds" });
    for (let number = 0; number < RULE.rounds; number++) {
      const distance = (RULE.rounds / (number + 1)) ** 0.101;
      for (const { plus, minus } of spsa.perturb(number)) {
        for (const side of [plus, minus]) {
          for (const [at, { min, max }] of numbers.entries()) {
            expect(side[at]).toBeGreaterThanOrEqual(min);
            expect(side[at]).toBeLessThanOrEqual(max);
          }
          expect(Number.isInteger(side[1])).toBe(true);
        }
        expect(Math.abs(plus[0]! - minus[0]!)).toBeCloseTo(2 * distance, 4);
        expect([plus[2]!, minus[2]!].toSorted((a, b) => a - b)).toEqual([0, 1]);
      }
    }
  },
);

test("gains are those of Spall: in the last round a won block moves a number by rate times step", () => {
  const spsa = new Spsa({ ...RULE, rounds: 10, pairs: 1, rate: 0.01, seed: "gains" });
  const moves = Array.from({ length: 10 }, (_, number) => {
    const { plus, minus } = spsa.perturb(number)[0]!;
    const before = spsa.path.at(-1)![0]!;
    spsa.add([1]);
    return { distance: Math.abs(plus[0]! - minus[0]!) / 2, move: Math.abs(spsa.path.at(-1)![0]! - before) };
  });
  for (const [number, { distance, move }] of moves.entries()) {
    const c = (number + 1) ** -0.101 / 10 ** -0.101;
    const a = (1 + number + 1) ** -0.602 / 11 ** -0.602;
    expect(distance).toBeCloseTo(c, 4);
    // A move of Spall is a times the slope, which is the result divided by c.
    expect(move).toBeCloseTo((0.01 * a) / c, 6);
  }
});

slowTest("the noise is the spread of a number that does not matter", () => {
  const runs = 3000;
  const numbers = [
    { ...NUMBER, start: 0 },
    { ...NUMBER, start: 0, step: 0.1 },
  ];
  const spreads = Array.from({ length: runs }, (_, run) =>
    tune({ ...RULE, rounds: 30, numbers, seed: `flat ${run}` }, () => 0).answer.map(
      ({ value, noise }) => value / noise,
    ),
  );
  for (const at of numbers.keys()) {
    const mean = spreads.reduce((sum, spread) => sum + spread[at]!, 0) / runs;
    const variance = spreads.reduce((sum, spread) => sum + (spread[at]! - mean) ** 2, 0) / (runs - 1);
    // The standard error of a variance of 1 is the root of 2 / runs.
    expect(Math.abs(mean)).toBeLessThan(4 / Math.sqrt(runs));
    expect(Math.abs(variance - 1)).toBeLessThan(4 * Math.sqrt(2 / runs));
  }
});

test("the values are a function of the rule and the results", () => {
  const eloOf = ([value]: readonly number[]) => -10 * value! ** 2;
  const rule = { ...RULE, seed: "same" };
  expect(tune(rule, eloOf).path).toEqual(tune(rule, eloOf).path);
  expect(tune({ ...rule, seed: "other" }, eloOf).path).not.toEqual(tune(rule, eloOf).path);
});
