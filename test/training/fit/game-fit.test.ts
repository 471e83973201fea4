import { rmSync } from "node:fs";
import { basename, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { planTournament } from "../../../src/arena/plan/config.ts";
import { openRun } from "../../../src/arena/store/run-folder.ts";
import { schedule } from "../../../src/arena/schedule/rounds.ts";
import { createRandom } from "../../../src/base/random.ts";
import { createGame } from "../../../src/games/index.ts";
import { TERMINAL, type Game } from "../../../src/games/contract/game.ts";
import { loadHeader } from "../../../src/specs/files/weights-file.ts";
import type { TrainingConfig } from "../../../src/training/plan/config.ts";
import { planTraining } from "../../../src/training/plan/plan.ts";
import { GameFit } from "../../../src/training/fit/game-fit.ts";
import { trainFromConfig } from "../../../src/training/run/train.ts";
import { LinearEvaluator, type Output } from "../../../src/evaluators/linear.ts";
import { slowTest } from "../../support/thorough.ts";
import { contents, folders, requestOf, weightsOf } from "../runs.ts";

const newDir = folders();
const GAME = { id: "connect-four", width: 4, height: 4 };

/** The truth of the made-up games: each feature's weight. */
function truthOf(game: Game, features: string): Float32Array {
  const random = createRandom("truth");
  return Float32Array.from({ length: game.featureSets[features]!.size }, () => 0.6 * (random.float() - 0.5));
}

/**
 * Fills a run with games of random moves, whose results, 1 or -1, and values are made up: their expectation is that of a
 * linear evaluator with the true weights at one position, drawn, up to which the game is the opening.
 */
async function fillRun(
  dir: string,
  { blocks = 1000, output = "tanh", told = true }: { blocks?: number; output?: Output; told?: boolean } = {},
): Promise<void> {
  const entrants = ["random", { name: "other", agent: "random" }];
  const plan = await planTournament({ name: "made-up", game: GAME, blocks, entrants }, { baseDir: "." });
  const { store } = openRun(dir, plan, { resume: false });
  const game = createGame(GAME);
  const features = game.featureSets["lines"]!;
  const truth = new LinearEvaluator(game, features, { weights: truthOf(game, "lines"), output });
  const random = createRandom("made-up games");
  const legal = new Int32Array(game.maxActions);
  const records = [...schedule(plan, game)].map(({ id, block, seats }) => {
    const state = game.start();
    const actions: number[] = [];
    const plies = 2 + random.below(9);
    let value = 0;
    let own = 0;
    for (let ply = 0; ply <= plies; ply++) {
      const action = legal[random.below(state.legalActions(legal, 0))]!;
      value = truth.evaluate(state, 0);
      own = truth.evaluate(state, state.toMove);
      state.apply(action);
      actions.push(action);
      if (state.toMove === TERMINAL) break;
    }
    const won = random.float() < (1 + value) / 2 ? 1 : -1;
    return {
      id,
      block,
      seats,
      actions,
      openingLength: actions.length - 1,
      returns: [won, 0 - won],
      ending: "adjudicated" as const,
      forfeitSeat: -1,
      detail: "made up",
      decisions: [1, 0],
      nodes: [1, 0],
      timeMs: [0, 0],
      thoughts: told ? [{ value: own, nodes: 1, timeMs: 0, line: [] }] : [],
    };
  });
  store.add(records);
  store.close();
}

const runs = { tanh: newDir(), logistic: newDir() };
beforeAll(async () => {
  await fillRun(runs.tanh);
  await fillRun(runs.logistic, { output: "logistic" });
});

const FIT: TrainingConfig = {
  name: "fit",
  game: GAME,
  seed: "test",
  evaluator: { features: "lines" },
  learner: { rule: "fit", games: [runs.tanh], epochs: 6, stepSize: 0.01, batch: 64, validation: 0.2 },
  checkpoints: { every: 2 },
  rating: { pool: ["random"], player: "greedy", blocks: 2 },
};

const fit = (parts: object): TrainingConfig => ({ ...FIT, learner: { ...FIT.learner, ...parts } as never });

/** The correlation of the estimates by two arrays of weights, over positions of random games. */
function correlation(one: Float32Array, other: Float32Array): number {
  const game = createGame(GAME);
  const features = game.featureSets["lines"]!;
  const [a, b] = [one, other].map(
    (weights) => new LinearEvaluator(game, features, { weights, output: "tanh" }),
  );
  const random = createRandom("correlation");
  const legal = new Int32Array(game.maxActions);
  const pairs: [number, number][] = [];
  for (let number = 0; number < 300; number++) {
    const state = game.start();
    for (let ply = 0; ply < 2 + (number % 9) && state.toMove !== TERMINAL; ply++)
      state.apply(legal[random.below(state.legalActions(legal, 0))]!);
    if (state.toMove !== TERMINAL) pairs.push([a!.evaluate(state, 0), b!.evaluate(state, 0)]);
  }
  const sum = (of: (pair: [number, number]) => number) => pairs.reduce((total, pair) => total + of(pair), 0);
  return sum(([x, y]) => x * y) / Math.sqrt(sum(([x]) => x * x) * sum(([, y]) => y * y));
}

describe("made-up games of a linear truth", () => {
  const truth = truthOf(createGame(GAME), "lines");

  slowTest("values of searches teach the truth", async () => {
    const dir = newDir();
    const config = fit({
      value: "search",
      epochs: 60,
      stepSize: { from: 0.03, to: 0.001, shape: "exponential" },
    });
    const { curve } = await trainFromConfig(requestOf(dir, { ...config, checkpoints: 2 }));
    expect(correlation(weightsOf(join(dir, "weights.json"), GAME), truth)).toBeGreaterThan(0.99);
    const losses = curve.points.map(({ losses: { validation } = { training: 0 } }) => validation!);
    expect(losses[0]! / losses.at(-1)!).toBeGreaterThan(50);
  });

  slowTest.each(["tanh", "logistic"] as const)("results teach it less surely, %s", async (output) => {
    const dir = newDir();
    const config = fit({ epochs: 20, games: [runs[output]] });
    await trainFromConfig(
      requestOf(dir, { ...config, evaluator: { features: "lines", output }, patience: 2 }),
    );
    expect(correlation(weightsOf(join(dir, "weights.json"), GAME), truth)).toBeGreaterThan(0.7);
  });
});

slowTest(
  "the loss of other games falls and rises again: the fit stops, and its weights are those of the lowest loss",
  async () => {
    const dir = newDir();
    const config = { ...fit({ epochs: 200, stepSize: 0.05 }), checkpoints: { every: 1 }, patience: 4 };
    const { curve, games, weightsGames, stoppedEarly } = await trainFromConfig(requestOf(dir, config));
    const losses = curve.points.map((point) => point.losses!);
    const validation = losses.map((loss) => loss.validation!);
    const best = validation.indexOf(Math.min(...validation));
    expect(stoppedEarly).toBe(true);
    expect(best).toBeGreaterThan(0);
    expect(games).toBe(best + 4);
    expect(weightsGames).toBe(best);
    expect(losses.at(-1)!.training).toBeLessThan(losses[best]!.training!);
    const { training } = loadHeader(join(dir, "weights.json"));
    expect(training).toMatchObject({ method: "fit to played games", epochs: best, losses: losses[best] });
    expect(training["learner"]).toMatchObject({ rule: "fit", games: [basename(runs.tanh)] });
  },
);

slowTest("the fitted scale brings initial weights of another unit to that of the truth", async () => {
  const config = fit({ value: "search", scale: "fitted" });
  const evaluator = { features: "lines", initial: { value: 0.1 } } as const;
  const plan = await planTraining({ ...config, evaluator }, { baseDir: "." });
  const truth = truthOf(plan.game, "lines");
  const { learnable } = new GameFit(
    plan,
    truth.map((weight) => 50 * weight),
    plan.played!,
  );
  const factors = Array.from(learnable.weights, (weight, at) => weight / truth[at]!);
  expect(Math.min(...factors)).toBeGreaterThan(0.99);
  expect(Math.max(...factors)).toBeLessThan(1.01);
});

slowTest("without validation, the last weights are delivered", async () => {
  const dir = newDir();
  const { weightsGames, curve } = await trainFromConfig(requestOf(dir, fit({ validation: 0 })));
  expect(weightsGames).toBe(6);
  expect(curve.points.map(({ losses }) => losses?.validation)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

const MODELS: Readonly<Record<string, TrainingConfig["evaluator"]>> = {
  linear: { features: "lines", output: "identity", initial: { value: 0.1 } },
  "n-tuples with stages": { kind: "n-tuple", tuples: { count: 3, length: 4 }, stages: [6] },
  "a network": { kind: "network", features: "lines", hidden: [5] },
  "a network of outcomes": { kind: "network", features: "lines", hidden: [5], head: "outcomes" },
};

slowTest.each(Object.entries(MODELS))(
  "%s: the same bytes twice, and after a kill at any epoch",
  async (_, evaluator) => {
    const config = { ...fit({ value: "mix", epochs: 4 }), evaluator };
    const [once, again] = [newDir(), newDir()];
    const { curve } = await trainFromConfig(requestOf(once, config));
    const losses = curve.points.map((point) => point.losses!.training);
    expect(losses.at(-1)).toBeLessThan(losses[0]!);
    let told = 0;
    let isDone = false;
    for (let kill = 2; !isDone; kill += 3) {
      told = 0;
      const request = requestOf(again, config, {
        resume: true,
        onProgress: () => {
          if (told++ === kill) throw new Error("killed");
        },
      });
      isDone = await trainFromConfig(request).then(
        () => true,
        (error: Error) => {
          expect(error.message).toBe("killed");
          return false;
        },
      );
    }
    expect(contents(again)).toEqual(contents(once));
  },
);

slowTest("no game is on both sides, and the seed draws the sides", async () => {
  const sides = async (seed: string) => {
    const { played } = await planTraining({ ...FIT, seed }, { baseDir: "." });
    return [played!.training, played!.validation].map((games) => games.map(({ actions }) => actions.join()));
  };
  const [training, validation] = await sides("a");
  expect(training!.length + validation!.length).toBe(2000);
  const held = new Set(validation);
  expect(training!.filter((line) => held.has(line))).toEqual([]);
  expect(validation!.length / 2000).toBeGreaterThan(0.15);
  expect(validation!.length / 2000).toBeLessThan(0.25);
  expect((await sides("a"))[1]).toEqual(validation);
  expect((await sides("b"))[1]).not.toEqual(validation);
});

describe("what is wrong is said", () => {
  const problems = async (config: object): Promise<string> =>
    planTraining(config, { baseDir: "." }).then(
      () => "none",
      (error: Error) => error.message,
    );

  test("games", async () => {
    expect(await problems(fit({ games: ["none"] }))).toMatch(
      /^learner\.games\[0\]: there is no run and no file .*none$/,
    );
    expect(await problems(fit({ games: ["test"] }))).toMatch(/^learner\.games\[0\]: .*: no run here/);
    expect(await problems(fit({ games: ["package.json"] }))).toMatch(
      /^learner\.games\[0\]: .*package\.json: games of connect-four in \.json cannot be read; files that can: none$/,
    );
    expect(await problems({ ...FIT, game: "connect-four" })).toMatch(
      /^learner\.games\[0\]: has games of \{"height":4,.*"width":4\}, and the training is of \{"height":6,/,
    );
    const silent = newDir();
    await fillRun(silent, { blocks: 3, told: false });
    expect(await problems(fit({ games: [silent], value: "search" }))).toMatch(
      /^learner\.games: no game has a position with a value from a search; learn from results$/,
    );
  });

  slowTest("validation that leaves nothing", async () => {
    expect(await problems(fit({ validation: 0.00001 }))).toMatch(
      /^learner\.validation: leaves no game to validate with: of 2000 games 0 are for validation; raise it, or 0 does without$/,
    );
    expect(await problems(fit({ validation: 0.99999 }))).toMatch(
      /^learner\.validation: leaves no game to learn from/,
    );
  });

  slowTest("a scale without initial weights", async () => {
    expect(await problems(fit({ scale: 2 }))).toBe(
      "learner.scale: is for initial weights of linear evaluators and n-tuples: leave it out",
    );
  });

  slowTest("keys of self-play", async () => {
    expect(
      await problems({
        ...FIT,
        games: 7,
        round: 3,
        openings: { randomPlies: 1 },
        exploration: { epsilon: 0.1 },
      }),
    ).toBe(
      [
        "games: a fit has `learner.epochs` in place of games: leave it out",
        "exploration: a fit plays no games: leave it out",
        "openings: a fit plays no games: leave it out",
        "round: a fit plays no games: leave it out",
      ].join("\n"),
    );
  });

  slowTest("games that have changed since", async () => {
    const dir = newDir();
    const changing = newDir();
    await fillRun(changing, { blocks: 200 });
    const config = fit({ games: [changing] });
    await trainFromConfig(requestOf(dir, config));
    rmSync(changing, { recursive: true });
    await fillRun(changing, { blocks: 200, output: "identity" });
    await expect(trainFromConfig(requestOf(dir, config, { resume: true }))).rejects.toThrow(
      /the positions of learner\.games have changed since the training began/,
    );
  });
});
