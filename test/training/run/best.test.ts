import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { createGame } from "../../../src/games/index.ts";
import { loadLayersModel } from "../../../src/specs/files/layers-model-file.ts";
import { loadHeader, loadStored } from "../../../src/specs/files/weights-file.ts";
import type { TrainingConfig } from "../../../src/training/plan/config.ts";
import { trainFromConfig } from "../../../src/training/run/train.ts";
import type { TrainingProgress } from "../../../src/training/run/times.ts";
import { contents, folders, requestOf, TINY, weightsOf } from "../runs.ts";
import { slowTest } from "../../support/thorough.ts";

const newDir = folders();

/** Steps that grow until everything that was learnt is lost again. */
const SPOILT: TrainingConfig = {
  ...TINY,
  games: 4000,
  learner: { lambda: 0.5, stepSize: { from: 0.02, to: 20, shape: "exponential" } },
  checkpoints: 12,
  rating: { ...TINY.rating, blocks: 25 },
};

const checkpoint = (dir: string, games: number) => join(dir, "checkpoints", `${games}.json`);

describe("a training that spoils what it learnt", () => {
  slowTest(
    "keeps the checkpoint with the highest rating as best.json, and delivers the last one",
    async () => {
      const dir = newDir();
      const { curve, weightsPath } = await trainFromConfig(requestOf(dir, SPOILT));
      const { points } = curve;
      expect(points).toHaveLength(13);
      const best = points.reduce((one, other) => (other.elo >= one.elo ? other : one));
      const last = points.at(-1)!;
      // It did get better, and worse again.
      expect(best.low).toBeGreaterThan(points[0]!.high);
      expect(best.low).toBeGreaterThan(last.high);

      expect(weightsOf(join(dir, "best.json"))).toEqual(weightsOf(checkpoint(dir, best.games)));
      expect(weightsOf(weightsPath!)).toEqual(weightsOf(checkpoint(dir, last.games)));
      for (const [path, point] of [
        [join(dir, "best.json"), best],
        [weightsPath!, last],
      ] as const) {
        const { training } = loadHeader(path);
        const before = loadHeader(checkpoint(dir, point.games)).training;
        expect(training).toMatchObject({ ...before, rating: { elo: Math.round(point.elo) } });
        expect(training["games"]).toBe(point.games);
      }
    },
  );

  slowTest(
    "with patience stops when so many checkpoints in a row were worse, and delivers the best",
    async () => {
      const dir = newDir();
      const config = { ...SPOILT, patience: 3 };
      const result = await trainFromConfig(requestOf(dir, config));
      expect(result).toMatchObject({ finished: true, stoppedEarly: true, bestPath: join(dir, "best.json") });
      const { points } = result.curve;
      const elos = points.map(({ elo }) => elo);
      const best = elos.lastIndexOf(Math.max(...elos));
      // Three worse ones after the best, and never three before.
      expect(points.length - 1 - best).toBe(3);
      expect(points.length).toBeLessThan(13);
      for (let end = 1; end < points.length; end++) {
        const sofar = elos.slice(0, end);
        expect(end - 1 - sofar.lastIndexOf(Math.max(...sofar))).toBeLessThan(3);
      }
      const { games } = points[best]!;
      expect(result.games).toBe(points.at(-1)!.games);
      expect(result.weightsGames).toBe(games);
      for (const path of [result.weightsPath!, join(dir, "best.json")]) {
        expect(weightsOf(path)).toEqual(weightsOf(checkpoint(dir, games)));
        expect(loadHeader(path).training.games).toBe(games);
      }

      const before = contents(dir);
      const told: TrainingProgress[] = [];
      await trainFromConfig(
        requestOf(dir, config, { resume: true, onProgress: (progress) => told.push(progress) }),
      );
      expect(told.filter(({ phase }) => phase === "training")).toEqual([]);
      expect(contents(dir)).toEqual(before);
    },
  );
});

slowTest("a network's layers model holds the weights that are delivered", async () => {
  const dir = newDir();
  const config: TrainingConfig = {
    ...SPOILT,
    games: 400,
    evaluator: { kind: "network", features: "lines", hidden: [4] },
    learner: { rule: "lambda-returns", lambda: 0.5, stepSize: { from: 0.01, to: 10, shape: "exponential" } },
    checkpoints: 6,
    patience: 1,
  };
  const { weightsPath, curve } = await trainFromConfig(requestOf(dir, config));
  const delivered = loadHeader(weightsPath!).training.games;
  expect(delivered).toBeLessThan(curve.points.at(-1)!.games);
  const { weights } = JSON.parse(readFileSync(weightsPath!, "utf8")) as { weights: number[] };
  const model = Object.entries(contents(dir)).find(([name]) => name.endsWith(".bin"))![1] as string;
  const bytes = Buffer.from(model, "latin1");
  const stored = Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(4 * at));
  expect(stored).toEqual(weights.map(Math.fround));
});

slowTest("a policy is delivered as the second output of a layers model", async () => {
  const dir = newDir();
  const { weightsPath } = await trainFromConfig(
    requestOf(dir, {
      ...TINY,
      game: "connect-four",
      games: 8,
      round: 4,
      checkpoints: 1,
      evaluator: { kind: "network", features: "fours", hidden: [4], policy: true },
      learner: { rule: "expert", stepSize: 0.01, batch: 20, window: 1000, search: "alpha-beta:depth=1" },
      rating: { ...TINY.rating, pool: ["random"], blocks: 1 },
    }),
  );
  const stored = loadStored(weightsPath!, createGame("connect-four"));
  const model = loadLayersModel(join(dir, "model.json"));
  expect(model.logits).toBe(7);
  expect({ model: stored.model, network: model }).toEqual(stored);
});
