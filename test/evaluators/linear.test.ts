import { describe, expect, test } from "vitest";
import { createRandom } from "../../src/base/random.ts";
import { LinearEvaluator, OUTPUTS, type Output } from "../../src/evaluators/linear.ts";
import { type FeatureSet, type Game, type State, isDuel } from "../../src/games/contract/game.ts";
import { createGame } from "../../src/games/index.ts";
import { randomPositions } from "../agents/play.ts";
import { usualGames, sampleName } from "../games/samples.ts";

/** The feature vector: values by index. */
function sparse(features: FeatureSet, state: State, player: number): Map<number, number> {
  const index = new Int32Array(features.maxActive);
  const value = new Float32Array(features.maxActive).fill(1);
  const values = new Map<number, number>();
  const count = features.extract(state, player, index, value);
  for (let at = 0; at < count; at++) values.set(index[at], (values.get(index[at]) ?? 0) + value[at]);
  return values;
}

function dot(weights: Float32Array, values: ReadonlyMap<number, number>): number {
  let sum = 0;
  for (const [index, value] of values) sum += weights[index] * value;
  return sum;
}

const FEATURE_SETS = usualGames.flatMap((spec) =>
  Object.keys(createGame(spec).featureSets).map((name) => [sampleName(spec), name, spec] as const),
);

describe.each(FEATURE_SETS)("%s, features %s", (_, name, spec) => {
  const game = createGame(spec);
  const features = game.featureSets[name]!;
  const duel = isDuel(game);
  const positions = randomPositions(game, 12);
  const players = Array.from({ length: game.players }, (_, player) => player);
  /** Random weights up to `scale`, of the features that come up: a feature set may have millions. */
  const create = (output: Output, scale: number) => {
    const random = createRandom("weights", name);
    const weights = new Float32Array(features.size);
    for (const state of positions)
      for (const player of players)
        for (const index of sparse(features, state, player).keys())
          weights[index] = scale * (2 * random.float() - 1);
    return new LinearEvaluator(game, features, { weights, output });
  };

  test("the sum is the dot product, of half the views' difference where they are mirrored", () => {
    const evaluator = create("identity", 1);
    const { weights } = evaluator;
    for (const state of positions)
      for (const player of players) {
        const own = dot(weights, sparse(features, state, player));
        const mirrored = duel && features.symmetry === "mirrored";
        const wanted = mirrored ? (own - dot(weights, sparse(features, state, 1 - player))) / 2 : own;
        expect(evaluator.sum(state, player)).toBeCloseTo(wanted, 4);
      }
  });

  test("the active features that it leaves for learners give the sum again", () => {
    const evaluator = create("tanh", 1);
    for (const state of positions)
      for (const player of players) {
        const sum = evaluator.sum(state, player);
        let again = 0;
        for (let at = 0; at < evaluator.active; at++)
          again += evaluator.weights[evaluator.index[at]] * evaluator.value[at];
        expect(again).toBeCloseTo(sum, 4);
      }
  });

  test("values stay strictly within the returns, also with huge weights, and negate exactly between two", () => {
    for (const output of OUTPUTS)
      for (const scale of [0.01, 1e6]) {
        const evaluator = create(output, scale);
        for (const state of positions) {
          const values = players.map((player) => evaluator.evaluate(state, player));
          expect(Math.min(...values)).toBeGreaterThan(game.minReturn);
          expect(Math.max(...values)).toBeLessThan(game.maxReturn);
          if (duel) expect(values[0]! + values[1]!).toBe(0);
        }
      }
  });
});

describe("output functions", () => {
  const base = createGame("connect-four");
  const features = base.featureSets["lines"]!;
  /** An evaluator of a game with these bounds. */
  const create = (
    output: Output,
    [minReturn, maxReturn]: readonly [number, number],
    more: Partial<Game> = {},
  ) =>
    new LinearEvaluator({ ...base, minReturn, maxReturn, ...more }, features, {
      weights: new Float32Array(features.size),
      output,
    });
  const RANGES = [
    [-1, 1],
    [-24, 24],
    [0, 100],
    [-0.5, 1],
  ] as const;
  const sums = Array.from({ length: 81 }, (_, at) => (at - 40) / 8);

  test.each(OUTPUTS)("%s rises, is bounded, and odd about the middle of the range", (output) => {
    for (const range of RANGES) {
      const evaluator = create(output, range);
      const middle = (range[0] + range[1]) / 2;
      const offset = output === "identity" ? middle : 0;
      const values = sums.map((sum) => evaluator.squash(sum + offset));
      values.forEach((value, at) => {
        expect(value - middle).toBeCloseTo(middle - values.at(-1 - at)!, 9);
        if (at > 0) expect(value).toBeGreaterThanOrEqual(values[at - 1]!);
      });
      for (const sum of [-1e9, -1e3, 1e3, 1e9]) {
        expect(evaluator.squash(sum)).toBeGreaterThan(range[0]);
        expect(evaluator.squash(sum)).toBeLessThan(range[1]);
      }
    }
  });

  test("their values are those of their formulas", () => {
    const value = (output: Output, sum: number) => create(output, [0, 10]).squash(sum);
    expect(value("identity", 3.25)).toBe(3.25);
    expect(value("tanh", 0.5)).toBeCloseTo(5 + 5 * Math.tanh(0.5), 4);
    expect(value("logistic", 0.5)).toBeCloseTo(10 / (1 + Math.exp(-0.5)), 4);
  });

  test.each(OUTPUTS)("the slope of %s is its numeric derivative", (output) => {
    for (const range of RANGES) {
      const evaluator = create(output, range);
      const middle = (range[0] + range[1]) / 2;
      const reach = output === "identity" ? (range[1] - range[0]) / 12 : 1;
      for (const at of sums) {
        const sum = output === "identity" ? middle + at * reach : at;
        const step = 1e-5;
        const numeric = (evaluator.squash(sum + step) - evaluator.squash(sum - step)) / (2 * step);
        expect(evaluator.slope(evaluator.squash(sum))).toBeCloseTo(numeric, 4);
      }
    }
  });

  test("in a game with rewards along the way they are added, and the whole stays within the returns", () => {
    const evaluator = create("identity", [0, 100], { rewardsAlongTheWay: true });
    const state = base.start();
    state.returns = () => 30;
    expect(evaluator.evaluate(state, 0)).toBeCloseTo(30, 3);
    evaluator.weights.fill(1000);
    expect(evaluator.evaluate(state, 0)).toBeLessThan(100);
    expect(evaluator.evaluate(state, 0)).toBeGreaterThan(99.9);
  });
});

test("a wrong number of weights is refused", () => {
  const game = createGame("connect-four");
  const features = game.featureSets["lines"]!;
  const weights = new Float32Array(features.size + 1);
  expect(() => new LinearEvaluator(game, features, { weights, output: "tanh" })).toThrow(
    `${features.size + 1} weights for ${features.size} features`,
  );
});
