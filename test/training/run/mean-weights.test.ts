import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadNumbers } from "../../../src/specs/files/weights-file.ts";
import type { TrainingConfig } from "../../../src/training/plan/config.ts";
import { MeanWeights } from "../../../src/training/run/mean-weights.ts";
import { trainFromConfig } from "../../../src/training/run/train.ts";
import { slowTest } from "../../support/thorough.ts";
import { contents, folders, requestOf, TINY } from "../runs.ts";

const newDir = folders();

test("a hundred samples of the last part at most, the last one at the end; each is taken once", () => {
  const mean = new MeanWeights({ games: 1000, average: 0.3 }, 1, 0);
  const points = [];
  for (let games = 1; games <= 1000; games++) {
    if (mean.next() === games) points.push(games);
    for (let again = 0; again < 2; again++) mean.take(games, Float32Array.of(games));
  }
  expect(points).toEqual(Array.from({ length: 100 }, (_, at) => 703 + 3 * at));
  expect(mean.next()).toBe(Infinity);
  expect(mean.weights[0]).toBeCloseTo(points.reduce((sum, point) => sum + point, 0) / 100, 3);
  expect(new MeanWeights({ games: 1000 }, 5, 0)).toMatchObject({ memory: {}, hasBegun: false });
});

const AVERAGED: TrainingConfig = {
  ...TINY,
  games: 30,
  average: 0.5,
  rating: { pool: ["random"], player: "greedy", blocks: 1 },
};

describe.each([undefined, 7])("a training with rounds of %s", (round) => {
  const config = { ...AVERAGED, ...(round && { round }) };

  slowTest("has the mean in the checkpoints of its last part, and learns as ever", async () => {
    const [dir, whole] = [newDir(), newDir()];
    await trainFromConfig(requestOf(dir, config));
    const { average: _, ...plain } = config;
    await trainFromConfig(requestOf(whole, { ...plain, checkpoints: { every: 1 } }));
    const after = (games: number, from = whole) => loadNumbers(join(from, "checkpoints", `${games}.json`));
    expect(after(10, dir)).toEqual(after(10));
    // The part begins with game 15: a sample after each game.
    for (const games of [20, 30]) {
      const samples = Array.from({ length: games - 14 }, (_, at) => after(15 + at));
      const mean = samples[0]!.map(
        (_, at) => samples.reduce((sum, one) => sum + one[at]!, 0) / samples.length,
      );
      const found = after(games, dir);
      expect(found).not.toEqual(after(games));
      for (const [at, weight] of found.entries()) expect(weight).toBeCloseTo(mean[at]!, 5);
    }
    expect(loadNumbers(join(dir, "weights.json"))).toEqual(after(30, dir));
  });

  slowTest("killed at any moment and resumed, ends with the same files, to the last bit", async () => {
    const undisturbed = newDir();
    let moments = 0;
    await trainFromConfig(requestOf(undisturbed, config, { onProgress: () => moments++ }));
    for (let moment = 3; moment < moments; moment += 3) {
      const dir = newDir();
      let told = 0;
      const onProgress = () => {
        if (told++ === moment) throw new Error("killed");
      };
      await expect(trainFromConfig(requestOf(dir, config, { onProgress }))).rejects.toThrow("killed");
      await trainFromConfig(requestOf(dir, config, { resume: true }));
      expect(contents(dir)).toEqual(contents(undisturbed));
    }
  });
});
