import { expect, test } from "vitest";
import { forecast, simulateRun } from "../../src/arena/forecast.ts";
import { createRandom } from "../../src/base/random.ts";
import { planTournament } from "../../src/arena/plan/config.ts";
import { playTournament } from "../../src/arena/tournament.ts";
import { agon, temporaryFolder, writeInto } from "../support/agon.ts";
import { slowTest } from "../support/thorough.ts";

const config = {
  name: "forecast",
  game: "tic-tac-toe",
  blocks: 20_000,
  openings: { randomPlies: 1 },
  entrants: [
    { name: "random", agent: "random" },
    { name: "greedy", agent: "greedy", evaluator: "open-lines" },
    { name: "search", agent: "alpha-beta", depth: 2, evaluator: "open-lines" },
  ],
};

slowTest(
  "a forecast has the tournament's games, a time that fits its pace, and intervals near those of the whole run",
  async () => {
    const plan = await planTournament(config);
    const found = await forecast(plan, { seconds: 1, workers: 0 });
    expect(found.games).toEqual({ least: 120_000, most: 120_000 });
    expect(found.measured).toBeLessThan(120_000);
    expect(found.seconds!.most * found.gamesPerSecond!).toBeCloseTo(120_000, 3);
    const { report } = await playTournament({ ...plan, blocks: 1000 }, { workers: 0 });
    for (const { name, halfWidth } of found.entrants) {
      const { low, high } = report.entrants.find((one) => one.name === name)!;
      // The whole run has twenty times the games of this one.
      const expected = (high - low) / 2 / Math.sqrt(20);
      expect(halfWidth! / expected).toBeGreaterThan(0.5);
      expect(halfWidth! / expected).toBeLessThan(2);
    }
  },
);

slowTest.each([
  { type: "swiss", rounds: 2 },
  { type: "knockout" },
  { type: "adaptive", confidence: 0.9999 },
] as const)("of several rounds, as $type has, intervals are near those of the whole run", async (format) => {
  const equal = { name: "greedy too", agent: "greedy", evaluator: "open-lines", ties: "first" };
  const entrants = [...config.entrants, equal];
  const plan = await planTournament({ ...config, blocks: 150, entrants, format });
  const found = await forecast(plan, { seconds: 1, workers: 0 });
  const { report } = await playTournament(plan, { workers: 0 });
  if (found.games.expected !== undefined) {
    expect(found.games.expected / report.games).toBeGreaterThan(0.5);
    expect(found.games.expected / report.games).toBeLessThan(2);
  }
  for (const { name, halfWidth } of found.entrants) {
    const { low, high } = report.entrants.find((one) => one.name === name)!;
    expect(halfWidth! / ((high - low) / 2)).toBeGreaterThan(0.4);
    expect(halfWidth! / ((high - low) / 2)).toBeLessThan(2.5);
  }
});

test("simulated games have the spread of their scores, and two equal entrants the interval that follows from it", async () => {
  const blocks = 400;
  const entrants = config.entrants.slice(0, 2);
  const plan = await planTournament({ ...config, blocks, entrants });
  for (const drawRate of [0, 0.5]) {
    const truth = { elo: [0, 0], firstSeatElo: 0, drawRate };
    const { games, halfWidths } = simulateRun(plan, truth, createRandom("forecast", drawRate));
    expect(games).toBe(2 * blocks);
    const error = Math.sqrt((0.25 * (1 - drawRate)) / games);
    // At a score of a half, Elo changes by 4 * 400 / ln 10 for each point; an entrant has half of the difference.
    const expected = (1.96 * error * 4 * 400) / Math.LN10 / 2;
    for (const halfWidth of halfWidths) expect(Math.abs(halfWidth / expected - 1)).toBeLessThan(0.15);
  }
});

test("in a sequential test between unequal entrants few of the games are expected, and copies fill the seats", async () => {
  const format = { type: "sprt", elo0: 0, elo1: 100 } as const;
  const of = async (game: unknown) =>
    planTournament({
      name: "t",
      game,
      blocks: 5000,
      round: 16,
      format,
      entrants: ["random", { name: "b", agent: "random" }],
    });
  const truth = { elo: [200, 0], firstSeatElo: 30, drawRate: 0.2 };
  for (const game of ["tic-tac-toe", { id: "nim", players: 3 }]) {
    const { games, halfWidths } = simulateRun(await of(game), truth, createRandom("forecast"));
    expect(games).toBeLessThan(1000);
    expect(halfWidths[0]).toBeCloseTo(halfWidths[1]!, 6);
  }
});

test("without a measurement nothing is played", async () => {
  const { measured, seconds, entrants } = await forecast(await planTournament(config), { seconds: 0 });
  expect({ measured, seconds }).toEqual({ measured: 0, seconds: undefined });
  expect(entrants).toEqual(config.entrants.map(({ name }) => ({ name })));
});

slowTest("agon plan prints it and leaves nothing behind; a wrong number of seconds is refused", async () => {
  const path = writeInto(temporaryFolder(), "forecast.json", config);
  const { stdout, code } = await agon(["plan", path, "--seconds", "1", "--workers", "1"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^forecast: 3 entrants, round-robin, 120,000 games\n\d+ games\/s with 1 worker: .* \(measured on \d+ games\)\n/,
  );
  expect(stdout).toMatch(/\n {2}greedy: \+\/- \d+\n/);
  expect((await agon(["plan", path, "--seconds", "-1"])).stderr).toContain("--seconds must be a number");
});
