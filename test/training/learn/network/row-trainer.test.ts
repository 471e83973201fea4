import { describe, expect, test } from "vitest";
import type { Network } from "../../../../src/evaluators/network/network.ts";
import { PlainTrainer } from "../../../../src/training/learn/network/plain-trainer.ts";
import { RowTrainer } from "../../../../src/training/learn/network/row-trainer.ts";
import { randomBatch, randomNetwork } from "../../../support/networks.ts";

const SHAPE = {
  inputs: 7,
  hidden: [19, 6],
  hiddenActivation: "relu",
  outputs: 3,
  outputActivation: "softmax",
} as const;
const batchOf = (number: number, size = 70) => randomBatch({ inputs: 7, outputs: 3, size }, "rows", number);

function copyOf(network: Network): Network {
  const layers = network.layers.map((layer) => ({
    ...layer,
    kernel: layer.kernel.slice(),
    bias: layer.bias.slice(),
  }));
  return { ...network, layers };
}

const weightsOf = ({ layers }: Network) => layers.flatMap(({ kernel, bias }) => [...kernel, ...bias]);

describe("where all features are active, a step is that of the plain trainer", () => {
  const shapes = [
    { ...SHAPE, loss: "cross-entropy" },
    { ...SHAPE, hiddenActivation: "tanh", loss: "cross-entropy" },
    { ...SHAPE, hidden: [16], outputs: 3, outputActivation: "tanh", logits: 2, loss: "mean-squared-error" },
  ] as const;
  test.each(shapes.map((shape) => [JSON.stringify(shape), shape] as const))("%s", (_, { loss, ...shape }) => {
    const network = randomNetwork(shape, "rows");
    const [one, other] = [copyOf(network), copyOf(network)];
    const plain = new PlainTrainer(one, { loss, stepSize: 0.01 });
    const rows = new RowTrainer(other, { loss, stepSize: 0.01, maxActive: 64 });
    for (const size of [70, 33, 64, 129, 70]) {
      const batch = batchOf(size, size);
      expect(new Set(batch.index.subarray(0, batch.offsets[size])).size).toBe(7);
      expect(rows.lossOf(batch)).toBeCloseTo(plain.lossOf(batch), 5);
      expect(rows.policyLoss).toBeCloseTo(plain.policyLoss, 5);
      expect(rows.trainBatch(batch)).toBeCloseTo(plain.trainBatch(batch), 5);
    }
    const wanted = weightsOf(one);
    for (const [at, weight] of weightsOf(rows.network()).entries())
      expect(weight).toBeCloseTo(wanted[at]!, 4);
  });
});

test("rows of features that are not active keep their weights and moments", () => {
  const network = randomNetwork(SHAPE, "rows");
  const trainer = new RowTrainer(network, { loss: "cross-entropy", maxActive: 7 });
  trainer.trainBatch(batchOf(0));
  const [before, moments] = [copyOf(trainer.network()), trainer.save()];
  const one = batchOf(1, 4);
  trainer.trainBatch({ ...one, index: one.index.map(() => 3) });
  const row = (kernel: Float32Array, input: number) => kernel.slice(19 * input, 19 * (input + 1));
  for (let input = 0; input < 7; input++)
    for (const [after, ago] of [
      [trainer.network().layers[0]!.kernel, before.layers[0]!.kernel],
      [trainer.save().first[0]!, moments.first[0]!],
      [trainer.save().second[0]!, moments.second[0]!],
    ] as const)
      if (input === 3) expect(row(after, input)).not.toEqual(row(ago, input));
      else expect(row(after, input)).toEqual(row(ago, input));
});

test("saved and restored, a trainer goes on to the last bit", () => {
  const network = randomNetwork(SHAPE, "rows");
  const undisturbed = new RowTrainer(network, { loss: "cross-entropy", maxActive: 7 });
  for (let number = 0; number < 3; number++) undisturbed.trainBatch(batchOf(number));
  const copy = copyOf(undisturbed.network());
  const resumed = new RowTrainer(copy, { loss: "cross-entropy", maxActive: 7 });
  resumed.restore(undisturbed.save());
  for (let number = 3; number < 6; number++) {
    const loss = undisturbed.trainBatch(batchOf(number));
    expect(resumed.trainBatch(batchOf(number))).toBe(loss);
  }
  expect(weightsOf(resumed.network())).toEqual(weightsOf(undisturbed.network()));
});
