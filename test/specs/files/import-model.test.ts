import { join } from "node:path";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { GraphLayers } from "../../../src/evaluators/network/graph-layers.ts";
import { parseOnnx } from "../../../src/evaluators/network/onnx/onnx-network.ts";
import { NetworkEvaluator } from "../../../src/evaluators/network/network-evaluator.ts";
import type { Evaluator, Game, State } from "../../../src/games/contract/game.ts";
import { createGame } from "../../../src/games/index.ts";
import { equipGame, loadEvaluator } from "../../../src/specs/evaluators.ts";
import type { StoredModel } from "../../../src/evaluators/stored-weights.ts";
import { importModel } from "../../../src/specs/files/import-model.ts";
import { loadWeightsOf } from "../../../src/specs/files/weights-file.ts";
import { referTo } from "../../../src/specs/references.ts";
import { loadTensorFlow, type TensorFlow } from "../../../src/training/learn/tensorflow/backend.ts";
import { randomPositions } from "../../agents/play.ts";
import { agon, temporaryFolder } from "../../support/agon.ts";
import { onnxFixture } from "../../support/onnx.ts";
import { slowTest } from "../../support/thorough.ts";

type LayersModel = import("@tensorflow/tfjs-layers").LayersModel;

let tf: TensorFlow;
beforeAll(async () => {
  ({ tf } = await loadTensorFlow("cpu"));
});
const ticTacToe = createGame("tic-tac-toe");
const backgammon = createGame("backgammon");
const date = new Date("2026-11-22");

/** Saves a model as TensorFlow.js does in a folder; the path of its model.json. */
async function save(model: LayersModel): Promise<string> {
  const dir = temporaryFolder();
  await model.save(
    tf.io.withSaveHandler(async ({ modelTopology, weightSpecs, weightData }) => {
      const weightsManifest = [{ paths: ["./weights.bin"], weights: weightSpecs }];
      const json = {
        modelTopology,
        format: "layers-model",
        generatedBy: "x",
        convertedBy: null,
        weightsManifest,
      };
      writeFileSync(join(dir, "model.json"), JSON.stringify(json));
      writeFileSync(join(dir, "weights.bin"), new Uint8Array(weightData as ArrayBuffer));
      return { modelArtifactsInfo: { dateSaved: new Date(0), modelTopologyType: "JSON" } };
    }),
  );
  return join(dir, "model.json");
}

/** The model's prediction for a position, as the evaluator's viewer sees it. */
function predict(model: LayersModel, evaluator: NetworkEvaluator, state: State): number[] {
  const { features, index, value } = evaluator;
  const active = features.extract(state, evaluator.viewer(state, 0), index, value);
  const row = Array.from({ length: features.size }, () => 0);
  for (let at = 0; at < active; at++) row[index[at]]! += value[at];
  return [...(model.predict(tf.tensor2d([row])) as { dataSync(): Float32Array }).dataSync()];
}

function importAndLoad(path: string, game: Game, features?: string): NetworkEvaluator {
  const out = join(temporaryFolder(), "mine.json");
  importModel(path, game, { features, out, date });
  const loaded: Evaluator = loadEvaluator(game, out);
  expect(loaded).toBeInstanceOf(NetworkEvaluator);
  return loaded as NetworkEvaluator;
}

/** A chain of layers; the names say where a message comes from. */
function sequential(
  inputs: number,
  ...layers: { units: number; activation: string; name: string }[]
): LayersModel {
  return tf.sequential({
    layers: layers.map((layer, at) =>
      tf.layers.dense({
        ...layer,
        activation: layer.activation as "relu",
        biasInitializer: "randomNormal",
        ...(at === 0 && { inputShape: [inputs] }),
      }),
    ),
  });
}

describe("an imported model", () => {
  slowTest("gives the expected return that model.predict gives, in played positions", async () => {
    const model = sequential(
      17,
      { name: "one", units: 12, activation: "relu" },
      { name: "two", units: 5, activation: "sigmoid" },
      { name: "out", units: 1, activation: "tanh" },
    );
    const evaluator = importAndLoad(await save(model), ticTacToe);
    for (const state of randomPositions(ticTacToe, 100)) {
      const viewed = evaluator.viewer(state, 0) === 0 ? 1 : -1;
      expect(
        Math.abs(evaluator.evaluate(state, 0) - viewed * predict(model, evaluator, state)[0]!),
      ).toBeLessThan(1e-5);
    }
  });

  test("with softmax gives the mean of the outcomes; a functional model, with dropout", async () => {
    const input = tf.input({ shape: [198] });
    const hidden = tf.layers.dense({ units: 20, activation: "tanh", name: "hidden" }).apply(input);
    const dropped = tf.layers.dropout({ rate: 0.5 }).apply(hidden);
    const output = tf.layers.dense({ units: 6, name: "out" }).apply(dropped);
    const model = tf.model({
      inputs: input,
      outputs: tf.layers.activation({ activation: "softmax" }).apply(output) as typeof input,
    });
    const evaluator = importAndLoad(await save(model), backgammon);
    expect(evaluator.head.kind).toBe("outcomes");
    for (const state of randomPositions(backgammon, 30)) {
      const viewed = evaluator.viewer(state, 0) === 0 ? 1 : -1;
      const expected = predict(model, evaluator, state).reduce(
        (sum, probability, at) => sum + probability * backgammon.outcomes![at]!,
        0,
      );
      expect(Math.abs(evaluator.evaluate(state, 0) - viewed * expected)).toBeLessThan(1e-5);
    }
  });

  const connectFour = createGame("connect-four");
  /** A model with a value, and beside it a policy that reads the same layer or one of its own. */
  const withPolicy = ({
    units = 7,
    activation = "softmax",
    reads = "trunk",
    first = "value",
  } = {}): LayersModel => {
    const { size } = connectFour.featureSets["fours"]!;
    const dense = (name: string, units: number, activation: string) =>
      tf.layers.dense({ name, units, activation: activation as "relu", biasInitializer: "randomNormal" });
    const input = tf.input({ shape: [size] });
    const trunk = dense("trunk", 12, "relu").apply(input) as typeof input;
    const value = dense("out", 1, "tanh").apply(trunk) as typeof input;
    const read = reads === "trunk" ? trunk : (dense("own", 5, "relu").apply(trunk) as typeof input);
    const moves = dense("moves", units, activation).apply(read) as typeof input;
    return tf.model({ inputs: input, outputs: first === "value" ? [value, moves] : [moves, value] });
  };

  slowTest("with a second output has the policy that model.predict gives", async () => {
    const model = withPolicy();
    const out = join(temporaryFolder(), "mine.json");
    const header = importModel(await save(model), connectFour, { features: "fours", out, date });
    expect(header.evaluator).toMatchObject({ policy: true, policyVersion: connectFour.policyHead!.version });
    const evaluator = loadEvaluator(connectFour, out) as NetworkEvaluator;
    for (const state of randomPositions(connectFour, 50)) {
      evaluator.look(state, state.toMove);
      const row = Array.from({ length: evaluator.features.size }, () => 0);
      for (let at = 0; at < evaluator.active; at++) row[evaluator.index[at]]! += evaluator.value[at]!;
      const [value, policy] = (
        model.predict(tf.tensor2d([row])) as unknown as { dataSync(): Float32Array }[]
      ).map((one) => [...one.dataSync()]);
      expect(Math.abs(evaluator.evaluate(state, state.toMove) - value![0]!)).toBeLessThan(1e-4);
      const actions = Int32Array.of(0, 1, 2, 3, 4, 5, 6);
      const logits = new Float32Array(7);
      evaluator.prefer!(state, actions, 0, 7, logits);
      const sum = logits.reduce((total, logit) => total + Math.exp(logit), 0);
      for (const [action, probability] of policy!.entries())
        expect(Math.abs(Math.exp(logits[action]!) / sum - probability)).toBeLessThan(1e-4);
    }
  });

  test.each([
    [
      "a size that is another",
      { units: 8 },
      "the second output has 8 units, for connect-four, whose policies have 7",
    ],
    [
      "another activation",
      { activation: "relu" },
      'layer "moves", the second output, has relu; a policy has logits',
    ],
    ["a layer of its own", { reads: "own" }, "both must read the same layer"],
    ["the wrong place", { first: "policy" }, "the second output, has tanh"],
  ])("with a policy of %s is refused", async (_, parts, message) => {
    const out = join(temporaryFolder(), "mine.json");
    const path = await save(withPolicy(parts));
    expect(() => importModel(path, connectFour, { features: "fours", out, date })).toThrow(message);
  });

  slowTest("plays from the command line", async () => {
    const path = await save(sequential(17, { name: "out", units: 1, activation: "linear" }));
    const cwd = temporaryFolder();
    const made = await agon(["import-model", path, "--game", "tic-tac-toe", "--out", "mine.json"], { cwd });
    expect(made).toMatchObject({
      code: 0,
      stderr:
        "Written to mine.json: 17 features of lines, hidden layers none, head value. Play with evaluator=mine.json\n",
    });
    const args = [
      "match",
      "tic-tac-toe",
      "alpha-beta:depth=2,evaluator=mine.json",
      "random",
      "--blocks",
      "3",
    ];
    expect(await agon(args, { cwd })).toMatchObject({ code: 0 });
    expect(await agon(["inspect", "mine.json"], { cwd })).toMatchObject({ code: 0 });
  });

  test("with mixed activations plays, but a training cannot go on from it", async () => {
    const model = sequential(
      17,
      { name: "one", units: 3, activation: "relu" },
      { name: "two", units: 3, activation: "sigmoid" },
      { name: "out", units: 1, activation: "tanh" },
    );
    const out = join(temporaryFolder(), "mine.json");
    const { evaluator } = importModel(await save(model), ticTacToe, { out, date });
    expect(() => loadWeightsOf(out, ticTacToe, evaluator as StoredModel)).toThrow(
      "activations: the model has relu, sigmoid, tanh; a training would have relu, relu, tanh, so it cannot go on",
    );
  });
});

describe("a model that cannot be imported: one sentence, with the layer's name", () => {
  const dense = (units: number, activation: string, name: string) => ({ units, activation, name });
  const refused: [string, () => LayersModel, string | RegExp, Game?, string?][] = [
    [
      "another number of inputs",
      () => sequential(5, dense(1, "tanh", "first")),
      'layer "first" has 5 inputs, which no feature set of tic-tac-toe has: lines (17), stones (18); a file of your own can be one, --features ./my-features.ts',
    ],
    [
      "inputs of another feature set",
      () => sequential(198, dense(1, "tanh", "first")),
      'layer "first" has 198 inputs, where the feature set tactics of backgammon has 241',
      backgammon,
      "tactics",
    ],
    [
      "too many outputs",
      () => sequential(17, dense(2, "tanh", "last")),
      'layer "last", the last one, has 2 units with tanh; tic-tac-toe takes 1 with linear, tanh or sigmoid, or 3 with softmax for the returns -1, 0, 1',
    ],
    [
      "relu at the end",
      () => sequential(17, dense(1, "relu", "last")),
      /layer "last", the last one, has 1 units with relu; /,
    ],
    [
      "softmax inside",
      () => sequential(17, dense(4, "softmax", "inside"), dense(1, "tanh", "last")),
      'layer "inside" has softmax, which only the last layer may have',
    ],
    [
      "too wide",
      () => sequential(17, dense(5000, "relu", "wide"), dense(1, "tanh", "last")),
      'layer "wide" has 5000 units; at most 4096 can be read',
    ],
    [
      "another activation",
      () => sequential(17, dense(4, "elu", "bent"), dense(1, "tanh", "last")),
      'layer "bent" has the activation elu; what can be read: linear, relu, sigmoid, tanh, softmax',
    ],
    [
      "another kind of layer",
      () =>
        tf.sequential({
          layers: [
            tf.layers.dense({ units: 4, inputShape: [17], name: "one" }),
            tf.layers.batchNormalization({ name: "norm" }),
            tf.layers.dense({ units: 1, name: "two" }),
          ],
        }),
      'layer "norm" is of kind BatchNormalization; what can be read: InputLayer, Dense, Activation and Dropout',
    ],
    [
      "a fork",
      () => {
        const input = tf.input({ shape: [17] });
        const sides = ["left", "right"].map(
          (name) => tf.layers.dense({ units: 4, name }).apply(input) as typeof input,
        );
        const both = tf.layers.add({ name: "both" }).apply(sides);
        return tf.model({
          inputs: input,
          outputs: tf.layers.dense({ units: 1, name: "end" }).apply(both) as typeof input,
        });
      },
      'the model\'s layers do not form one chain from one input to one output: layer "both" reads the layers left, right',
    ],
    [
      "a board as input",
      () =>
        tf.sequential({
          layers: [
            tf.layers.flatten({ inputShape: [3, 3], name: "flat" }),
            tf.layers.dense({ units: 1, name: "two" }),
          ],
        }),
      /layer "flat" is of kind Flatten|layer "flat": the model's input has the shape/,
    ],
  ];

  test.each(refused)("%s", async (_, make, message, game = ticTacToe, features?) => {
    const path = await save(make());
    const out = join(temporaryFolder(), "mine.json");
    const run = () => importModel(path, game, { features, out, date });
    if (typeof message === "string") expect(run).toThrow(`${path}: ${message}`);
    else expect(run).toThrow(message);
  });
});

describe("an ONNX file", () => {
  const planes = fileURLToPath(new URL("../../../examples/pytorch/planes.ts", import.meta.url));

  test("of dense layers becomes the same weights file as a layers model", () => {
    const out = join(temporaryFolder(), "mine.json");
    const { evaluator } = importModel(onnxFixture("chain"), ticTacToe, { out, date });
    expect(evaluator).toMatchObject({ kind: "network", features: "lines", hidden: [12, 8], policy: true });
    const loaded = loadEvaluator(ticTacToe, out);
    for (const state of randomPositions(ticTacToe, 20))
      expect(Math.abs(loaded.evaluate(state, state.toMove))).toBeLessThan(1);
  });

  slowTest(
    "with convolutions is copied, and read with the features of a file; a search plays by it",
    async () => {
      const cwd = temporaryFolder();
      const args = ["import-model", onnxFixture("residual"), "--game", "connect-four", "--features", planes];
      expect(await agon([...args, "--out", "mine.json"], { cwd })).toMatchObject({
        code: 0,
        stderr: `Written to mine.json: 84 features of ${planes}, the layers of an ONNX file, head value. Play with evaluator=mine.json\n`,
      });
      expect(readFileSync(join(cwd, "mine.onnx"))).toEqual(readFileSync(onnxFixture("residual")));
      expect((await agon(["inspect", "mine.json"], { cwd })).stdout).toContain(
        "value from the layers of an ONNX file",
      );
      const player = "mcts:simulations=10,priors=policy,evaluator=mine.json";
      const match = ["match", "connect-four", player, "random", "--blocks", "1", "--json"];
      const { stdout } = await agon(match, { cwd });
      expect(JSON.parse(stdout)).toMatchObject({ games: 2 });
    },
  );

  test("in two-player games has opposite values, and the policy of the player to move", async () => {
    const game = await equipGame(createGame("connect-four"), [referTo("features", planes)]);
    const out = join(temporaryFolder(), "mine.json");
    importModel(onnxFixture("residual"), game, { features: planes, out, date });
    const evaluator = loadEvaluator(game, out);
    const logits = new Float32Array(7);
    const graph = new GraphLayers(parseOnnx(readFileSync(onnxFixture("residual"))));
    for (const state of randomPositions(game, 20)) {
      expect(evaluator.evaluate(state, 1)).toBe(0 - evaluator.evaluate(state, 0));
      const [index, value] = [new Int32Array(84), new Float32Array(84).fill(1)];
      const active = game.featureSets[planes]!.extract(state, state.toMove, index, value);
      graph.look({ index, value, active, player: state.toMove });
      expect(evaluator.evaluate(state, state.toMove)).toBeCloseTo(Math.tanh(graph.answer[0]!), 5);
      evaluator.prefer!(state, Int32Array.of(0, 1, 2, 3, 4, 5, 6), 0, 7, logits);
      expect(Array.from(logits)).toEqual(Array.from(graph.answer.subarray(1)));
    }
  });

  test.each([
    [
      "residual",
      undefined,
      "the network has 84 inputs, which no feature set of tic-tac-toe has: lines (17), stones (18)",
    ],
    ["chain", "stones", "the network has 17 inputs, where the feature set stones of tic-tac-toe has 18"],
  ])("of other inputs is refused: %s", (name, features, message) => {
    const out = join(temporaryFolder(), "mine.json");
    const run = () => importModel(onnxFixture(name), ticTacToe, { features, out, date });
    expect(run).toThrow(`${onnxFixture(name)}: ${message}`);
  });
});

slowTest("what is no model, and what is no weights file, is refused by the command line", async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, "x.json"), "{}");
  const run = async (...args: string[]) => (await agon(["import-model", ...args], { cwd })).stderr;
  expect(await run("x.json", "--game", "nim", "--out", "y.json")).toContain(
    "x.json: modelTopology: missing; must be",
  );
  expect(await run("no.json", "--game", "nim", "--out", "y.json")).toContain("no.json: cannot be read");
  expect(await run("x.json", "--game", "nim", "--out", "y")).toBe("--out must end in .json, got y\n");
});
