import { beforeAll, describe, expect, test } from "vitest";
import { ACTIVATIONS, type Network } from "../../../../src/evaluators/network/network.ts";
import { loadTensorFlow, type TensorFlow } from "../../../../src/training/learn/tensorflow/backend.ts";
import {
  TensorFlowTrainer,
  toLayersModel,
} from "../../../../src/training/learn/tensorflow/tensorflow-trainer.ts";
import { fromLayersModel } from "../../../support/networks.ts";
import type { AdamOptions, BatchTrainer, SampleBatch } from "../../../../src/training/learn/network/batch.ts";
import { PlainTrainer } from "../../../../src/training/learn/network/plain-trainer.ts";
import { randomBatch, randomNetwork, workingBackends } from "../../../support/networks.ts";
import { everyFew, thorough } from "../../../support/thorough.ts";

const BATCHES = thorough(20, 10);
/** Every activation in a hidden layer with every one at the end; of these, a part that has each in either place. */
const PAIRS = everyFew(
  ACTIVATIONS.flatMap((hidden) => ACTIVATIONS.map((output) => ({ hidden, output }))),
  3,
);
const STEP_SIZE = 0.01;

const shape = (
  hiddenActivation: Network["layers"][0]["activation"],
  outputActivation: typeof hiddenActivation,
  outputs = 2,
) => ({ inputs: 10, hidden: [7, 5], hiddenActivation, outputs, outputActivation }) as const;

const sameBatches = (outputs: number, from = 0) =>
  Array.from({ length: BATCHES }, (_, at) => randomBatch({ inputs: 10, outputs, size: 16 }, from + at));

/** The features of a batch as rows of all inputs. */
function denseRows({ size, offsets, index, value }: SampleBatch): number[][] {
  return Array.from({ length: size }, (_, sample) => {
    const row = Array.from({ length: 10 }, () => 0);
    for (let at = offsets[sample]; at < offsets[sample + 1]; at++) row[index[at]]! += value[at];
    return row;
  });
}

/** The largest difference between the weights of two networks of one shape. */
function distance(a: Network, b: Network): number {
  let largest = 0;
  for (const [at, layer] of a.layers.entries())
    for (const part of ["kernel", "bias"] as const)
      for (const [index, weight] of layer[part].entries())
        largest = Math.max(largest, Math.abs(weight - b.layers[at]![part][index]));
  return largest;
}

/** Trains both on the same batches and compares losses; returns how far their weights are apart. */
function race(one: BatchTrainer, other: BatchTrainer, batches: readonly SampleBatch[]): number {
  for (const batch of batches) expect(one.trainBatch(batch)).toBeCloseTo(other.trainBatch(batch), 5);
  return distance(one.network(), other.network());
}

describe.each(await workingBackends())("TensorFlow.js, %s backend", (backend) => {
  let tf: TensorFlow;
  beforeAll(async () => {
    ({ tf } = await loadTensorFlow(backend));
    expect(tf.getBackend()).toBe(backend === "node" ? "tensorflow" : backend);
  });

  test("steps are those of model.trainOnBatch with tf.train.adam", async () => {
    const network = randomNetwork(shape("sigmoid", "tanh"));
    const trainer = new TensorFlowTrainer(tf, network, { stepSize: STEP_SIZE });
    const model = toLayersModel(tf, network);
    model.compile({ optimizer: tf.train.adam(STEP_SIZE), loss: "meanSquaredError" });
    for (const given of sameBatches(2)) {
      // tfjs-layers 4.22 has no sample weights.
      const batch = { ...given, weights: given.weights.map(() => 1) };
      const targets = tf.tensor2d(batch.targets, [batch.size, 2]);
      const loss = await model.trainOnBatch(tf.tensor2d(denseRows(batch)), targets);
      expect(trainer.trainBatch(batch)).toBeCloseTo(loss as number, 5);
    }
    const trained = fromLayersModel(model);
    expect(distance(trainer.network(), trained)).toBeLessThan(1e-5);
    expect(distance(trained, network)).toBeGreaterThan(BATCHES * STEP_SIZE * 0.25);
  });

  test.each(everyFew(PAIRS, 4))(
    "steps are those of the plain trainer: mean-squared-error, $hidden, $output",
    ({ hidden, output }) => {
      const options: AdamOptions = { stepSize: STEP_SIZE };
      const network = () => randomNetwork(shape(hidden, output));
      const trainer = new TensorFlowTrainer(tf, network(), options);
      expect(race(trainer, new PlainTrainer(network(), options), sameBatches(2))).toBeLessThan(1e-5);
      expect(distance(trainer.network(), network())).toBeGreaterThan(BATCHES * STEP_SIZE * 0.25);
    },
  );

  test.each(["sigmoid", "softmax"] as const)("and with cross-entropy after %s", (output) => {
    const options: AdamOptions = {
      stepSize: STEP_SIZE,
      loss: "cross-entropy",
      beta1: 0.8,
      beta2: 0.9,
      epsilon: 1e-3,
    };
    const network = () => randomNetwork(shape("tanh", output, 3));
    const trainer = new TensorFlowTrainer(tf, network(), options);
    expect(race(trainer, new PlainTrainer(network(), options), sameBatches(3))).toBeLessThan(1e-5);
    expect(trainer.network().layers.at(-1)!.activation).toBe(output);
  });

  test("stopped and resumed, it goes on as if undisturbed, to the last bit; the plain trainer can take over", () => {
    const network = randomNetwork(shape("relu", "tanh"));
    const whole = new TensorFlowTrainer(tf, network);
    const before = new TensorFlowTrainer(tf, network);
    for (const batch of sameBatches(2)) {
      whole.trainBatch(batch);
      before.trainBatch(batch);
    }
    const half = before.network();
    const state = before.save();
    const after = new TensorFlowTrainer(tf, half);
    after.restore(state);
    const plain = new PlainTrainer({
      layers: half.layers.map((layer) => ({
        ...layer,
        kernel: layer.kernel.slice(),
        bias: layer.bias.slice(),
      })),
    });
    plain.restore(state);
    for (const trainer of [whole, after, plain]) trainer.stepSize = STEP_SIZE;
    for (const batch of sameBatches(2, BATCHES)) {
      expect(after.trainBatch(batch)).toBe(whole.trainBatch(batch));
      plain.trainBatch(batch);
    }
    expect(after.network()).toEqual(whole.network());
    expect(after.save()).toEqual(whole.save());
    expect(distance(plain.network(), whole.network())).toBeLessThan(1e-5);
  });

  test("batches may be of any size, in arrays that are longer than they need to be", () => {
    const network = randomNetwork(shape("relu", "tanh"));
    const exact = new TensorFlowTrainer(tf, network);
    const roomy = new TensorFlowTrainer(tf, network);
    for (const size of [3, 16, 1, 5]) {
      const batch = randomBatch({ inputs: 10, outputs: 2, size }, "size", size);
      const { offsets, index, value, targets, weights } = batch;
      const spare = Float32Array.of(9, 9, 9);
      const longer: SampleBatch = {
        size,
        offsets: Int32Array.of(...offsets, 99),
        index: Int32Array.of(...index, 99),
        value: Float32Array.of(...value, ...spare),
        targets: Float32Array.of(...targets, ...spare),
        weights: Float32Array.of(...weights, ...spare),
      };
      expect(roomy.trainBatch(longer)).toBe(exact.trainBatch(batch));
    }
    expect(roomy.network()).toEqual(exact.network());
  });

  test("tensors are freed", () => {
    const [batch] = sameBatches(2);
    const trainer = new TensorFlowTrainer(tf, randomNetwork(shape("relu", "softmax")));
    const held = tf.memory().numTensors;
    for (let step = 0; step < 5; step++) trainer.trainBatch(batch!);
    trainer.restore(trainer.save());
    expect(tf.memory().numTensors).toBe(held);
  });

  test("a loss that does not go with the last activation is refused", () => {
    const network = randomNetwork(shape("relu", "tanh"));
    expect(() => new TensorFlowTrainer(tf, network, { loss: "cross-entropy" })).toThrow(
      "cross-entropy is for networks that end in softmax or sigmoid, not tanh",
    );
  });
});
