import { expect, test } from "vitest";
import { createRandom } from "../../src/base/random.ts";
import { meanReturns } from "../../src/ratings/mean-return.ts";
import { gameRecord, pairs, randomGames, shuffled } from "./records.ts";

test("blocks are the sample: each counts once, with the mean of its games", () => {
  // Blocks of entrant 0: (1 + 1) / 2, (1 - 1) / 2 and 1; mean 2/3, variance 1/3, three blocks.
  const records = [
    ...pairs(0, 1, [
      [1, 1],
      [1, -1],
    ]),
    gameRecord({ seats: [0, 1], returns: [1, -1], block: "alone" }),
  ];
  const [one, other] = meanReturns(records, 2);
  expect(one!.mean).toBeCloseTo(2 / 3, 12);
  expect(one!.high - one!.mean).toBeCloseTo(1.959964 * Math.sqrt(1 / 3 / 3), 5);
  expect(one!.mean - one!.low).toBeCloseTo(one!.high - one!.mean, 12);
  expect(other!.mean).toBeCloseTo(-2 / 3, 12);
});

test("one block has no interval, no game no mean", () => {
  const [one, , idle] = meanReturns([gameRecord({ seats: [0, 1], returns: [3, -3], block: "b" })], 3);
  expect(one).toEqual({ mean: 3, low: -Infinity, high: Infinity });
  expect(idle).toEqual({ mean: 0, low: -Infinity, high: Infinity });
});

test("the order of the records changes no bit", () => {
  const random = createRandom("mean return");
  const records = randomGames(random, { entrants: 4, seats: 3, games: 60 }).map((game) => ({
    ...game,
    returns: game.returns.map((value) => value / 3),
  }));
  expect(meanReturns(shuffled(records, random), 4)).toEqual(meanReturns(records, 4));
});

/** 400 samples of 30 blocks: the standard error of the coverage is 1.1%. */
test("the interval covers the truth in about 95% of cases, though games of a block hang together", () => {
  const random = createRandom("mean return", "coverage");
  let covered = 0;
  for (let sample = 0; sample < 400; sample++) {
    const records = Array.from({ length: 30 }, (_, block) => {
      const shared = random.float();
      return [0, 1].map(() =>
        gameRecord({ seats: [0], returns: [shared + 0.1 * random.float()], block: `${block}` }),
      );
    }).flat();
    const { low, high } = meanReturns(records, 1)[0]!;
    if (low <= 0.55 && 0.55 <= high) covered++;
  }
  expect(covered / 400).toBeGreaterThan(0.91);
  expect(covered / 400).toBeLessThan(0.98);
});
