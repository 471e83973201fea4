import { describe, expect, test } from "vitest";
import { ACTIVATIONS, type Activation, type Network } from "../../../../src/evaluators/network/network.ts";
import { ILLEGAL, type Loss, type SampleBatch } from "../../../../src/training/learn/network/batch.ts";
import { BatchGradient } from "../../../../src/training/learn/network/batch-gradient.ts";
import { randomBatch, randomNetwork } from "../../../support/networks.ts";
import { PlainGradient } from "../../../support/plain-gradient.ts";
import { slowTest } from "../../../support/thorough.ts";

const INPUTS = 6;
const OUTPUTS = 3;

function create(hiddenActivation: Activation, outputActivation: Activation, hidden = [5, 4]): Network {
  return randomNetwork(
    { inputs: INPUTS, hidden, hiddenActivation, outputs: OUTPUTS, outputActivation },
    hiddenActivation,
    outputActivation,
  );
}

/** Half the change of `measure` when one weight goes a step up or down, by the step: as 32-bit weights allow. */
function numeric(weights: Float32Array, at: number, measure: () => number): number {
  const before = weights[at]!;
  const values: number[] = [];
  const places: number[] = [];
  for (const step of [-1, 1]) {
    weights[at] = before + step * 2 ** -13;
    places.push(weights[at]);
    values.push(measure());
  }
  weights[at] = before;
  return (values[1]! - values[0]!) / (places[1]! - places[0]!);
}

function expectDerivatives(
  network: Network,
  gradient: Pick<PlainGradient, "layers">,
  measure: () => number,
): void {
  for (const [layer, { kernel, bias }] of network.layers.entries()) {
    const found = gradient.layers[layer]!;
    for (const [weights, derivatives] of [
      [kernel, found.kernel.slice()],
      [bias, found.bias.slice()],
    ] as const)
      for (const at of weights.keys())
        expect(Math.abs(derivatives[at]! - numeric(weights, at, measure))).toBeLessThan(2e-5);
  }
}

const LAST: readonly (readonly [Loss, Activation])[] = [
  ["mean-squared-error", "linear"],
  ["mean-squared-error", "tanh"],
  ["mean-squared-error", "sigmoid"],
  ["mean-squared-error", "softmax"],
  ["cross-entropy", "sigmoid"],
  ["cross-entropy", "softmax"],
];

describe.each(ACTIVATIONS)("hidden layers of %s", (hidden) => {
  test.each(LAST)("%s after %s: derivatives of the loss are its finite differences", (loss, last) => {
    // The corners of relu would spoil differences; these sums keep away from them.
    const network = create(hidden, last);
    if (hidden === "relu") liftBiases(network);
    const batch = randomBatch({ inputs: INPUTS, outputs: OUTPUTS, size: 7 }, hidden, last);
    const gradient = new PlainGradient(network);
    const other = new PlainGradient(network);
    gradient.ofBatch(batch, loss);
    expectDerivatives(network, gradient, () => other.ofBatch(batch, loss));
  });
});

function liftBiases({ layers }: Network): void {
  const { kernel } = layers.at(-1)!;
  for (const at of kernel.keys()) kernel[at]! *= 0.1;
  for (const { bias } of layers.slice(0, -1)) for (const at of bias.keys()) bias[at] = at % 2 === 0 ? 8 : -8;
}

slowTest.each([[[]], [[5]], [[17, 9]], [[3, 8, 2]]])(
  "by vector code, hidden layers %j: the same, batch after batch",
  (hidden) => {
    for (const [number, activation] of ACTIVATIONS.entries())
      for (const [loss, last] of LAST) {
        const network = create(activation, last, hidden);
        const [plain, vector] = [new PlainGradient(network), new BatchGradient(network)];
        for (let repeat = 0; repeat < 3; repeat++) {
          const batch = randomBatch(
            { inputs: INPUTS, outputs: OUTPUTS, size: 1 + 4 * repeat },
            number,
            repeat,
          );
          expect(vector.ofBatch(batch, loss)).toBeCloseTo(plain.ofBatch(batch, loss), 12);
          for (const [layer, { kernel, bias }] of plain.layers.entries()) {
            for (const [at, slope] of kernel.entries())
              expect(vector.layers[layer]!.kernel[at]).toBeCloseTo(slope, 12);
            for (const [at, slope] of bias.entries())
              expect(vector.layers[layer]!.bias[at]).toBeCloseTo(slope, 12);
          }
          for (const { kernel } of network.layers) for (const at of kernel.keys()) kernel[at]! *= 0.9;
        }
      }
  },
);

test("by vector code, a sample without features, and one of more than are taken at a time", () => {
  const network = create("tanh", "linear", [4]);
  const [plain, vector] = [new PlainGradient(network), new BatchGradient(network)];
  for (const count of [0, 255, 256, 257, 512, 700]) {
    const batch: SampleBatch = {
      size: 2,
      offsets: Int32Array.of(0, count, count),
      index: Int32Array.from({ length: count }, (_, at) => (at * 5) % INPUTS),
      value: Float32Array.from({ length: count }, (_, at) => Math.sin(at) / 4),
      targets: new Float32Array(2 * OUTPUTS),
      weights: Float32Array.of(1, 1),
    };
    expect(vector.ofBatch(batch, "mean-squared-error")).toBeCloseTo(
      plain.ofBatch(batch, "mean-squared-error"),
      10,
    );
    for (const [at, slope] of plain.layers[0]!.kernel.entries())
      expect(vector.layers[0]!.kernel[at]).toBeCloseTo(slope, 10);
  }
});

test.each(["softmax", "sigmoid", "linear"] as const)("derivatives of one output, %s", (last) => {
  const network = create("tanh", last);
  const { index, value, offsets } = randomBatch({ inputs: INPUTS, outputs: OUTPUTS, size: 1 }, last);
  const gradient = new PlainGradient(network);
  const other = new PlainGradient(network);
  for (let output = 0; output < OUTPUTS; output++) {
    gradient.clear();
    gradient.forward(index, value, 0, offsets[1]!);
    gradient.outputGradient.fill(0);
    gradient.outputGradient[output] = 1;
    gradient.backward(index, value, 0, offsets[1]!);
    expectDerivatives(network, gradient, () => {
      other.forward(index, value, 0, offsets[1]!);
      return other.outputs[output]!;
    });
  }
});

test("losses as Keras defines them, by hand", () => {
  // No features: the outputs are the biases, through the activation.
  const network = create("linear", "linear", []);
  network.layers[0]!.bias.set([1, 2, 4]);
  const batch: SampleBatch = {
    size: 2,
    offsets: Int32Array.of(0, 0, 0),
    index: new Int32Array(0),
    value: new Float32Array(0),
    targets: Float32Array.of(0, 2, 5, 1, 2, 1),
    weights: Float32Array.of(1, 0.5),
  };
  // (1 (1 + 0 + 1) / 3 + 1/2 (0 + 0 + 9) / 3) / 2.
  expect(new PlainGradient(network).ofBatch(batch, "mean-squared-error")).toBeCloseTo(13 / 12, 6);

  const soft = create("linear", "softmax", []);
  soft.layers[0]!.bias.set([0, Math.log(2), Math.log(5)]);
  const wanted = { ...batch, size: 1, targets: Float32Array.of(0.5, 0.5, 0), weights: Float32Array.of(1) };
  // Outputs 1/8, 2/8, 5/8.
  expect(new PlainGradient(soft).ofBatch(wanted, "cross-entropy")).toBeCloseTo(
    (Math.log(8) + Math.log(4)) / 2,
    6,
  );
});

test("by vector code, a first layer without biases is one whose biases are 0; the loss alone is the same", () => {
  const batch = randomBatch({ inputs: INPUTS, outputs: 1, size: 9 }, "no biases");
  const layer = { inputs: INPUTS, units: 1, activation: "sigmoid" as const };
  const kernel = Float32Array.from({ length: INPUTS }, (_, at) => Math.sin(at));
  const gradients = [0, 1].map(
    (biases) => new BatchGradient({ layers: [{ ...layer, kernel, bias: new Float32Array(biases) }] }),
  );
  for (let repeat = 0; repeat < 2; repeat++) {
    const losses = gradients.map((gradient) => gradient.ofBatch(batch, "mean-squared-error"));
    expect(losses[0]).toBe(losses[1]);
    expect(gradients[0]!.lossOf(batch, "mean-squared-error")).toBe(losses[0]);
    gradients.map((gradient) => gradient.ofBatch(batch, "mean-squared-error"));
    expect(gradients[0]!.layers[0]!.kernel).toEqual(gradients[1]!.layers[0]!.kernel);
    kernel[2]! += 1;
  }
});

test("a policy: derivatives of the loss are its finite differences, and illegal actions have none", () => {
  const LOGITS = 4;
  const outputs = OUTPUTS + LOGITS;
  const shape = {
    inputs: INPUTS,
    hidden: [5, 4],
    hiddenActivation: "tanh",
    outputActivation: "tanh",
  } as const;
  const policy = randomNetwork({ ...shape, outputs, logits: LOGITS }, "policy");
  const size = 6;
  const batch = randomBatch({ inputs: INPUTS, outputs, size }, "policy", "tanh");
  for (let sample = 0; sample < size; sample++) {
    const first = sample * outputs + OUTPUTS;
    // The number `sample % 4` is illegal; the others have 1/2, 1/4 and 1/4.
    const shares = [0.5, 0.25, 0.25];
    for (let at = 0, next = 0; at < LOGITS; at++)
      batch.targets[first + at] = at === sample % LOGITS ? ILLEGAL : shares[next++]!;
  }
  const gradient = new BatchGradient(policy);
  const other = new BatchGradient(policy);
  const loss = gradient.ofBatch(batch, "mean-squared-error");
  expect(gradient.policyLoss).toBeGreaterThan(0);
  expect(loss).toBeGreaterThan(gradient.policyLoss);
  expectDerivatives(policy, gradient, () => other.ofBatch(batch, "mean-squared-error"));
  // The logit of an action that is nowhere legal learns nothing.
  for (let sample = 0; sample < size; sample++)
    batch.targets.set([ILLEGAL, 1, 0, 0], sample * outputs + OUTPUTS);
  gradient.ofBatch(batch, "mean-squared-error");
  expect(gradient.layers.at(-1)!.bias[OUTPUTS]).toBe(0);
  expect(gradient.layers.at(-1)!.bias[OUTPUTS + 1]).toBeLessThan(0);
});
