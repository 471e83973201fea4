import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { describeWeights, type StoredModel } from "../../src/evaluators/stored-weights.ts";
import { createGame } from "../../src/games/index.ts";
import { createRandom } from "../../src/base/random.ts";
import { Store } from "../../src/arena/store/store.ts";
import type { TournamentPlan } from "../../src/arena/plan/plan.ts";
import type { GameData, PageData } from "../../src/report/page/data.ts";
import { equipGame } from "../../src/specs/evaluators.ts";
import { referTo } from "../../src/specs/references.ts";
import { importModel } from "../../src/specs/files/import-model.ts";
import { hashCode } from "../../src/specs/plugins/portable-code.ts";
import { saveWeights, loadHeader } from "../../src/specs/files/weights-file.ts";
import { collect } from "../../src/report/collect.ts";
import { collectGame } from "../../src/report/collect-games.ts";
import { temporaryFolder } from "../support/agon.ts";
import { fillRun } from "../support/made-up-run.ts";
import { onnxFixture } from "../support/onnx.ts";
import { slowRuntimeTest } from "../support/onnx-runtime.ts";
import { playedRun, ROOT, trainedRun } from "../support/reports.ts";
import { storedGames } from "../support/stored-games.ts";
import { slowTest } from "../support/thorough.ts";

const small = { name: "small", game: "tic-tac-toe", blocks: 2, entrants: ["random", "alpha-beta:depth=2"] };

/** The data of a page about these folders, with at most `games` games of each run. */
function collected(dirs: readonly string[], games = 1000): Promise<PageData> {
  return collect(dirs, { version: "1.2.3", games });
}

function changePlan(dir: string, change: (plan: TournamentPlan) => TournamentPlan): void {
  const store = Store.open(dir);
  store.savePlan(change(store.loadPlan()!));
  store.close();
}

describe("games", () => {
  test("are all there, with their results, where they are few", async () => {
    const dir = await playedRun(small);
    const { tournaments, weights } = await collected([dir]);
    expect(tournaments).toHaveLength(1);
    const { games, notices, planned, hasRules } = tournaments[0]!;
    expect({ notices, planned, hasRules, weights }).toEqual({
      notices: [],
      planned: 4,
      hasRules: true,
      weights: {},
    });
    expect(games.map(({ number }) => number)).toEqual([4, 3, 2, 1]);
    const byId = games.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    expect(byId.map(({ id, actions, returns }) => ({ id, actions, returns }))).toEqual(
      storedGames(dir).map(({ id, actions, returns }) => ({ id, actions, returns })),
    );
  });

  slowTest("are a sample with all forfeits where they are many; the figures are of all", async () => {
    const dir = join(temporaryFolder(), "run");
    const total = await fillRun(dir, { ...small, game: "connect-four", blocks: 2500 });
    const forfeits = storedGames(dir).filter(({ forfeitSeat }) => forfeitSeat >= 0);
    expect(forfeits.length).toBeGreaterThan(0);
    const [run] = (await collected([dir], 50)).tournaments;
    const { games, report, breakdown } = run!;
    const ids = games.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(
      games
        .filter(({ forfeitSeat }) => forfeitSeat >= 0)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(forfeits.map(({ id }) => id));
    // Beside the forfeits, the sample has the number of games that was asked for.
    expect(ids.length).toBeGreaterThanOrEqual(50);
    expect(ids.length).toBeLessThanOrEqual(50 + forfeits.length);
    expect({ total, report: report.games }).toEqual({ total: 5000, report: 5000 });
    expect(breakdown.lengths.reduce((sum, bin) => sum + bin.games, 0)).toBe(5000);
    expect(breakdown.seats.flat().reduce((sum, seat) => sum + seat.games, 0)).toBe(2 * 5000);
  });

  slowTest("of a game of the user's are text; gone, they are said to be", async () => {
    const folder = temporaryFolder();
    cpSync(join(ROOT, "examples/twenty-one"), folder, { recursive: true });
    const config = {
      ...small,
      game: "./twenty-one.ts",
      entrants: ["random", { name: "own", agent: "./counter.ts" }],
    };
    const dir = await playedRun(config, { baseDir: folder });
    const [run] = (await collected([dir])).tournaments;
    expect(run).toMatchObject({ hasRules: false, notices: [] });
    expect(run!.games[0]!.actions).toEqual([]);
    const [{ id, moves, drawn }] = run!.games as [GameData];
    expect(moves!.length).toBe(storedGames(dir).find((game) => game.id === id)!.actions.length);
    expect(drawn).toMatchObject({ shapes: [], positions: expect.arrayContaining(["0 of 21, player 1"]) });
    expect(drawn!.positions).toHaveLength(moves!.length + 1);
    expect((await collectGame(dir, id))!.drawn).toEqual(drawn);
    expect(run!.entrants.map(({ misses }) => misses)).toEqual(
      Array.from({ length: 2 }, () => "the game's rules are in a file of yours"),
    );
    rmSync(join(folder, "twenty-one.ts"));
    rmSync(join(dir, "code"), { recursive: true });
    const [gone] = (await collected([dir])).tournaments;
    expect(gone!.notices).toEqual([expect.stringMatching(/^Games cannot be shown: .*twenty-one\.ts/)]);
    expect(gone!.report.games).toBe(4);
  });

  test("of another version of the rules are not shown", async () => {
    const dir = await playedRun(small);
    changePlan(dir, (plan) => ({ ...plan, gameVersion: 99 }));
    const [run] = (await collected([dir])).tournaments;
    expect(run).toMatchObject({ hasRules: false });
    expect(run!.notices).toEqual([
      expect.stringMatching(/^The run was played with version 99 of tic-tac-toe, this is version \d+: /),
    ]);
  });
});

describe("runs", () => {
  test("that are not finished say so", async () => {
    const dir = await playedRun(small);
    changePlan(dir, (plan) => ({ ...plan, blocks: 5 }));
    const [run] = (await collected([dir])).tournaments;
    expect(run!.notices).toEqual(["The run is not finished: 4 of 10 games are played."]);
  });

  test("without a game have a page", async () => {
    const dir = join(temporaryFolder(), "run");
    await fillRun(dir, { ...small, blocks: 1 });
    const store = Store.open(dir);
    const plan = store.loadPlan()!;
    store.close();
    rmSync(join(dir, "results.sqlite"));
    const empty = Store.open(dir);
    await expect(collected([dir])).rejects.toThrow("has no plan: the run never began");
    empty.savePlan(plan);
    empty.close();
    const [run] = (await collected([dir])).tournaments;
    expect(run).toMatchObject({ games: [], notices: ["The run is not finished: 0 of 2 games are played."] });
  });

  test("whose folders have one name are told apart, and one folder is there once", async () => {
    const dirs = [await playedRun(small), await playedRun(small)];
    const { tournaments } = await collected([...dirs, `${dirs[0]}/`]);
    expect(tournaments.map(({ folder }) => folder)).toEqual(["run", "run (2)"]);
  });
});

slowTest(
  "a training is shown with the tournament that rates it, and without one before there is one",
  async () => {
    const dir = await trainedRun({
      name: "short",
      game: "tic-tac-toe",
      games: 20,
      evaluator: { features: "lines" },
      learner: { lambda: 0.5, stepSize: 0.01 },
      exploration: { epsilon: 0.1 },
      checkpoints: 1,
      rating: { pool: ["random"], player: "greedy", blocks: 1 },
    });
    const { trainings, tournaments } = await collected([dir]);
    expect(trainings.map(({ name }) => name)).toEqual(["short"]);
    expect(tournaments.map(({ entrants }) => entrants.length)).toEqual([3]);
    for (const file of readdirSync(dir).filter((name) => name.startsWith("results"))) rmSync(join(dir, file));
    const young = await collected([dir]);
    expect([young.trainings.length, young.tournaments]).toEqual([1, []]);
  },
);

describe("the user's code", () => {
  /** A run of games and agents in files, and their folder. */
  async function ownRun(more: object = {}): Promise<{ dir: string; folder: string }> {
    const folder = temporaryFolder();
    cpSync(join(ROOT, "examples/twenty-one"), folder, { recursive: true });
    const config = {
      ...small,
      game: "./twenty-one.ts",
      entrants: ["random", { name: "own", agent: "./counter.ts" }],
      ...more,
    };
    return { dir: await playedRun(config, { baseDir: folder }), folder };
  }
  const withCode = async (dir: string) => collect([dir], { version: "1.2.3", games: 9, withCode: true });

  slowTest("is in the page on request, under keys that name no folder", async () => {
    const { dir, folder } = await ownRun();
    const [run] = (await withCode(dir)).tournaments;
    expect(run).toMatchObject({ hasRules: false, notices: [], game: { id: "0/twenty-one.ts", last: 21 } });
    expect(run!.code).toContain('self.agonModules={"0/twenty-one.ts":');
    expect(run!.entrants).toEqual([
      { name: "random", spec: { agent: "random" } },
      { name: "own", spec: { agent: "0/counter.ts", first: 1 } },
    ]);
    expect(JSON.stringify(run)).not.toContain(folder);
    const stored = new Map(storedGames(dir).map(({ id, actions }) => [id, actions]));
    for (const { id, actions, drawn } of run!.games) {
      expect(actions).toEqual(stored.get(id));
      expect(drawn!.positions).toHaveLength(actions.length + 1);
    }
    const [{ id, actions }] = run!.games as [GameData];
    expect((await collectGame(dir, id, { withCode: true }))!.actions).toEqual(actions);
    expect((await collected([dir])).tournaments[0]).not.toHaveProperty("code");
  });

  slowTest("is left out where it needs more than files, with the reason", async () => {
    const { dir, folder } = await ownRun();
    const add = (file: string) => {
      const path = join(folder, file);
      const code = `import "node:fs";\n${readFileSync(path, "utf8")}`;
      writeFileSync(path, code);
      return hashCode([path])!;
    };
    const agent = add("counter.ts");
    const fault =
      'counter.ts: imports "node:fs"; in a page, code may import files by relative paths, and agon-arena';
    const entrantsOf = async () => (await withCode(dir)).tournaments[0]!.entrants.map(({ misses }) => misses);
    // The run has copies of the files as they were.
    expect(await entrantsOf()).toEqual([undefined, undefined]);
    changePlan(dir, (plan) => ({
      ...plan,
      entrants: plan.entrants.map((one) =>
        one.name === "own" ? { ...one, code: agent, spec: { agent: join(folder, "counter.ts") } } : one,
      ),
    }));
    expect(await entrantsOf()).toEqual([undefined, `the agent is in a file of yours: ${fault}`]);
    const gameCode = add("twenty-one.ts");
    changePlan(dir, (plan) => ({ ...plan, gameCode, game: { id: join(folder, "twenty-one.ts") } }));
    const [run] = (await withCode(dir)).tournaments;
    expect(run).not.toHaveProperty("code");
    expect(run!.notices).toEqual([
      `The game cannot be played here: ${fault.replace("counter", "twenty-one")}.`,
    ]);
    expect(run!.entrants[0]!.misses).toBe(
      `the game's rules are in a file of yours: ${fault.replace("counter", "twenty-one")}`,
    );
  });

  slowTest("of the features of an ONNX network comes with the network's file", async () => {
    const folder = temporaryFolder();
    const features = join(ROOT, "examples/pytorch/planes.ts");
    const file = onnxFixture("residual");
    const game = await equipGame(createGame("connect-four"), [referTo("features", features)]);
    importModel(file, game, { features, out: join(folder, "own.json"), date: new Date(0) });
    const entrants = ["random", { name: "network", agent: "greedy", evaluator: "./own.json" }];
    const dir = await playedRun({ ...small, game: "connect-four", entrants }, { baseDir: folder });
    const { tournaments, weights } = await withCode(dir);
    const network = tournaments[0]!.entrants[1]!;
    expect(network).not.toHaveProperty("misses");
    const { model, data } = weights[network.weights!]!;
    expect(model).toMatchObject({ kind: "onnx", features: "0/planes.ts" });
    expect(gunzipSync(Buffer.from(data, "base64"))).toEqual(readFileSync(file));
  });

  slowRuntimeTest("does not come with an ONNX network that only onnxruntime computes", async () => {
    const folder = temporaryFolder();
    const features = join(ROOT, "examples/pytorch/planes.ts");
    const game = await equipGame(createGame("connect-four"), [referTo("features", features)]);
    const out = join(folder, "own.json");
    importModel(onnxFixture("attention"), game, { features, out, date: new Date(0) });
    const entrants = ["random", { name: "network", agent: "greedy", evaluator: "./own.json" }];
    const dir = await playedRun({ ...small, game: "connect-four", entrants }, { baseDir: folder });
    const { tournaments, weights } = await withCode(dir);
    expect(tournaments[0]!.entrants[1]!.misses).toBe(
      "only onnxruntime computes its network, which a page cannot load",
    );
    expect(weights).toEqual({});
  });

  slowTest(
    "of an evaluator, and of the features of weights, comes with a game that is built in",
    async () => {
      const folder = temporaryFolder();
      const features = join(folder, "centre.ts");
      cpSync(join(ROOT, "examples/centre/centre.ts"), features);
      const model: StoredModel = {
        kind: "linear",
        features,
        output: "tanh",
        stages: [],
        featuresVersion: 1,
        size: 4,
      };
      const training = { method: "td", seed: "1", games: 1, date: "" };
      const header = describeWeights(createGame("connect-four"), model, training);
      saveWeights(join(folder, "own.json"), header, new Float32Array([0, 1, 2, 3]));
      const entrants = [
        { name: "heuristic", agent: "greedy", evaluator: "./centre.ts" },
        { name: "weights", agent: "greedy", evaluator: "./own.json" },
      ];
      const dir = await playedRun({ ...small, game: "connect-four", entrants }, { baseDir: folder });
      const { tournaments, weights } = await withCode(dir);
      const [heuristic, learned] = tournaments[0]!.entrants;
      expect(heuristic).toMatchObject({ spec: { agent: "greedy", evaluator: "0/centre.ts" } });
      expect(learned).not.toHaveProperty("misses");
      expect(weights[learned!.weights!]!.model).toEqual({ ...model, features: "0/centre.ts" });
      expect(JSON.stringify(tournaments)).not.toContain(folder);
      const misses = (await collected([dir])).tournaments[0]!.entrants.map((entrant) => entrant.misses);
      expect(misses).toEqual([
        "the evaluator is in a file of yours",
        "the features of its weights are in a file of yours",
      ]);
    },
  );
});

describe("weights", () => {
  const shipped = join(ROOT, "weights/tic-tac-toe/linear.json");
  const withWeights = {
    ...small,
    entrants: ["random", { name: "own", agent: "greedy", evaluator: shipped }],
  };

  test("travel once; where the file is gone, its entrant cannot play", async () => {
    const entrants = [
      ...withWeights.entrants,
      { name: "two", agent: "minimax", depth: 1, evaluator: shipped },
    ];
    const dir = await playedRun({ ...withWeights, entrants });
    const { weights, tournaments } = await collected([dir]);
    const [key, ...others] = Object.keys(weights);
    expect(others).toEqual([]);
    expect(tournaments[0]!.entrants.map((entrant) => entrant.weights)).toEqual([undefined, key, key]);
    expect(tournaments[0]!.entrants.map(({ misses }) => misses)).toEqual([undefined, undefined, undefined]);
    const values = gunzipSync(Buffer.from(weights[key!]!.data, "base64"));
    expect(values.byteLength).toBe(4 * loadHeader(shipped).evaluator.size);

    rmSync(join(dir, "weights"), { recursive: true });
    const [gone] = (await collected([dir])).tournaments;
    const misses = gone!.entrants.map((entrant) => entrant.misses);
    expect(misses).toEqual([
      undefined,
      expect.stringMatching(
        /^its weights cannot be read: weights\/\S+: cannot be read: no such file or directory$/,
      ),
      misses[1],
    ]);
    expect(misses[1]).not.toContain(dir);
    expect(gone!.games).toHaveLength(12);
  });

  test("of two trainings are not taken for each other, though their checkpoints have the same names", async () => {
    const dirs = [await playedRun(withWeights), await playedRun(withWeights)];
    for (const [number, dir] of dirs.entries()) {
      const checkpoint = join(dir, "checkpoints/100.json");
      mkdirSync(join(dir, "checkpoints"));
      const { size } = loadHeader(shipped).evaluator;
      saveWeights(checkpoint, loadHeader(shipped), new Float32Array(size).fill(number));
      changePlan(dir, ({ entrants: [random, own], ...plan }) => ({
        ...plan,
        entrants: [random!, { ...own!, spec: { ...own!.spec, evaluator: "checkpoints/100.json" } }],
      }));
    }
    const { weights, tournaments } = await collected(dirs);
    expect(Object.keys(weights)).toEqual(tournaments.map(({ entrants }) => entrants[1]!.weights));
    expect(Object.keys(weights)).toHaveLength(2);
  });

  slowTest("stay on the disk where they are too large together", async () => {
    const parent = temporaryFolder();
    const random = createRandom("weights");
    const game = createGame("2048");
    const { version, size } = game.featureSets["tuples-4"]!;
    const entrants = Array.from({ length: 5 }, (_, number) => {
      const evaluator = join(parent, `own-${number}.json`);
      const values = Float32Array.from({ length: size }, () => random.float());
      const model = {
        kind: "linear",
        features: "tuples-4",
        output: "identity",
        stages: [] as number[],
        featuresVersion: version,
        size,
      } as const;
      const header = describeWeights(game, model, { method: "none", seed: "", games: 0, date: "" });
      saveWeights(evaluator, header, values);
      return { name: `own-${number}`, agent: "greedy", evaluator };
    });
    const dir = await playedRun({ name: "large", game: "2048", blocks: 1, entrants });
    const { tournaments, weights } = await collected([dir]);
    const kept = Object.values(weights).reduce((sum, { data }) => sum + data.length, 0);
    expect(kept).toBeLessThanOrEqual(6_000_000);
    const misses = tournaments[0]!.entrants.map((entrant) => entrant.misses);
    expect(misses.filter((why) => why === undefined)).toHaveLength(Object.keys(weights).length);
    expect(misses.at(-1)).toBe("its weights are too large for the page, which takes 6 MB of weights");
  });
});

slowTest("an agent of the user's cannot play in the page", async () => {
  const agent = join(ROOT, "test/fixtures/agents/last.mjs");
  const dir = await playedRun({ ...small, entrants: ["random", { name: "own", agent }] });
  const [run] = (await collected([dir])).tournaments;
  expect(run!.entrants.map(({ misses }) => misses)).toEqual([undefined, "the agent is in a file of yours"]);
});
