import { mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { createLinear } from "../../../src/evaluators/models.ts";
import { describeWeights, type StoredModel } from "../../../src/evaluators/stored-weights.ts";
import { saveWeights } from "../../../src/specs/files/weights-file.ts";
import { createGame } from "../../../src/games/index.ts";
import type { TrainingConfig } from "../../../src/training/plan/config.ts";
import { initialWeights } from "../../../src/training/learn/initial-weights.ts";
import { storedModel } from "../../../src/training/learn/learnable.ts";
import { planTraining } from "../../../src/training/plan/plan.ts";
import { randomPositions } from "../../agents/play.ts";
import { folders, TINY } from "../runs.ts";
import { slowTest } from "../../support/thorough.ts";

const newDir = folders();
const connectFour = createGame("connect-four");

/** The weights that a training begins with, what they are for, and its game. */
async function begin(parts: Partial<TrainingConfig>, baseDir = ".") {
  const { game, config } = await planTraining({ ...TINY, ...parts }, { baseDir });
  const weights = initialWeights(game, config, (_, length) => new Float32Array(length));
  return { game, weights, model: storedModel(game, config.evaluator) };
}

const refusal = async (parts: Partial<TrainingConfig>, baseDir?: string): Promise<string> =>
  begin(parts, baseDir).then(
    () => "not refused",
    (error: Error) => error.message,
  );

test.each([
  { kind: "linear", features: "lines" },
  { kind: "n-tuple", tuples: { count: 5, length: 4, seed: 3 } },
] as const)("$kind: a file without a policy gives a training with one its values", async (evaluator) => {
  const path = join(newDir(), "values.json");
  mkdirSync(join(path, ".."));
  const search = "mcts:simulations=4,priors=policy,root=gumbel";
  const parts: Partial<TrainingConfig> = {
    game: "connect-four",
    round: 10,
    learner: { rule: "expert", stepSize: 0.1, search },
    exploration: { epsilon: 0 },
    rating: { pool: ["random"], player: "greedy" },
  };
  const both = { ...evaluator, policy: true } as const;
  const { game, model, weights: zeros } = await begin({ ...parts, evaluator: both });
  const values = zeros.subarray(0, zeros.length / 2).map((_, at) => Math.sin(at));
  const training = { method: "test", seed: "test", games: 0, date: "2026-11-29" };
  saveWeights(path, describeWeights(game, { ...model, policy: undefined } as StoredModel, training), values);
  for (const initial of [{ file: path }, { mean: [path, path] }]) {
    const { weights } = await begin({ ...parts, evaluator: { ...both, initial } });
    expect(weights).toHaveLength(2 * values.length);
    expect(weights.subarray(0, values.length)).toEqual(values);
    expect(weights.subarray(values.length).every((weight) => weight === 0)).toBe(true);
  }
});

describe("a value", () => {
  const TUPLES = { kind: "n-tuple", tuples: { count: 5, length: 4, seed: 3 } } as const;

  test.each([
    ["connect-four", { ...TUPLES, output: "identity" }, 0.8],
    ["connect-four", { ...TUPLES, output: "identity", stages: [12] }, -0.3],
    ["othello", { ...TUPLES, output: "identity" }, 0],
    ["2048", { features: "tuples-4", output: "identity" }, 20_000],
  ] as const)(
    "%s: is what every position is worth before it is learnt otherwise",
    async (id, evaluator, value) => {
      const { game, weights, model } = await begin({
        game: id,
        evaluator: { ...evaluator, initial: { value } } as TrainingConfig["evaluator"],
        rating: { pool: ["random"], player: "greedy" },
      });
      expect(new Set(weights).size).toBe(1);
      const linear = createLinear(game, model as Exclude<StoredModel, { kind: "network" }>, weights);
      for (const state of randomPositions(game, 20)) {
        const sign = linear.features.viewer?.(state) === 1 ? -1 : 1;
        expect(Math.abs(linear.sum(state, 0) - sign * value)).toBeLessThan(1e-4 * Math.abs(value) + 1e-9);
      }
    },
  );

  test("goes through the output function as sums do", async () => {
    const { game, weights, model } = await begin({
      game: "connect-four",
      evaluator: { ...TUPLES, initial: { value: 0.5 } },
    });
    const linear = createLinear(game, model as Exclude<StoredModel, { kind: "network" }>, weights);
    expect(linear.evaluate(game.start(), 0)).toBeCloseTo(Math.tanh(0.5), 4);
  });
});

describe("by name", () => {
  const features = createGame("checkers").featureSets["samuel"]!;
  const names = Array.from({ length: features.size }, (_, feature) => features.describe(feature));
  const checkers = (byName: Record<string, number>) => ({
    game: "checkers",
    evaluator: { features: "samuel", initial: { byName } },
  });

  test("sets the features of the name, or those that begin with it, and no others", async () => {
    const [name] = names;
    const one = await begin(checkers({ [name!]: 0.2 }));
    expect(Array.from(one.weights)).toEqual(names.map((other) => (other === name ? Math.fround(0.2) : 0)));
    const start = name!.slice(0, 2);
    const some = await begin(checkers({ [start]: 0.2 }));
    const meant = names.filter((other) => other.startsWith(start));
    expect(Array.from(some.weights)).toEqual(
      names.map((other) => (meant.includes(other) ? Math.fround(0.2) : 0)),
    );
  });

  test("sets them in every stage", async () => {
    const { featureSets } = connectFour;
    const { size } = featureSets["lines"]!;
    const name = featureSets["lines"]!.describe(5);
    const { weights } = await begin({
      game: "connect-four",
      evaluator: { features: "lines", stages: [10, 20], initial: { byName: { [name]: 0.5 } } },
    });
    const set = Array.from(weights.keys()).filter((at) => weights[at] !== 0);
    expect(set).toEqual([5, size + 5, 2 * size + 5]);
  });

  test("refuses a name that none begins with", async () => {
    expect(await refusal(checkers({ "flying kings": 1 }))).toContain(
      `evaluator.initial.byName: no feature's name begins with "flying kings"; names are like ${names[0]}, `,
    );
  });
});

describe("a file", () => {
  const lines = connectFour.featureSets["lines"]!;
  const training = { method: "test", seed: "", games: 0, date: "" };
  const model: StoredModel = {
    kind: "linear",
    features: "lines",
    output: "tanh",
    stages: [],
    featuresVersion: lines.version,
    size: lines.size,
  };
  const values = Float32Array.from({ length: lines.size }, (_, at) => Math.fround(at / 7));
  const save = (change: object = {}, weights = values) => {
    const path = join(newDir(), "w.json");
    saveWeights(path, { ...describeWeights(connectFour, model, training), ...change }, weights);
    return path;
  };
  const from = (file: string, evaluator: object = {}) => ({
    game: "connect-four",
    evaluator: {
      ...("kind" in evaluator ? {} : { features: "lines" }),
      ...evaluator,
      initial: { file },
    } as TrainingConfig["evaluator"],
  });

  test("without a group has 0 for its features, in both phases, and all other weights", async () => {
    const chess = createGame("chess");
    const set = chess.featureSets["positional"]!;
    const weights = new Float32Array(set.size).fill(1);
    const header = {
      game: { id: "chess", version: chess.version, options: chess.options },
      evaluator: { ...model, features: "positional", featuresVersion: set.version, size: set.size },
    };
    const file = save(header, weights);
    const without = (names: string[]) => ({
      game: "chess",
      evaluator: { features: "positional", initial: { file, without: names } } as TrainingConfig["evaluator"],
    });
    const { weights: cut } = await begin(without(["king safety", "pawns"]));
    expect(cut.filter((weight) => weight === 0).length).toBeGreaterThan(20);
    for (const [feature, weight] of cut.entries())
      expect(weight).toBe(["king safety", "pawns"].includes(set.groupOf!(feature)) ? 0 : 1);
    expect(await refusal(without(["pawns", "king safty"]))).toContain(
      `evaluator.initial.without[1]: unknown group "king safty"`,
    );
    const lines = from(save());
    const initial = { ...lines.evaluator.initial, without: ["pawns"] };
    expect(
      await refusal({ ...lines, evaluator: { ...lines.evaluator, initial } as TrainingConfig["evaluator"] }),
    ).toContain("evaluator.initial.without[0]: these features have no groups");
  });

  test("of the same evaluator gives its weights, to the last bit; its path is taken from the config's", async () => {
    const path = save();
    expect((await begin(from(path))).weights).toEqual(values);
    expect((await begin(from("w.json"), join(path, ".."))).weights).toEqual(values);
  });

  test("is one of several, whose mean is taken", async () => {
    const paths = [0, 3, 6].map((more) =>
      save(
        {},
        values.map((value) => value + more),
      ),
    );
    const config = {
      game: "connect-four",
      evaluator: { features: "lines", initial: { mean: paths } } as TrainingConfig["evaluator"],
    };
    const { weights } = await begin(config);
    const errors = Array.from(weights, (weight, at) => Math.abs(weight - (values[at]! + 3)));
    expect(Math.max(...errors)).toBeLessThan(1e-4);
    const names = paths.map((path) => relative(join(paths[0]!, "../.."), path));
    const moved = { ...config, evaluator: { ...config.evaluator, initial: { mean: names } } };
    expect((await begin(moved as typeof config, join(paths[0]!, "../.."))).weights).toEqual(weights);
    const wrong = {
      ...config,
      evaluator: { ...config.evaluator, initial: { mean: [paths[0], "/no.json"] } },
    };
    expect(await refusal(wrong as typeof config)).toContain("evaluator.initial.mean[1]: /no.json: ");
  });

  test("is refused where it is for something else, saying what", async () => {
    const path = save();
    expect(await refusal({ ...from(path), game: "tic-tac-toe" })).toContain(
      `evaluator.initial.file: ${path}: game: the weights are for connect-four, wanted is tic-tac-toe`,
    );
    expect(await refusal({ ...from(path), game: { id: "connect-four", width: 6 } })).toContain(
      "game options: ",
    );
    expect(
      await refusal(from(save({ game: { id: "connect-four", version: 9, options: connectFour.options } }))),
    ).toMatch(/game version: the weights are for 9, wanted is 1/);
    expect(await refusal(from(path, { output: "identity" }))).toContain(
      `output: the weights are for "tanh", wanted is "identity"`,
    );
    expect(await refusal(from(path, { stages: [10] }))).toContain(
      "stages: the weights are for [], wanted is [10]",
    );
    const chess = createGame("chess");
    const { version: featuresVersion, size } = chess.featureSets["material"]!;
    const material = save(
      {
        game: { id: "chess", version: chess.version, options: chess.options },
        evaluator: { ...model, features: "material", featuresVersion, size },
      },
      new Float32Array(size),
    );
    expect(
      await refusal({ game: "chess", evaluator: { features: "positional", initial: { file: material } } }),
    ).toContain(`features: the weights are for "material", wanted is "positional"`);
    const tuples = { kind: "n-tuple", tuples: [[0, 1]] };
    expect(await refusal(from(path, tuples))).toContain(
      `kind: the weights are for "linear", wanted is "n-tuple"`,
    );
    expect(await refusal(from(save({ evaluator: { ...model, size: 7 } })))).toContain(
      `feature set size: the weights are for 7, wanted is ${lines.size}`,
    );
    expect(await refusal(from(save({}, values.slice(1))))).toContain(
      `number of weights: the file has ${lines.size - 1}, its header says ${lines.size}`,
    );
  });

  test("n-tuples: other cells, or more of them", async () => {
    const cells = [[0, 1]];
    const path = join(newDir(), "t.json");
    const stored: StoredModel = { kind: "n-tuple", tuples: cells, output: "tanh", stages: [], size: 64 };
    saveWeights(path, describeWeights(connectFour, stored, training), new Float32Array(64).fill(0.5));
    const tuples = (wanted: number[][]) => from(path, { kind: "n-tuple", tuples: wanted });
    expect((await begin(tuples(cells))).weights).toEqual(new Float32Array(64).fill(0.5));
    expect(await refusal(tuples([[0, 3]]))).toContain(
      "tuples: the weights are for [[0,1]], wanted is [[0,3]]",
    );
    expect(await refusal(tuples([[0, 1], [5]]))).toContain(
      "tuples: the weights are for [[0,1]], wanted is [[0,1],[5]]",
    );
  });

  test("that cannot be read is named", async () => {
    expect(await refusal(from("/nowhere/w.json"))).toMatch(
      /evaluator\.initial\.file: \/nowhere\/w\.json: cannot be read: ENOENT/,
    );
    const path = save();
    writeFileSync(path, "{");
    expect(await refusal(from(path))).toMatch(/w\.json: is not JSON/);
  });
});

describe("networks", () => {
  const network = (initial?: object) =>
    ({
      game: "connect-four",
      evaluator: { kind: "network", features: "lines", hidden: [3], ...(initial && { initial }) },
      learner: { rule: "lambda-returns", lambda: 0.5, stepSize: 0.01 },
    }) as Partial<TrainingConfig>;

  slowTest("begin with random weights of their seed, or with a file's, and with nothing else", async () => {
    const [one, same, other] = [
      await begin(network()),
      await begin(network()),
      await begin({ ...network(), seed: "other" }),
    ];
    expect(one.weights).toEqual(same.weights);
    expect(one.weights).not.toEqual(other.weights);
    const path = join(newDir(), "n.json");
    saveWeights(
      path,
      describeWeights(one.game, one.model, { method: "", seed: "", games: 0, date: "" }),
      one.weights,
    );
    expect((await begin({ ...network({ file: path }), seed: "other" })).weights).toEqual(one.weights);
    expect(await refusal(network({ value: 1 }))).toContain(
      "evaluator.initial: a network begins with random weights, or with those of a file",
    );
  });
});
