import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { LinearEvaluator } from "../../../src/evaluators/linear.ts";
import { loadWeights } from "../../../src/specs/files/weights-file.ts";
import { createGame } from "../../../src/games/index.ts";
import { formatCurveTable } from "../../../src/training/curve/formats.ts";
import type { TrainingConfig } from "../../../src/training/plan/config.ts";
import { DivergenceError } from "../../../src/training/learn/learner.ts";
import { trainFromConfig, type TrainingRequest } from "../../../src/training/run/train.ts";
import type { TrainingProgress } from "../../../src/training/run/times.ts";
import { contents, folders, requestOf, TINY, weightsOf } from "../runs.ts";
import { walkFamily } from "../walk.ts";
import { slowTest } from "../../support/thorough.ts";

const newDir = folders();

const WALKERS: TrainingConfig["rating"] = {
  pool: ["random"],
  player: "greedy",
  blocks: 2,
  openings: { randomPlies: 0 },
};

function request(parts: Partial<TrainingRequest>): TrainingRequest {
  return requestOf(newDir(), TINY, parts);
}

describe("a whole training", () => {
  slowTest("leaves its folder as documented, and a result that says the same", async () => {
    const dir = newDir();
    const result = await trainFromConfig(request({ outDir: dir }));
    expect(Object.keys(contents(dir))).toEqual([
      "best.json",
      "checkpoints/0.json",
      "checkpoints/120.json",
      "checkpoints/40.json",
      "checkpoints/80.json",
      "config.json",
      "curve.csv",
      "curve.md",
      "curve.svg",
      "state-120.f32",
      "state.json",
      "weights.json",
      "games",
    ]);
    expect(result).toMatchObject({ name: "tiny", dir, finished: true, games: 120 });
    expect(result.curve.points.map(({ games }) => games)).toEqual([0, 40, 80, 120]);
    expect(result.curve.pool[0]).toMatchObject({ name: "random", elo: 0 });
    expect(readFileSync(join(dir, "curve.csv"), "utf8")).toMatch(
      /^games,elo,low,high,score,return,returnLow,returnHigh,tdError,random,random low,random high,minimax:depth=1,/,
    );
    // Each block is against one agent, and each has as many: the mean return is the mean of those against each.
    for (const { meanReturn, against } of result.curve.points)
      expect((against[0]!.mean + against[1]!.mean) / 2).toBeCloseTo(meanReturn.mean, 9);
    const tdErrors = result.curve.points.map(({ tdError }) => tdError);
    expect(tdErrors).toEqual([undefined, ...Array.from({ length: 3 }, () => expect.any(Number) as number)]);
    // Returns are -1 to 1, so a step's error is at most 2.
    expect(tdErrors.slice(1).every((error) => error! > 0 && error! < 2)).toBe(true);
    expect(readFileSync(join(dir, "curve.md"), "utf8")).toBe(formatCurveTable(result.curve));
    expect(weightsOf(result.weightsPath!).some((weight) => weight !== 0)).toBe(true);
    expect(weightsOf(join(dir, "checkpoints", "0.json")).every((weight) => weight === 0)).toBe(true);
    const { training } = JSON.parse(readFileSync(result.weightsPath!, "utf8")) as { training: object };
    expect(training).toMatchObject({
      seed: "test",
      games: 120,
      date: "2001-02-03",
      rating: { elo: Math.round(result.curve.points.at(-1)!.elo) },
    });
  });

  slowTest("counts Elo from the anchor that the config names", async () => {
    const anchor = { entrant: "minimax:depth=1", elo: 100 };
    const rating = { ...TINY.rating, pool: ["minimax:depth=1", "minimax:depth=2"], anchor };
    const { curve } = await trainFromConfig(request({ outDir: newDir(), config: { ...TINY, rating } }));
    expect(curve.pool[0]).toMatchObject({ name: "minimax:depth=1", elo: 100, low: 100, high: 100 });
  });

  slowTest("gives the same again from the same seed, something else from another", async () => {
    const dirs = [newDir(), newDir(), newDir()] as const;
    await trainFromConfig(request({ outDir: dirs[0] }));
    await trainFromConfig(request({ outDir: dirs[1] }));
    await trainFromConfig(request({ outDir: dirs[2], config: { ...TINY, seed: "other" } }));
    expect(contents(dirs[1])).toEqual(contents(dirs[0]));
    expect(contents(dirs[2])["weights.json"]).not.toEqual(contents(dirs[0])["weights.json"]);
  });

  slowTest("of no games delivers the mean of files, and says of which", async () => {
    const dirs = [newDir(), newDir(), newDir()] as const;
    await trainFromConfig(request({ outDir: dirs[0] }));
    await trainFromConfig(request({ outDir: dirs[1], config: { ...TINY, seed: "other" } }));
    const mean = [dirs[0], dirs[1]].map((dir) => join(dir, "weights.json"));
    const evaluator = { ...TINY.evaluator, initial: { mean } } as TrainingConfig["evaluator"];
    const result = await trainFromConfig(
      request({ outDir: dirs[2], config: { ...TINY, games: 0, evaluator } }),
    );
    expect(result).toMatchObject({ finished: true, games: 0 });
    const [one, other, both] = dirs.map((dir) => weightsOf(join(dir, "weights.json")));
    for (const [at, weight] of both!.entries()) expect(weight).toBeCloseTo((one![at]! + other![at]!) / 2, 6);
    const { training } = JSON.parse(readFileSync(join(dirs[2], "weights.json"), "utf8")) as {
      training: object;
    };
    expect(training).toMatchObject({
      method: "initial weights",
      initial: { mean: ["weights.json", "weights.json"] },
    });
  });

  slowTest("tells how far it is", async () => {
    const told: TrainingProgress[] = [];
    await trainFromConfig(request({ onProgress: (progress) => told.push(progress) }));
    const training = told.filter(({ phase }) => phase === "training");
    expect(training.length).toBeGreaterThan(20);
    expect(training.map(({ gamesDone }) => gamesDone)).toEqual(
      training.map(({ gamesDone }) => gamesDone).toSorted((a, b) => a - b),
    );
    expect(training.every(({ gamesPerSecond }) => gamesPerSecond > 10)).toBe(true);
    expect(told.at(-1)).toMatchObject({
      phase: "rating",
      gamesDone: 120,
      gamesTotal: 120,
      secondsLeft: 0,
      latest: { games: 120 },
    });
  });

  /** 3,000 games; the intervals are 95%, and do not even touch: a chance far below one in a thousand. */
  slowTest("makes the evaluator stronger", async () => {
    const config: TrainingConfig = {
      ...TINY,
      games: 3000,
      checkpoints: 1,
      rating: { ...TINY.rating, blocks: 60 },
    };
    const { curve } = await trainFromConfig(request({ config }));
    const [untrained, trained] = curve.points;
    expect(trained!.low).toBeGreaterThan(untrained!.high);
    expect(trained!.score).toBeGreaterThan(untrained!.score + 0.1);
  });

  slowTest("rates games of three players, and of players whose features do not negate", async () => {
    const config: TrainingConfig = {
      ...TINY,
      game: { id: "pig", players: 3, target: 30 },
      games: 1500,
      evaluator: { features: "race" },
      openings: { randomPlies: 0 },
      checkpoints: 1,
      rating: {
        pool: ["random", "greedy:evaluator=race"],
        player: "greedy",
        blocks: 40,
        openings: { randomPlies: 0 },
      },
    };
    const { curve } = await trainFromConfig(request({ config }));
    const [untrained, trained] = curve.points;
    expect(trained!.low).toBeGreaterThan(untrained!.high);
  });
});

describe("an interrupted training", () => {
  slowTest(
    "killed at any moment and resumed, ends with the same files, weights to the last bit",
    async () => {
      const undisturbed = newDir();
      let moments = 0;
      await trainFromConfig(request({ outDir: undisturbed, onProgress: () => moments++ }));
      const expected = contents(undisturbed);
      for (let moment = 0; moment < moments; moment += 5) {
        const dir = newDir();
        let told = 0;
        const killed = trainFromConfig(
          request({
            outDir: dir,
            onProgress: () => {
              if (told++ === moment) throw new Error("killed");
            },
          }),
        );
        await expect(killed).rejects.toThrow("killed");
        expect(existsSync(join(dir, "weights.json"))).toBe(false);
        const resumed = await trainFromConfig(request({ outDir: dir, resume: true }));
        expect(resumed.finished).toBe(true);
        expect(contents(dir)).toEqual(expected);
      }
    },
  );

  slowTest("killed again and again, it gets there, and never plays a checkpoint's games twice", async () => {
    const undisturbed = newDir();
    await trainFromConfig(request({ outDir: undisturbed }));
    const dir = newDir();
    let runs = 0;
    for (let finished = false; !finished; runs++) {
      let told = 0;
      const patience = 16 + runs;
      finished = await trainFromConfig(
        request({
          outDir: dir,
          resume: true,
          onProgress: () => {
            if (told++ === patience) throw new Error("killed");
          },
        }),
      ).then(
        () => true,
        () => false,
      );
    }
    expect(runs).toBeGreaterThan(3);
    expect(contents(dir)).toEqual(contents(undisturbed));
  });

  slowTest("stopped by the signal, keeps its games, and goes on from its folder alone", async () => {
    const undisturbed = newDir();
    await trainFromConfig(request({ outDir: undisturbed }));
    const dir = newDir();
    const controller = new AbortController();
    const stopped = await trainFromConfig(
      request({
        outDir: dir,
        signal: controller.signal,
        onProgress: ({ gamesDone }) => {
          if (gamesDone > 50) controller.abort();
        },
      }),
    );
    expect(stopped.finished).toBe(false);
    expect(stopped.games).toBeGreaterThan(50);
    expect(stopped.games).toBeLessThan(60);
    const told: TrainingProgress[] = [];
    await trainFromConfig(
      request({
        outDir: dir,
        config: undefined,
        resume: true,
        onProgress: (progress) => told.push(progress),
      }),
    );
    expect(told.find(({ phase }) => phase === "training")!.gamesDone).toBeGreaterThan(stopped.games);
    expect(contents(dir)).toEqual(contents(undisturbed));
  });

  test("is not mixed with another one", async () => {
    const dir = newDir();
    await trainFromConfig(request({ outDir: dir }));
    await expect(trainFromConfig(request({ outDir: dir }))).rejects.toThrow(
      /holds a training already; .*--resume/,
    );
    const other = request({ outDir: dir, resume: true, config: { ...TINY, games: 200, seed: "x" } });
    await expect(trainFromConfig(other)).rejects.toThrow(/seed: .*"test" there, "x" now/);
    await expect(trainFromConfig(other)).rejects.toThrow(/games: .*120 there, 200 now/);
  });
});

slowTest(
  "diverging weights stop the training with the step, the last good checkpoint and a hint",
  async () => {
    const dir = newDir();
    const config: TrainingConfig = {
      ...TINY,
      games: 3000,
      evaluator: { features: "lines", output: "identity" },
      learner: { lambda: 0.7, stepSize: { from: 0.001, to: 2 } },
      checkpoints: { every: 50 },
      rating: { ...TINY.rating, blocks: 1 },
    };
    const failed = trainFromConfig(request({ outDir: dir, config }));
    await expect(failed).rejects.toThrow(DivergenceError);
    const message = await failed.catch(String);
    const [, path] =
      /diverged at step \d+ after game \d+; the last good checkpoint is (\S+)\. Try a smaller/.exec(
        message as string,
      )!;
    const weights = weightsOf(path!);
    expect(weights.every(Number.isFinite)).toBe(true);
    expect(weights.some((weight) => weight !== 0)).toBe(true);
  },
);

test("weights that overflow in the last game before a checkpoint are told, not saved", async () => {
  const dir = newDir();
  const config: TrainingConfig = {
    ...TINY,
    games: 1,
    evaluator: { features: "lines", output: "identity" },
    learner: { lambda: 1, stepSize: 1e300 },
    exploration: { epsilon: 0 },
    openings: { randomPlies: 0 },
    checkpoints: 1,
  };
  await expect(trainFromConfig(requestOf(dir, config))).rejects.toThrow(
    `after game 1; the last good checkpoint is ${join(dir, "checkpoints", "0.json")}. Try a smaller`,
  );
  expect(existsSync(join(dir, "checkpoints", "1.json"))).toBe(false);
});

slowTest("games from outside the index can be trained: the walk's values come out", async () => {
  const config: TrainingConfig = {
    ...TINY,
    game: { id: walkFamily, players: 2 },
    games: 5000,
    evaluator: { features: "cells", output: "identity" },
    openings: { randomPlies: 0 },
    checkpoints: 1,
  };
  const { weightsPath } = await trainFromConfig(request({ config: { ...config, rating: WALKERS } }));
  const walk = createGame({ id: "walk", players: 2 }, { walk: walkFamily });
  const { weights } = loadWeights(weightsPath!, walk) as LinearEvaluator;
  for (let cell = 1; cell <= 5; cell++) {
    expect(Math.abs(weights[cell - 1]! - cell / 6)).toBeLessThan(0.05);
    expect(Math.abs(weights[5 + cell - 1]! - (1 - cell / 6))).toBeLessThan(0.05);
  }
});

describe("a wrong config is refused with all its problems", () => {
  const problemsOf = async (config: unknown): Promise<string> => {
    const dir = newDir();
    const failed = await trainFromConfig(request({ config, outDir: dir })).catch(
      (error: Error) => error.message,
    );
    expect(existsSync(dir)).toBe(false);
    return failed as string;
  };

  test("shape", async () => {
    const message = await problemsOf({
      ...TINY,
      gmaes: 3,
      learner: { lambda: 2, stepSize: { from: 0.1, to: 0, shape: "exponential" } },
      checkpoints: 0,
    });
    expect(message).toMatch(/gmaes: unknown key "gmaes" \(did you mean "games"\?\)/);
    expect(message).toMatch(/learner\.lambda: must be at most 1, got 2/);
    expect(message).toMatch(/learner\.stepSize/);
    expect(message).toMatch(/checkpoints: must be at least 1, got 0/);
  });

  test("names", async () => {
    const message = await problemsOf({
      ...TINY,
      evaluator: { features: "line" },
      openings: { randomPlies: { from: 3, to: 1 } },
      rating: { pool: ["minimax:depth=1", "minimax:depth=1", { agent: "mctz" }], player: "random" },
    });
    expect(message).toMatch(/evaluator\.features: unknown feature set "line" \(did you mean "lines"\?\)/);
    expect(message).toMatch(/openings\.randomPlies: `from` must be at most `to`/);
    expect(message).toMatch(/rating\.pool: must have `random` in it/);
    expect(message).toMatch(
      /rating\.pool\[1\]\.name: "minimax:depth=1" is already the name of rating\.pool\[0\]; names must differ/,
    );
    expect(message).toMatch(/rating\.pool\[2\]\.agent: unknown agent "mctz" \(did you mean "mcts"\?\)/);
    expect(message).toMatch(/rating\.player: random has no evaluator/);
  });

  test("an anchor that is not in the pool", async () => {
    const rating = { ...TINY.rating, anchor: { entrant: "randm" } };
    expect(await problemsOf({ ...TINY, rating })).toMatch(
      /rating\.anchor\.entrant: unknown agent of the pool "randm" \(did you mean "random"\?\)/,
    );
  });

  test("agents that do not fit the game", async () => {
    const message = await problemsOf({
      ...TINY,
      game: "pig",
      evaluator: { features: "race" },
      rating: { pool: ["random"], player: "alpha-beta:depth=2" },
    });
    expect(message).toMatch(/rating\.player\.agent: alpha-beta cannot play pig, which has chance/);
  });
});
