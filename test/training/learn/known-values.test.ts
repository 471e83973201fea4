import { describe, expect, test } from "vitest";
import { LinearEvaluator, type Output } from "../../../src/evaluators/linear.ts";
import type { FeatureSet, Game } from "../../../src/games/contract/game.ts";
import { TdLearner, type TdOptions } from "../../../src/training/learn/td.ts";
import { randomGames, retell, type Seen } from "../play.ts";
import { walk, type WalkState } from "../walk.ts";
import { slowTest, thorough } from "../../support/thorough.ts";

/*
 * The random walk of Sutton (1988, section 3.2) and its kin, whose values are known: from cell i of five
 * the chance to fall off on the right is i / 6. With n visits left in the average, the error of a value is
 * about 0.5 / sqrt(n), in units of the return: the bounds are four of them or more.
 */
const CELLS = 5;

function evaluatorOf(
  game: Game,
  output: Output = "identity",
  features: FeatureSet = game.featureSets["cells"]!,
): LinearEvaluator {
  return new LinearEvaluator(game, features, { weights: new Float32Array(features.size), output });
}

interface Lessons extends TdOptions {
  readonly games: number;
  /** The step size is `step / (1 + game / 100)`, or `step` where it is `steady`. */
  readonly step: number;
  readonly steady?: boolean;
}

/** The weights after random walks. */
function learn(
  game: Game,
  evaluator: LinearEvaluator,
  { games, step, steady, ...options }: Lessons,
): number[] {
  const learner = new TdLearner(game, evaluator, options);
  const seed = `td ${options.lambda}`;
  for (let from = 0; from < games; from += 1000) {
    for (const [at, seen] of randomGames(game, 1000, { seed: `${seed} ${from}` }).entries()) {
      learner.stepSize = steady === true ? step : step / (1 + (from + at) / 100);
      retell(seen, learner);
    }
  }
  return Array.from(evaluator.weights);
}

function expectNear(values: readonly number[], wanted: readonly number[], within: number): void {
  for (const [at, value] of wanted.entries()) expect(Math.abs(values[at]! - value)).toBeLessThan(within);
}

const TO_THE_RIGHT = [1, 2, 3, 4, 5].map((cell) => cell / 6);
const TO_THE_LEFT = TO_THE_RIGHT.map((chance) => 1 - chance);

describe.each(thorough([0, 0.5, 1], [0.5]))("lambda %d", (lambda) => {
  slowTest("the chance to fall off on the right", () => {
    const game = walk();
    const values = learn(game, evaluatorOf(game), { lambda, games: 20_000, step: 0.2 });
    expectNear(values, TO_THE_RIGHT, 0.03);
  });

  slowTest.each(["tanh", "logistic"] as const)("the same through %s", (output) => {
    const game = walk();
    const evaluator = evaluatorOf(game, output);
    const values = learn(game, evaluator, { lambda, games: 20_000, step: 1 });
    expectNear(
      values.map((sum) => evaluator.squash(sum)),
      TO_THE_RIGHT,
      0.03,
    );
  });

  slowTest.each([
    ["identity", 0],
    ["exponential", 2.7],
  ] as const)("the same with temporal coherence, %s", (kind, beta) => {
    const game = walk();
    const coherence = { kind, beta };
    // By the coherence itself the rates fall to nothing, by its exponential to exp(-beta) of the step.
    const steady = kind === "identity";
    const step = steady ? 0.1 : 1;
    const values = learn(game, evaluatorOf(game), { lambda, coherence, games: 20_000, step, steady });
    expectNear(values, TO_THE_RIGHT, 0.03);
  });

  slowTest("the same where features are many and large, the step shared among them", () => {
    const game = walk();
    const crowd = crowded(game.featureSets["cells"]!);
    const evaluator = evaluatorOf(game, "identity", crowd);
    learn(game, evaluator, { lambda, normalized: true, games: 20_000, step: 0.2 });
    expectNear(valuesOf(game, evaluator), TO_THE_RIGHT, 0.03);
  });

  slowTest("three players learn their own views of one game", () => {
    const game = walk({ players: 3 });
    const values = learn(game, evaluatorOf(game), { lambda, games: 20_000, step: 0.2 });
    expectNear(values, [...TO_THE_RIGHT, ...TO_THE_LEFT], 0.03);
    for (const value of values.slice(10)) expect(value).toBeCloseTo(0.5, 3);
  });

  slowTest("rewards along the way: the steps still to come", () => {
    const game = walk({ pays: "steps" });
    const evaluator = evaluatorOf(game);
    const values = learn(game, evaluator, { lambda, games: 40_000, step: 0.2 });
    expectNear(values, [-5, -8, -9, -8, -5], 0.5);
    const state = game.start();
    state.apply(1);
    expect(evaluator.evaluate(state, 0)).toBeCloseTo(-1 + values[3]!, 5);
  });

  slowTest("rewards along the way, learnt from afterstates: the start is none", () => {
    const game = walk({ pays: "steps", mover: "players" });
    const positions = "afterstates";
    const values = learn(game, evaluatorOf(game), { lambda, positions, games: 40_000, step: 0.2 });
    expectNear(values, [-5, -8, -9, -8, -5], 0.5);
  });
});

describe.each(thorough([0, 0.5, 1], [0.5]))(
  "own positions, lambda %d: a player's view learns from what that player left",
  (lambda) => {
    /*
     * From the middle cell to an end is an odd number of steps: in turns of two, player 0 always makes the
     * first step and the last one. Player 1 learns what came of the game all the same.
     */
    slowTest("two players, one of whom never makes the last move", () => {
      const game = walk({ players: 2, mover: "players" });
      const values = learn(game, evaluatorOf(game), { lambda, positions: "own", games: 20_000, step: 0.2 });
      expectNear([values[1]!, values[3]!], [2 / 6, 4 / 6], 0.03);
      expectNear([values[5]!, values[7]!, values[9]!], [5 / 6, 3 / 6, 1 / 6], 0.03);
      // Cells where that player never has just moved.
      for (const at of [0, 2, 4, 6, 8]) expect(values[at]).toBe(0);
    });

    slowTest("three players", () => {
      const game = walk({ players: 3, mover: "players" });
      const values = learn(game, evaluatorOf(game), { lambda, positions: "own", games: 30_000, step: 0.2 });
      expectNear(values, [...TO_THE_RIGHT, ...TO_THE_LEFT], 0.04);
      expectNear(values.slice(10), [0.5, 0.5, 0.5, 0.5, 0.5], 0.01);
    });

    slowTest("rewards along the way count from one's own move to the next", () => {
      const game = walk({ players: 3, mover: "players", pays: "steps" });
      const values = learn(game, evaluatorOf(game), { lambda, positions: "own", games: 40_000, step: 0.2 });
      for (const player of [0, 1, 2]) expectNear(values.slice(5 * player), [-5, -8, -9, -8, -5], 0.6);
    });
  },
);

/**
 * The same few games again and again (Sutton 1988, section 4.2): with lambda 0 the values become those of
 * the chain whose steps are as frequent as in these games, with lambda 1 the means of what followed each visit.
 */
describe("ten games again and again", () => {
  const game = walk();
  const games = randomGames(game, 10, { seed: "few" });

  function repeat(lambda: number): number[] {
    const evaluator = evaluatorOf(game);
    const learner = new TdLearner(game, evaluator, { lambda, updates: "game" });
    for (let round = 0; round < 6000; round++) {
      learner.stepSize = 0.05 / (1 + round / 100);
      for (const seen of games) retell(seen, learner);
    }
    return Array.from(evaluator.weights);
  }

  slowTest("lambda 0: the values of the chain that these games make likeliest", () => {
    expectNear(repeat(0), likeliestChain(games), 0.01);
  });

  slowTest("lambda 1: the mean return after each cell", () => {
    expectNear(repeat(1), meanReturns(games), 0.01);
  });

  test("the two are not the same", () => {
    const [chain, means] = [likeliestChain(games), meanReturns(games)];
    expect(Math.max(...chain.map((value, at) => Math.abs(value - means[at]!)))).toBeGreaterThan(0.05);
  });
});

const cellOf = ({ state }: Seen) => (state as WalkState).cell;

/** Values of the walk with the steps' frequencies as probabilities, by repeated substitution. */
function likeliestChain(games: readonly (readonly Seen[])[]): number[] {
  const steps = games.flatMap((seen) => seen.slice(1).map((next, at) => [cellOf(seen[at]!), cellOf(next)]));
  const values = [0, 0, 0, 0, 0, 0, 1];
  for (let round = 0; round < 5000; round++) {
    for (let cell = 1; cell <= CELLS; cell++) {
      const after = steps.filter(([from]) => from === cell).map(([, to]) => values[to!]!);
      values[cell] = after.reduce((sum, value) => sum + value, 0) / after.length;
    }
  }
  return values.slice(1, -1);
}

function meanReturns(games: readonly (readonly Seen[])[]): number[] {
  return Array.from({ length: CELLS }, (_, at) => {
    const after = games.flatMap((seen) =>
      seen.filter((one) => cellOf(one) === at + 1).map(() => cellOf(seen.at(-1)!) > CELLS),
    );
    return after.filter(Boolean).length / after.length;
  });
}

/** Each feature three times: as it is, five times as large, and shared by its neighbour. */
function crowded(cells: FeatureSet): FeatureSet {
  return {
    ...cells,
    size: 3 * cells.size,
    maxActive: 3,
    extract(state, player, index, value) {
      cells.extract(state, player, index, value);
      const [cell] = index;
      index.set([cell! + cells.size, 2 * cells.size + (cell! >> 1)], 1);
      value.set([1, 5, 2]);
      return 3;
    },
  };
}

function valuesOf(game: Game, evaluator: LinearEvaluator): number[] {
  return Array.from({ length: CELLS }, (_, at) => {
    const state = game.start() as WalkState;
    state.cell = at + 1;
    return evaluator.evaluate(state, 0);
  });
}
