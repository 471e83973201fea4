import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { withWeights } from "../../src/agents/changed-weights.ts";
import { LinearEvaluator } from "../../src/evaluators/linear.ts";
import { loadWeights } from "../../src/specs/files/weights-file.ts";
import { createGame } from "../../src/games/index.ts";
import { planSpec, readAgent } from "../../src/specs/agents.ts";

const game = createGame("connect-four");
const file = fileURLToPath(new URL("../../weights/connect-four/linear.json", import.meta.url));
const { features, weights } = loadWeights(file, game) as LinearEvaluator;
const [first, second] = [features.describe(0), features.describe(5)];

const prepared = (changed: object) =>
  readAgent(game, { agent: "greedy", evaluator: file, weights: changed } as { agent: string });

describe("the option weights", () => {
  test("changes these weights of the agent's evaluator alone", () => {
    const { evaluator } = prepared({ [first]: 0.5, [second]: -2 }).parts;
    const expected = weights.slice();
    expected[0] = 0.5;
    expected[5] = -2;
    expect((evaluator as LinearEvaluator).weights).toEqual(expected);
    expect((loadWeights(file, game) as LinearEvaluator).weights).toEqual(weights);
  });

  test("gives the values of an evaluator that has these weights", () => {
    const expected = weights.slice();
    expected[5] = 1.5;
    const same = new LinearEvaluator(game, features, { weights: expected, output: "tanh" });
    const { evaluator } = prepared({ [second]: 1.5 }).parts;
    const state = game.start();
    for (const column of [3, 3, 2, 4, 2, 5]) {
      state.apply(column);
      expect(evaluator.evaluate(state, 0)).toBe(same.evaluate(state, 0));
    }
  });

  test("leaves the weights of a policy as they are", () => {
    const both = new Float32Array(2 * features.size);
    const evaluator = new LinearEvaluator(game, features, { weights: both, output: "tanh", policy: true });
    const changed = withWeights(game, evaluator, { [first]: 0.5 });
    expect([...changed.weights.keys()].filter((at) => changed.weights[at] !== 0)).toEqual([0]);
    expect(changed.prefer).toBeDefined();
  });

  test("stays in the planned spec", async () => {
    const spec = { agent: "greedy", evaluator: file, weights: { [first]: 0.5 } };
    expect(await planSpec(game, spec, {})).toMatchObject(spec);
  });

  test.each([
    [{ evaluator: file, weights: { "a feature": 1 } }, 'weights: unknown feature "a feature"; allowed: '],
    [
      { evaluator: "threats", weights: { [first]: 1 } },
      "weights: the evaluator has no weights with names: take a weights file of a linear evaluator",
    ],
    [{ evaluator: file, weights: { [first]: "much" } }, `weights.${first}: must be a number, got "much"`],
  ])("refuses %j", (options, message) => {
    expect(() => readAgent(game, { agent: "greedy", ...options })).toThrow(message);
  });

  test("is unknown to agents without an evaluator", () => {
    expect(() => readAgent(game, { agent: "random", weights: {} })).toThrow('unknown key "weights"');
  });
});
