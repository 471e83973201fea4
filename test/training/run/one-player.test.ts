import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { GameRecord } from "../../../src/ratings/record.ts";
import type { TrainingConfig } from "../../../src/training/plan/config.ts";
import { trainFromConfig } from "../../../src/training/run/train.ts";
import { slowTest } from "../../support/thorough.ts";
import { folders, ratedGames, requestOf, TINY } from "../runs.ts";

const newDir = folders();

const CONFIG: TrainingConfig = {
  ...TINY,
  name: "alone",
  game: { id: "2048", height: 3, width: 3 },
  games: 600,
  evaluator: { features: "simple", output: "identity", initial: { value: 100 } },
  learner: { lambda: 0.5, stepSize: { from: 0.1, to: 0.01 }, normalized: true, positions: "afterstates" },
  exploration: { epsilon: 0 },
  openings: { randomPlies: 0 },
  checkpoints: 2,
  rating: {
    pool: ["random", "greedy:evaluator=order"],
    player: "greedy",
    blocks: 60,
    openings: { randomPlies: 0 },
  },
};

/** The games of one entrant: those of the pool are 0 and 1, then come the checkpoints. */
const recordsOf = (records: readonly GameRecord[], entrant: number) =>
  records.filter(({ seats }) => seats[0] === entrant);

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** 60 games each; the intervals are 95%, and do not even touch. */
slowTest(
  "one player: the curve tells the mean return, and how often the pool was outdone on the same blocks",
  async () => {
    const dir = newDir();
    const { curve } = await trainFromConfig(requestOf(dir, CONFIG));
    const all = ratedGames(dir);
    const pool = [...recordsOf(all, 0), ...recordsOf(all, 1)];
    expect(pool).toHaveLength(2 * 60);
    expect(curve.points.map(({ games }) => games)).toEqual([0, 300, 600]);
    for (const [at, { meanReturn, score }] of curve.points.entries()) {
      const records = recordsOf(all, 2 + at);
      expect(records).toHaveLength(60);
      const returns = records.map((record) => record.returns[0]!);
      const average = mean(returns);
      const deviation = Math.sqrt(mean(returns.map((one) => (one - average) ** 2)) * (60 / 59));
      expect(meanReturn.mean).toBeCloseTo(average, 9);
      expect(meanReturn.high - meanReturn.mean).toBeCloseTo((1.959964 * deviation) / Math.sqrt(60), 3);
      expect(meanReturn.mean - meanReturn.low).toBeCloseTo(meanReturn.high - meanReturn.mean, 9);

      // Each block was played by all: a point for each of the pool that got less in it.
      const points = pool.map((other) => {
        const own = records.find(({ block }) => block === other.block)!.returns[0]!;
        return own > other.returns[0]! ? 1 : own === other.returns[0]! ? 0.5 : 0;
      });
      expect(score).toBeCloseTo(mean(points), 9);
    }
    const random = mean(pool.filter(({ seats }) => seats[0] === 0).map(({ returns }) => returns[0]!));
    const [, , trained] = curve.points;
    expect(trained!.meanReturn.low).toBeGreaterThan(1.5 * random);
    expect(trained!.low).toBeGreaterThan(0);
    const csv = readFileSync(join(dir, "curve.csv"), "utf8").trim().split("\n").at(-1)!.split(",");
    expect(Number(csv[5])).toBeCloseTo(trained!.meanReturn.mean, 1);
    const { training } = JSON.parse(readFileSync(join(dir, "weights.json"), "utf8")) as {
      training: { rating: { meanReturn: number } };
    };
    expect(training.rating.meanReturn).toBeCloseTo(trained!.meanReturn.mean, 1);
  },
);

test("everybody plays the same games of chance: two who play alike score alike", async () => {
  const dir = newDir();
  const config: TrainingConfig = {
    ...CONFIG,
    games: 1,
    // No learning to speak of: the checkpoints play alike, and differ by their names alone.
    learner: { lambda: 0, stepSize: 1e-12 },
    checkpoints: 1,
    rating: { ...CONFIG.rating, blocks: 5, player: { agent: "greedy", ties: "first" } },
  };
  await trainFromConfig(requestOf(dir, config));
  const all = ratedGames(dir);
  const [before, after] = [2, 3].map((entrant) =>
    recordsOf(all, entrant)
      .map(({ block, actions }) => ({ block, actions }))
      .toSorted((a, b) => (a.block < b.block ? -1 : 1)),
  );
  expect(after).toEqual(before);
});
