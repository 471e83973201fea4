import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { createRandom } from "../../../../src/base/random.ts";
import { formatLayersModel, parseLayersModel } from "../../../../src/evaluators/network/layers-model.ts";
import { ACTIVATIONS, type Network } from "../../../../src/evaluators/network/network.ts";
import { NetworkEvaluator } from "../../../../src/evaluators/network/network-evaluator.ts";
import { loadTensorFlow, type TensorFlow } from "../../../../src/training/learn/tensorflow/backend.ts";
import { toLayersModel } from "../../../../src/training/learn/tensorflow/tensorflow-trainer.ts";
import { fromLayersModel } from "../../../support/networks.ts";
import { createGame } from "../../../../src/games/index.ts";
import { randomPositions } from "../../../agents/play.ts";
import type { FeatureSet } from "../../../../src/games/contract/game.ts";
import { randomNetwork, workingBackends } from "../../../support/networks.ts";
import { PlainGradient } from "../../../support/plain-gradient.ts";
import { slowTest } from "../../../support/thorough.ts";

type LayersModel = import("@tensorflow/tfjs-layers").LayersModel;
type ModelArtifacts = Parameters<Parameters<TensorFlow["io"]["withSaveHandler"]>[0]>[0];

const INPUTS = 12;
const SHAPES = ACTIVATIONS.flatMap((hiddenActivation) =>
  ACTIVATIONS.map((outputActivation) => ({
    inputs: INPUTS,
    hidden: [9, 5],
    hiddenActivation,
    outputs: 3,
    outputActivation,
  })),
);

/** Rows of the kind of inputs that games have: zeros, counts, halves and others. */
function randomRows(count: number, name: string): number[][] {
  const random = createRandom("rows", name);
  const choices = [() => 0, () => 1, () => random.below(5), () => 0.5, () => 2 * random.float() - 1];
  return Array.from({ length: count }, () =>
    Array.from({ length: INPUTS }, () => choices[random.below(choices.length)]!()),
  );
}

/** The outputs for one row, in plain TypeScript. */
function forward(network: Network, row: readonly number[]): number[] {
  const gradient = new PlainGradient(network);
  gradient.forward(Int32Array.from(row.keys()), Float32Array.from(row), 0, row.length);
  return Array.from(gradient.outputs);
}

function predict(tf: TensorFlow, model: LayersModel, rows: number[][]): number[][] {
  return tf.tidy(() =>
    (model.predict(tf.tensor2d(rows)) as import("@tensorflow/tfjs-core").Tensor2D).arraySync(),
  );
}

/** The model that TensorFlow.js reads from what we write. */
async function loaded(
  tf: TensorFlow,
  { json, bin }: ReturnType<typeof formatLayersModel>,
): Promise<LayersModel> {
  return tf.loadLayersModel(
    tf.io.fromMemory({
      modelTopology: json.modelTopology,
      weightSpecs: json.weightsManifest[0]!.weights as NonNullable<ModelArtifacts["weightSpecs"]>,
      weightData: Uint8Array.from(bin).buffer,
    }),
  );
}

async function saved(tf: TensorFlow, model: LayersModel): Promise<ModelArtifacts> {
  let artifacts: ModelArtifacts | undefined;
  await model.save(
    tf.io.withSaveHandler(async (given) => {
      artifacts = given;
      return { modelArtifactsInfo: { dateSaved: new Date(0), modelTopologyType: "JSON" } };
    }),
  );
  return artifacts!;
}

/** The content of a model that TensorFlow.js saved, read by our own code. */
function parseArtifacts({ modelTopology, weightSpecs, weightData }: ModelArtifacts): Network {
  const json = { modelTopology, weightsManifest: [{ paths: ["weights.bin"], weights: weightSpecs }] };
  return parseLayersModel(json, [new Uint8Array(weightData as ArrayBuffer)]);
}

function expectClose(given: readonly (readonly number[])[], wanted: readonly (readonly number[])[]): void {
  for (const [at, row] of wanted.entries())
    for (const [output, value] of row.entries()) {
      // Linear outputs can be large: within 1e-5, or that share of them.
      const tolerance = 1e-5 * Math.max(1, Math.abs(value));
      expect(Math.abs(given[at]![output]! - value)).toBeLessThan(tolerance);
    }
}

describe.each(await workingBackends())("TensorFlow.js, %s backend", (backend) => {
  let tf: TensorFlow;
  beforeAll(async () => {
    const loaded = await loadTensorFlow(backend);
    expect(loaded.backend).toBe(backend);
    tf = loaded.tf;
  });
  afterEach(() => {
    expect(tf.memory().numTensors).toBe(0);
  });

  test.each(SHAPES)("predicts as plain TypeScript: $hiddenActivation, $outputActivation", (shape) => {
    const rows = randomRows(20, shape.hiddenActivation);
    const network = randomNetwork(shape, shape.hiddenActivation, shape.outputActivation);
    const model = toLayersModel(tf, network);
    expectClose(
      predict(tf, model, rows),
      rows.map((row) => forward(network, row)),
    );
    model.dispose();
  });

  test.each(
    ACTIVATIONS.flatMap((hidden) =>
      (["linear", "sigmoid", "tanh"] as const).map((output) => ({ hidden, output })),
    ),
  )("predicts as the evaluator that plays: $hidden, $output", ({ hidden, output }) => {
    const network = randomNetwork({
      inputs: INPUTS,
      hidden: [9, 5],
      hiddenActivation: hidden,
      outputs: 1,
      outputActivation: output,
    });
    const rows = randomRows(20, output);
    let row: readonly number[] = [];
    const features: FeatureSet = {
      summary: "the row",
      version: 1,
      size: INPUTS,
      maxActive: INPUTS,
      extract(_state, _player, index, value) {
        let count = 0;
        for (const [at, input] of row.entries()) {
          if (input === 0) continue;
          index[count] = at;
          value[count++] = input;
        }
        return count;
      },
      describe: String,
    };
    const game = createGame("tic-tac-toe");
    const evaluator = new NetworkEvaluator(game, features, { network, head: "value" });
    const state = game.start();
    const model = toLayersModel(tf, network);
    const outputs = rows.map((next) => {
      row = next;
      evaluator.look(state, 0);
      return Array.from(evaluator.outputs);
    });
    expectClose(predict(tf, model, rows), outputs);
    model.dispose();
  });

  test("a network comes back from a model as it went in, and the model keeps a copy", () => {
    const shape = SHAPES[7]!;
    const network = randomNetwork(shape);
    const model = toLayersModel(tf, network);
    const copy = fromLayersModel(model);
    expect(copy).toEqual(network);
    copy.layers[0]!.kernel.fill(7);
    network.layers[0]!.kernel.fill(8);
    expect(fromLayersModel(model)).toEqual(randomNetwork(shape));
    model.dispose();
  });

  test.each(SHAPES)(
    "what we write, TensorFlow.js loads and saves byte for byte: $hiddenActivation, $outputActivation",
    async (shape) => {
      const network = randomNetwork(shape);
      const { json, bin } = formatLayersModel(network, "network");
      const model = await loaded(tf, { json, bin });
      const artifacts = await saved(tf, model);
      expect(Buffer.from(artifacts.weightData as ArrayBuffer).equals(bin)).toBe(true);
      expect(artifacts.weightSpecs).toEqual(json.weightsManifest[0]!.weights);
      expect(parseArtifacts(artifacts)).toEqual(network);
      const rows = randomRows(5, "saved");
      expectClose(
        predict(tf, model, rows),
        rows.map((row) => forward(network, row)),
      );
      model.dispose();
    },
  );

  slowTest.each(["value", "outcomes"] as const)(
    "a policy that we write is the second output, beside the %s, and comes back",
    async (head) => {
      const game = createGame("connect-four");
      const features = game.featureSets["fours"]!;
      const policyHead = game.policyHead!;
      const values = head === "value" ? 1 : 3;
      const network = randomNetwork(
        {
          inputs: features.size,
          hidden: [9, 5],
          hiddenActivation: "relu",
          outputs: values + policyHead.size,
          outputActivation: head === "value" ? "tanh" : "softmax",
          logits: policyHead.size,
        },
        head,
      );
      const model = await loaded(tf, formatLayersModel(network, "network"));
      expect(parseArtifacts(await saved(tf, model))).toEqual(network);
      const evaluator = new NetworkEvaluator(game, features, { network, head, policyHead });
      for (const state of randomPositions(game, 20)) {
        evaluator.look(state, state.toMove);
        const row = Array.from({ length: features.size }, () => 0);
        for (let at = 0; at < evaluator.active; at++) row[evaluator.index[at]]! += evaluator.value[at]!;
        const outputs = tf.tidy(() =>
          (model.predict(tf.tensor2d([row])) as import("@tensorflow/tfjs-core").Tensor[]).map((one) => [
            ...one.dataSync(),
          ]),
        );
        expect(outputs.map(({ length }) => length)).toEqual([values, policyHead.size]);
        for (const [at, ours] of [evaluator.outputs, evaluator.logits].entries())
          for (const [unit, value] of ours.entries())
            expect(Math.abs(outputs[at]![unit]! - value)).toBeLessThan(1e-4);
      }
      model.dispose();
    },
  );

  slowTest("a model that TensorFlow.js trained and saved is read, and predicts the same", async () => {
    const model = tf.sequential({
      layers: [
        tf.layers.dense({ inputShape: [INPUTS], units: 8, activation: "relu" }),
        tf.layers.dropout({ rate: 0.1 }),
        tf.layers.dense({ units: 4 }),
        tf.layers.activation({ activation: "sigmoid" }),
        tf.layers.dense({ units: 2, activation: "softmax", useBias: false }),
      ],
    });
    const optimizer = tf.train.adam(0.01);
    model.compile({ optimizer, loss: "categoricalCrossentropy" });
    const rows = randomRows(64, "training");
    const inputs = tf.tensor2d(rows);
    const targets = tf.tensor2d(rows.map(([first = 0]) => (first > 0.5 ? [1, 0] : [0, 1])));
    const { history } = await model.fit(inputs, targets, { epochs: 30, verbose: 0 });
    const losses = history["loss"] as number[];
    expect(losses.at(-1)).toBeLessThan(losses[0]!);
    const network = parseArtifacts(await saved(tf, model));
    expect(network.layers.map(({ activation }) => activation)).toEqual(["relu", "sigmoid", "softmax"]);
    expect(fromLayersModel(model)).toEqual(network);
    expectClose(
      predict(tf, model, rows),
      rows.map((row) => forward(network, row)),
    );
    model.dispose();
    optimizer.dispose();
    tf.dispose([inputs, targets]);
  });

  test("a functional model that is a chain is read; one that is none is refused", () => {
    const input = tf.input({ shape: [INPUTS] });
    const hidden = tf.layers
      .dense({ units: 4, activation: "tanh" })
      .apply(input) as import("@tensorflow/tfjs-layers").SymbolicTensor;
    const output = tf.layers.dense({ units: 1 }).apply(hidden) as typeof hidden;
    const chain = tf.model({ inputs: input, outputs: output });
    const network = fromLayersModel(chain);
    const rows = randomRows(5, "functional");
    expectClose(
      predict(tf, chain, rows),
      rows.map((row) => forward(network, row)),
    );
    const fork = tf.model({ inputs: input, outputs: [hidden, output] });
    expect(() => fromLayersModel(fork)).toThrow("do not form one chain");
    const pool = tf.sequential({ layers: [tf.layers.flatten({ inputShape: [3, 4] })] });
    expect(() => fromLayersModel(pool)).toThrow(/is of kind Flatten; what can be read: InputLayer, Dense/);
    chain.dispose();
    pool.dispose();
  });
});
