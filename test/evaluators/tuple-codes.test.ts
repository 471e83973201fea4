import { describe, expect, test } from "vitest";
import { createRandom } from "../../src/base/random.ts";
import { createLinear, modelFeatures, type NTupleModel } from "../../src/evaluators/models.ts";
import { walkTuples } from "../../src/evaluators/n-tuple.ts";
import { CHANCE, TERMINAL } from "../../src/games/contract/game.ts";
import { createGame } from "../../src/games/index.ts";

const GAMES = ["connect-four", "othello", "breakthrough", "checkers"] as const;

/** The sum of a position, whose features are read anew, in any order. */
function plainSum(model: NTupleModel, id: (typeof GAMES)[number], weights: Float32Array) {
  const game = createGame(id);
  const features = modelFeatures(game, model);
  const index = new Int32Array(features.maxActive);
  return (state: ReturnType<typeof game.start>, player: number): number => {
    const viewer = features.viewer!(state);
    features.extract(state, viewer, index, new Float32Array(0));
    const stage = model.stages.filter((begins) => begins <= game.phase!.of(state)).length;
    const sum = index.reduce((total, feature) => total + weights[stage * features.size + feature]!, 0);
    return viewer === player ? sum : -sum;
  };
}

describe.each(GAMES)("%s", (id) => {
  // Two of the games have no measure of progress for stages.
  const phased = createGame(id).phase !== undefined;
  test.each(phased ? [[[]], [[6, 12]]] : [[[]]])(
    "sums follow moves and undone moves, and weights that change, with stages from %j",
    (stages) => {
      const game = createGame(id);
      const random = createRandom("codes", id);
      const tuples = walkTuples(game.tupleBoard!, { count: 4, length: 3 }, random);
      const model: NTupleModel = { kind: "n-tuple", tuples, output: "identity", stages };
      const { size } = modelFeatures(game, model);
      const weights = Float32Array.from(
        { length: size * (stages.length + 1) },
        () => 0.02 * random.float() - 0.01,
      );
      const evaluator = createLinear(game, model, weights);
      const sum = plainSum(model, id, weights);
      const actions = new Int32Array(game.maxActions);
      const state = game.start();
      const made: number[] = [];
      for (let step = 0; step < 400; step++) {
        const over = state.toMove === TERMINAL;
        if (made.length > 0 && (over || random.float() < 0.4)) {
          state.undo();
          made.pop();
        } else {
          expect(state.toMove).not.toBe(CHANCE);
          made.push(actions[random.below(state.legalActions(actions, 0))]!);
          state.apply(made.at(-1)!);
        }
        if (state.toMove === TERMINAL) continue;
        for (const player of [0, 1])
          expect(evaluator.evaluate(state, player)).toBeCloseTo(sum(state, player), 6);
        expect(evaluator.sum(state, 0)).toBeCloseTo(sum(state, 0), 6);
        if (step % 7 === 0) {
          // To the last bit, the sum depends on the position alone.
          expect(evaluator.evaluate(state, 0)).toBe(createLinear(game, model, weights).evaluate(state, 0));
          weights[evaluator.index[random.below(evaluator.active)]!] = 0.02 * random.float() - 0.01;
          expect(evaluator.sumAgain()).toBeCloseTo(sum(state, 0), 6);
        }
      }
    },
  );
});
