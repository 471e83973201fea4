import { expect, test } from "vitest";
import { createRandom } from "../../../../src/base/random.ts";
import type { Network } from "../../../../src/evaluators/network/network.ts";
import { Adam, PlainTrainer } from "../../../../src/training/learn/network/plain-trainer.ts";
import { randomBatch, randomNetwork } from "../../../support/networks.ts";

function oneWeight(weight: number): Network {
  const layer = { inputs: 1, units: 1, activation: "linear" as const };
  return { layers: [{ ...layer, kernel: Float32Array.of(weight), bias: new Float32Array(1) }] };
}

const slope = (kernel: number) => [{ kernel: Float64Array.of(kernel), bias: new Float64Array(1) }];

test("two steps by hand (algorithm 1 of Kingma and Ba)", () => {
  const network = oneWeight(1);
  const adam = new Adam(network, { stepSize: 0.1, beta1: 0.9, beta2: 0.99, epsilon: 0.5 });
  const { kernel, bias } = network.layers[0]!;

  // m = 0.1 * 2 = 0.2, corrected 0.2 / 0.1 = 2; v = 0.01 * 4 = 0.04, corrected 4; step 0.1 * 2 / (2 + 0.5).
  adam.step(slope(2));
  expect(kernel[0]).toBeCloseTo(1 - 0.08, 6);

  // m = 0.9 * 0.2 - 0.1 = 0.08, corrected / 0.19; v = 0.99 * 0.04 + 0.01 = 0.0496, corrected / 0.0199.
  adam.step(slope(-1));
  const step = (0.1 * (0.08 / 0.19)) / (Math.sqrt(0.0496 / 0.0199) + 0.5);
  expect(kernel[0]).toBeCloseTo(0.92 - step, 6);
  expect(bias[0]).toBe(0);
  expect(adam.save().steps).toBe(2);
});

test("the first step is the step size in the direction of the slope, whatever its length", () => {
  for (const length of [1e-3, 1, 1e3]) {
    const network = oneWeight(0);
    new Adam(network, { stepSize: 0.01 }).step(slope(0 - length));
    expect(network.layers[0]!.kernel[0]).toBeCloseTo(0.01, 5);
  }
});

const SHAPE = {
  inputs: 8,
  hidden: [6],
  hiddenActivation: "relu",
  outputs: 3,
  outputActivation: "softmax",
} as const;
const batchOf = (number: number) => randomBatch({ inputs: 8, outputs: 3, size: 10 }, "adam", number);

test("saved and restored, a trainer goes on to the last bit", () => {
  const network = randomNetwork(SHAPE, "adam");
  const undisturbed = new PlainTrainer(network, { loss: "cross-entropy", stepSize: 0.01 });
  for (let number = 0; number < 5; number++) undisturbed.trainBatch(batchOf(number));
  const copy = {
    layers: network.layers.map((layer) => ({
      ...layer,
      kernel: layer.kernel.slice(),
      bias: layer.bias.slice(),
    })),
  };
  const resumed = new PlainTrainer(copy, { loss: "cross-entropy", stepSize: 0.01 });
  resumed.restore(undisturbed.save());
  for (let number = 5; number < 10; number++)
    expect(resumed.trainBatch(batchOf(number))).toBe(undisturbed.trainBatch(batchOf(number)));
  expect(resumed.network()).toEqual(undisturbed.network());
  const fresh = new PlainTrainer(copy, { loss: "cross-entropy", stepSize: 0.01 });
  fresh.trainBatch(batchOf(10));
  undisturbed.trainBatch(batchOf(10));
  expect(fresh.network()).not.toEqual(undisturbed.network());
});

test("learns the exclusive or, which no single layer can", () => {
  const network = randomNetwork(
    { inputs: 2, hidden: [8], hiddenActivation: "tanh", outputs: 1, outputActivation: "sigmoid" },
    "xor",
  );
  const trainer = new PlainTrainer(network, { loss: "cross-entropy", stepSize: 0.02 });
  const random = createRandom("xor");
  const all = {
    size: 4,
    offsets: Int32Array.of(0, 0, 1, 2, 4),
    index: Int32Array.of(0, 1, 0, 1),
    value: Float32Array.of(1, 1, 1, 1),
    targets: Float32Array.of(0, 1, 1, 0),
    weights: Float32Array.from({ length: 4 }, () => 0.5 + random.float()),
  };
  let loss = Infinity;
  for (let step = 0; step < 1000; step++) loss = trainer.trainBatch(all);
  expect(loss).toBeLessThan(0.01);
});

test("cross-entropy wants probabilities", () => {
  const network = randomNetwork({ ...SHAPE, outputActivation: "tanh" }, "refused");
  expect(() => new PlainTrainer(network, { loss: "cross-entropy" })).toThrow(
    "cross-entropy is for networks that end in softmax or sigmoid, not tanh",
  );
});
