import { describe, expect, test } from "vitest";
import { surveyNetwork, totalWeights } from "../../../src/explain/weights/survey.ts";
import type { Network } from "../../../src/evaluators/network/network.ts";
import { createGame } from "../../../src/games/index.ts";
import { randomNetwork } from "../../support/networks.ts";

const game = createGame("tic-tac-toe");
const features = game.featureSets["lines"]!;

function network(hidden: readonly number[], hiddenActivation: "relu" | "tanh" | "sigmoid"): Network {
  const shape = {
    inputs: features.size,
    hidden,
    hiddenActivation,
    outputs: 1,
    outputActivation: "tanh",
  } as const;
  return randomNetwork(shape, "survey", ...hidden, hiddenActivation);
}

test("the total weight of an input is the sum of the absolute weights of its row", () => {
  const layer = { inputs: 3, units: 2, activation: "relu", bias: new Float32Array(2) } as const;
  const kernel = Float32Array.of(1, -2, 0, 0, -0.5, -0.25);
  expect(Array.from(totalWeights({ layers: [{ ...layer, kernel }] }))).toEqual([3, 0, 0.75]);
});

describe("a survey of a network", () => {
  test("names the inputs with the largest total weight, and counts those that nothing reads", () => {
    const subject = network([4], "relu");
    const { kernel } = subject.layers[0]!;
    kernel.fill(0, 4 * 2, 4 * 4);
    kernel.set([10, -10, 10, -10], 4 * 7);
    kernel.set([9, 9, -9, -9], 4 * 16);
    const { inputs, unreadInputs, layers } = surveyNetwork(game, features, { network: subject, top: 2 });
    expect(inputs).toEqual([
      { name: features.describe(7), totalWeight: 40 },
      { name: "to move", totalWeight: 36 },
    ]);
    expect(unreadInputs).toBe(2);
    expect(layers).toEqual([
      { inputs: 17, units: 4, activation: "relu" },
      { inputs: 4, units: 1, activation: "tanh" },
    ]);
    const matching = surveyNetwork(game, features, { network: subject, top: 2, match: "to move" });
    // All names of the player to move have it; the turn's own has the largest total but one.
    expect(matching.inputs[0]!.name).toMatch(/of the player to move$/);
    expect(matching.inputs.every(({ name }) => name.includes("to move"))).toBe(true);
  });

  test.each(["relu", "tanh", "sigmoid"] as const)(
    "finds planted dead %s units, and no others",
    (activation) => {
      const subject = network([8, 6], activation);
      // Random weights leave some units of the second layer below zero, and these dead.
      subject.layers[1]!.bias.fill(3);
      expect(surveyNetwork(game, features, { network: subject, top: 1 })).toMatchObject({
        deadUnits: [[], []],
        positions: 2000,
      });
      const [first, second] = subject.layers;
      // One is pushed to the activation's flat end, one reads nothing, one reads only a dead one.
      first!.bias[2] = -1000;
      for (let input = 0; input < 17; input++) first!.kernel[8 * input + 5] = 0;
      for (let unit = 0; unit < 8; unit++) if (unit !== 5) second!.kernel[6 * unit + 1] = 0;
      const { deadUnits } = surveyNetwork(game, features, { network: subject, top: 1 });
      expect(deadUnits).toEqual([[3, 6], [2]]);
    },
  );

  test("a network without hidden layers has no dead units", () => {
    const { deadUnits, positions } = surveyNetwork(game, features, { network: network([], "relu"), top: 1 });
    expect({ deadUnits, positions }).toEqual({ deadUnits: [], positions: 0 });
  });

  test("is the same each time, also where chance moves and views are mirrored", () => {
    const backgammon = createGame("backgammon");
    const inputs = backgammon.featureSets["tesauro"]!;
    const subject = randomNetwork(
      { inputs: 198, hidden: [5], hiddenActivation: "relu", outputs: 1, outputActivation: "tanh" },
      "mirrored",
    );
    const survey = () => surveyNetwork(backgammon, inputs, { network: subject, top: 3 });
    expect(survey()).toEqual(survey());
    expect(survey().positions).toBe(2000);
  });
});
