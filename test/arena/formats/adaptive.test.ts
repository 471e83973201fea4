import { expect, test } from "vitest";
import { planTournament } from "../../../src/arena/plan/config.ts";
import { reportRun } from "../../../src/arena/results/runs.ts";
import { playTournament } from "../../../src/arena/tournament.ts";
import { agon, temporaryFolder, writeInto } from "../../support/agon.ts";
import { storedGames, timeless } from "../../support/stored-games.ts";
import { slowTest } from "../../support/thorough.ts";

const CONFIG = {
  name: "adaptive",
  game: "tic-tac-toe",
  seed: "adaptive",
  blocks: 60,
  round: 12,
  openings: { randomPlies: 2 },
  entrants: ["random", "mcts:simulations=2", "mcts:simulations=4", "mcts:simulations=40"],
};

const planOf = async (format: object = {}, change: object = {}) =>
  planTournament({ ...CONFIG, format: { type: "adaptive", ...format }, ...change } as never);

slowTest(
  "an adaptive tournament is the same after a stop, and at two workers; neighbours that are near play more",
  async () => {
    const format = { type: "adaptive", confidence: 0.999, share: 0.5 };
    const plan = await planOf(format);
    const whole = await playTournament(plan, { workers: 0 });
    const outDir = temporaryFolder();
    const stop = new AbortController();
    const part = await playTournament(plan, {
      outDir,
      workers: 0,
      signal: stop.signal,
      onProgress: ({ done }) => done > 80 && stop.abort(),
    });
    expect(part.complete).toBe(false);
    const path = writeInto(temporaryFolder(), "adaptive.json", { ...CONFIG, format });
    const { code } = await agon(["run", path, "--out", outDir, "--resume", "--workers", "2", "-q"]);
    expect(code).toBe(0);
    expect(storedGames(outDir)).toEqual(whole.records.map(timeless));
    const { stdout } = await agon(["rate", outDir]);
    expect(stdout).toContain("Pairings were chosen by results; the intervals allow for it.");
    expect(reportRun(plan, whole.records).allowsForChoice).toBe(true);

    const games = (one: number, other: number) =>
      whole.records.filter(({ seats }) => seats.includes(one) && seats.includes(other)).length;
    expect(games(1, 2)).toBeGreaterThan(games(0, 3));
    expect(whole.records.length).toBeLessThanOrEqual(6 * 60 * 2 * 0.5);
  },
);

slowTest("it is over when all neighbours are told apart, or when its games are used up", async () => {
  const clear = await playTournament(
    await planOf({ confidence: 0.9 }, { entrants: ["random", "mcts:simulations=4", "mcts:simulations=400"] }),
    { workers: 0 },
  );
  expect(clear.complete).toBe(true);
  expect(clear.records.length).toBeLessThan(3 * 60 * 2);
  const equal = await playTournament(
    await planOf(
      { share: 0.3 },
      { entrants: ["mcts:simulations=5", "mcts:simulations=6", "mcts:simulations=7"] },
    ),
    { workers: 0 },
  );
  expect(equal.records).toHaveLength(3 * 60 * 2 * 0.3);
});

test.each<[string, object, object, RegExp]>([
  [
    "two entrants",
    {},
    { entrants: ["random", "mcts:simulations=4"] },
    /adaptive needs three entrants or more; sprt compares two/,
  ],
  [
    "a game of three",
    {},
    { game: { id: "chinese-checkers", players: 3 } },
    /adaptive needs games of two players; this one has 3/,
  ],
  ["a share above 1", { share: 2 }, {}, /share/],
])("%s are refused", async (_, format, change, message) => {
  await expect(planOf(format, change)).rejects.toThrow(message);
});
