import { describe, expect, test } from "vitest";
import { createRandom } from "../../src/base/random.ts";
import { InputError } from "../../src/base/errors.ts";
import { createLinear, type LinearModel, type NTupleModel } from "../../src/evaluators/models.ts";
import { TERMINAL } from "../../src/games/contract/game.ts";
import { createGame } from "../../src/games/index.ts";
import { TdLearner } from "../../src/training/learn/td.ts";
import { randomPositions } from "../agents/play.ts";
import { randomGames, retell } from "../training/play.ts";

const game = createGame("connect-four");
const progress = game.phase!;
const TUPLES = [[0, 6, 12]];

const MODELS: readonly (LinearModel | NTupleModel)[] = [
  { kind: "linear", features: "lines", output: "tanh", stages: [] },
  { kind: "n-tuple", tuples: TUPLES, output: "tanh", stages: [] },
];

describe.each(MODELS)("$kind", (model) => {
  const size = model.kind === "linear" ? game.featureSets["lines"]!.size : 4 ** (3 + 1);
  const random = createRandom("stages");
  const weights = Float32Array.from({ length: 3 * size }, () => random.float() - 0.5);
  const staged = createLinear(game, { ...model, stages: [10, 25] }, weights);

  test("each stage is an evaluator of its own, from its first position on", () => {
    const stages = [0, 1, 2].map((stage) =>
      createLinear(game, model, weights.slice(stage * size, (stage + 1) * size)),
    );
    const seen = new Set<number>();
    for (const state of randomPositions(game, 400)) {
      const stones = progress.of(state);
      const stage = stones < 10 ? 0 : stones < 25 ? 1 : 2;
      seen.add(stones);
      for (const player of [0, 1])
        expect(staged.evaluate(state, player)).toBeCloseTo(stages[stage]!.evaluate(state, player), 6);
    }
    // Both sides of both boundaries.
    for (const stones of [9, 10, 24, 25]) expect(seen).toContain(stones);
  });

  test("what is learnt in one stage leaves the others' weights alone", () => {
    const learnt = weights.slice();
    const evaluator = createLinear(game, { ...model, stages: [10, 25] }, learnt);
    const learner = new TdLearner(game, evaluator, { lambda: 0.5 });
    learner.stepSize = 0.1;
    // Games that end before their 25th stone, and only the positions from the 11th stone on.
    const short = randomGames(game, 300).filter((seen) => seen.length < 25);
    expect(short.length).toBeGreaterThan(50);
    for (const seen of short) {
      const late = seen.slice(11);
      if (late.length > 1 && late[0]!.state.toMove !== TERMINAL) retell(late, learner);
    }
    const moved = [0, 1, 2].map((stage) => {
      const part = learnt.subarray(stage * size, (stage + 1) * size);
      return part.reduce((count, weight, at) => count + (weight === weights[stage * size + at] ? 0 : 1), 0);
    });
    expect(moved[0]).toBe(0);
    expect(moved[1]).toBeGreaterThan(size / 50);
    expect(moved[2]).toBe(0);
  });
});

test("stages must ascend, lie within the game, and be of a game that can tell", () => {
  const refusal = (stages: number[], id = "connect-four", features = "lines") => {
    try {
      createLinear(createGame(id), { kind: "linear", features, output: "tanh", stages }, new Float32Array(0));
    } catch (error) {
      if (error instanceof InputError) return error.message;
      throw error;
    }
    throw new Error("not refused");
  };
  expect(refusal([20, 10])).toBe("stages: must be ascending numbers of stones, at most 42");
  expect(refusal([10, 10])).toBe("stages: must be ascending numbers of stones, at most 42");
  expect(refusal([43])).toBe("stages: must be ascending numbers of stones, at most 42");
  expect(refusal([5], "tic-tac-toe")).toBe("stages: tic-tac-toe has no measure of progress for stages");
});
