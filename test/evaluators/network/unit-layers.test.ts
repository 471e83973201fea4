import { expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { ExactLayers } from "../../../src/evaluators/network/exact-layers.ts";
import { UnitLayers } from "../../../src/evaluators/network/unit-layers.ts";
import { randomNetwork } from "../../support/networks.ts";

test.each([
  ["relu", []],
  ["relu", [19]],
  ["relu", [33, 17, 5]],
  ["tanh", [19, 5]],
  ["sigmoid", [8]],
] as const)(
  "32 bits give the answers of 64, nearly, whatever was seen before: %s, %j",
  (hiddenActivation, hidden) => {
    const maxActive = 12;
    const network = randomNetwork(
      { inputs: 40, hidden, hiddenActivation, outputs: 4, outputActivation: "tanh" },
      "unit",
    );
    const [unit, afresh] = [1, 2].map(() => new UnitLayers(network, { maxActive, players: 2 }));
    const exact = new ExactLayers(network, maxActive);
    for (const layers of [unit!, afresh!, exact]) layers.load(network);
    const random = createRandom("unit", hiddenActivation);
    const index = new Int32Array(maxActive);
    const value = new Float32Array(maxActive).fill(1);
    for (let position = 0; position < 200; position++) {
      // Some features change, and one may be active twice.
      for (let changes = random.below(5); changes >= 0; changes--)
        index[random.below(maxActive)] = random.below(40);
      const seen = { index, value, active: random.below(maxActive + 1), player: random.below(2) };
      unit!.look(seen);
      afresh!.forget();
      afresh!.look(seen);
      exact.look(seen);
      expect(unit!.answer).toEqual(afresh!.answer);
      for (const [at, answer] of exact.answer.subarray(0, 4).entries())
        expect(unit!.answer[at]).toBeCloseTo(answer, 4);
    }
  },
);
