import { describe, expect, test } from "vitest";
import { type EloInterval } from "../../../src/ratings/elo/scale.ts";
import { rate } from "../../../src/ratings/elo/rate.ts";
import type { GameRecord } from "../../../src/ratings/record.ts";
import { createRandom } from "../../../src/base/random.ts";
import { duels } from "../records.ts";
import { populationElo, simulate, type Shared, type Truth } from "../simulate.ts";
import { slowTest } from "../../support/thorough.ts";

/**
 * Sample size: 600 tournaments. Coverage of a 95% interval is counted over the four entrants of each, so its own
 * standard error is at most 0.89% (0.44% if they were independent), and the bounds of 93% and 97% leave out fewer than
 * one honest sample in forty at worst; the seeds are fixed.
 */
const TOURNAMENTS = 600;

const TWO: Truth = { strengths: [0.9, 0.2, -0.3, -0.8], seats: [0.25, -0.25], draws: 0.5 };
const THREE: Truth = { strengths: [0.9, 0.2, -0.3, -0.8], seats: [0.3, 0, -0.3], draws: 0 };
/** Each plays 60 blocks: 3 opponents of 20, or 3 pairs of opponents of 20. */
const BLOCKS = 20;

interface Coverage {
  readonly entrants: number;
  readonly firstSeat: number;
  /**
   * Mean of the estimates less the truth, in Elo, the largest of all entrants. Maximum likelihood stretches a scale by
   * a share that falls with the number of games; here by 4 Elo at the ends (1,000 tournaments).
   */
  readonly bias: number;
}

function coverage(
  truth: Truth,
  shared: Shared,
  { regroup = (game: GameRecord) => game.block, tournaments = TOURNAMENTS } = {},
): Coverage {
  const count = truth.strengths.length;
  const { entrants: elos, firstSeat } = populationElo(truth);
  const covers = ({ low, high }: EloInterval, elo: number) => Number(low <= elo && elo <= high);
  let entrantHits = 0;
  let firstSeatHits = 0;
  const errors = elos.map(() => 0);
  for (let tournament = 0; tournament < tournaments; tournament++) {
    const random = createRandom("coverage", shared, truth.seats.length, tournament);
    const games = simulate(truth, { blocks: BLOCKS, shared, random });
    const rating = rate(
      games.map((game) => ({ ...game, block: regroup(game) })),
      count,
    );
    elos.forEach((elo, entrant) => {
      entrantHits += covers(rating.entrants[entrant]!, elo);
      errors[entrant]! += (rating.entrants[entrant]!.elo - elo) / tournaments;
    });
    firstSeatHits += covers(rating.firstSeat, firstSeat);
  }
  return {
    entrants: entrantHits / (tournaments * count),
    firstSeat: firstSeatHits / tournaments,
    bias: Math.max(...errors.map(Math.abs)),
  };
}

describe.each([
  ["two players", TWO],
  ["three players", THREE],
] as const)("95%% intervals, %s", (_, truth) => {
  slowTest.each(["nothing", "entrants", "seats"] as const)("blocks share %s", (shared) => {
    const { entrants, firstSeat, bias } = coverage(truth, shared);
    expect(entrants).toBeGreaterThan(0.93);
    expect(entrants).toBeLessThan(0.97);
    expect(firstSeat).toBeGreaterThan(0.91);
    expect(firstSeat).toBeLessThan(0.985);
    expect(bias).toBeLessThan(9);
  });

  slowTest("games taken as the unit, the intervals would be wrong: too narrow, or too wide", () => {
    const alone = { regroup: (game: GameRecord) => game.id, tournaments: TOURNAMENTS / 2 };
    expect(coverage(truth, "entrants", alone).entrants).toBeLessThan(0.9);
    expect(coverage(truth, "seats", alone).entrants).toBeGreaterThan(0.975);
  });
});

slowTest("likelihoods of superiority come true as often as they say", () => {
  // Equal entrants: the likelihood of one over the other is uniform on 0..1. 400 tournaments, ten bins of
  // 40 expected: chi-squared with 9 degrees of freedom stays below 21.7 in 99% of samples.
  const truth: Truth = { strengths: [0, 0, 0], seats: [0.25, -0.25], draws: 0.5 };
  const bins = Array.from({ length: 10 }, () => 0);
  for (let tournament = 0; tournament < 400; tournament++) {
    const random = createRandom("superiority", tournament);
    const { superiority } = rate(simulate(truth, { blocks: 30, shared: "entrants", random }), 3);
    bins[Math.min(9, Math.floor(10 * superiority[0]![1]!))]!++;
  }
  const chiSquared = bins.reduce((sum, seen) => sum + (seen - 40) ** 2 / 40, 0);
  expect(chiSquared).toBeLessThan(21.7);
});

describe("the likelihood of superiority of a pair", () => {
  const likelihood = (won: number, drawn: number, lost: number) =>
    rate(duels([0, 1], { won, drawn, lost }), 2).superiority[0]![1]!;
  /** The posterior of wins and losses from a uniform prior: a sum of binomial probabilities. */
  const posterior = (won: number, lost: number) => {
    const n = won + lost + 1;
    let [term, sum] = [0.5 ** n, 0];
    for (let at = 0; at <= lost; at++) {
      sum += term;
      term *= (n - at) / (at + 1);
    }
    return 1 - sum;
  };

  slowTest("never falls where a result is better for the first", () => {
    for (let games = 1; games <= 12; games++)
      for (let won = 0; won < games; won++)
        for (let drawn = 0; won + drawn < games; drawn++) {
          const lost = games - won - drawn;
          const before = likelihood(won, drawn, lost);
          expect(likelihood(won, drawn + 1, lost - 1)).toBeGreaterThanOrEqual(before);
          expect(likelihood(won + 1, drawn, lost - 1)).toBeGreaterThanOrEqual(before);
          if (drawn > 0) expect(likelihood(won + 1, drawn - 1, lost)).toBeGreaterThanOrEqual(before);
        }
  });

  test.each([
    [5, 1],
    [6, 0],
    [2, 1],
    [18, 2],
    [19, 1],
    [20, 0],
    [60, 40],
  ])("is near the exact posterior of %i wins and %i losses", (won, lost) => {
    const [approximate, exact] = [likelihood(won, 0, lost), posterior(won, lost)];
    expect(Math.abs(approximate - exact)).toBeLessThan(0.008);
    expect((1 - approximate) / (1 - exact)).toBeGreaterThan(0.6);
    expect((1 - approximate) / (1 - exact)).toBeLessThan(1.1);
  });
});
