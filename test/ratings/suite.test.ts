import { describe, expect, test } from "vitest";
import { createRandom } from "../../src/base/random.ts";
import { createReport } from "../../src/ratings/report.ts";
import { rateSuite } from "../../src/ratings/suite.ts";
import { slowTest } from "../support/thorough.ts";
import { populationElo, simulate } from "./simulate.ts";

const entrant = (name: string, elo: number, half: number) => ({
  name,
  elo,
  low: elo - half,
  high: elo + half,
});
const game = (label: string, ...entrants: readonly ReturnType<typeof entrant>[]) => ({
  label,
  report: { entrants, games: 10 } as never,
});

describe("ratings of several games", () => {
  test("the mean of ratings, each game counting the same; independent intervals add by squares", () => {
    const rated = rateSuite([
      game("one", entrant("a", 100, 30), entrant("b", -100, 10)),
      game("two", entrant("b", 40, 10), entrant("a", -40, 40)),
    ]);
    expect(rated.map(({ rank, name, elo }) => [rank, name, elo])).toEqual([
      [1, "a", 30],
      [2, "b", -30],
    ]);
    expect(rated[0]!.high - rated[0]!.elo).toBeCloseTo(Math.hypot(30, 40) / 2, 10);
    expect(rated[1]!.elo - rated[1]!.low).toBeCloseTo(Math.hypot(10, 10) / 2, 10);
    expect(rated[0]!.games.map(({ elo }) => elo)).toEqual([100, -40]);
  });

  test("is the geometric mean of the odds: games won 10 to 1 and lost 10 to 1 are level", () => {
    const half = (400 * Math.log10(10)) / 2;
    const rated = rateSuite([
      game("won", entrant("a", half, 1), entrant("b", -half, 1)),
      game("lost", entrant("b", half, 1), entrant("a", -half, 1)),
    ]);
    expect(rated.map(({ name, elo }) => [name, elo])).toEqual([
      ["a", 0],
      ["b", 0],
    ]);
  });

  slowTest("95% intervals have the true mean in 95% of 400 simulated suites of three games", () => {
    const random = createRandom("suite");
    const entrants = ["a", "b", "c", "d"];
    const seats = [0.2, -0.2];
    const truths = [
      [0.9, 0.3, -0.2, -1],
      [-0.5, 0.4, 0, 0.1],
      [2, 0, -1, -1],
    ].map((strengths) => ({ strengths, seats, draws: 0.2 }));
    const ratings = truths.map((truth) => populationElo(truth).entrants);
    const runs = 400;
    let covered = 0;
    for (let run = 0; run < runs; run++) {
      const games = truths.map((truth, at) => {
        // The games have different numbers of blocks, and count the same.
        const records = simulate(truth, { blocks: 20 + 10 * at, shared: "nothing", random });
        return { label: String(at), report: createReport({ game: "simulated", entrants, records }) };
      });
      for (const { name, low, high } of rateSuite(games)) {
        const elos = ratings.map((elo) => elo[entrants.indexOf(name)]!);
        const elo = elos.reduce((sum, one) => sum + one, 0) / elos.length;
        if (low <= elo && elo <= high) covered++;
      }
    }
    // The standard error is 0.0054 if the entrants of a run are independent.
    expect(Math.abs(covered / runs / entrants.length - 0.95)).toBeLessThan(0.025);
  });
});
