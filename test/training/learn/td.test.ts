import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { LinearEvaluator, type Output } from "../../../src/evaluators/linear.ts";
import { CHANCE, TERMINAL, type Game } from "../../../src/games/contract/game.ts";
import { createGame } from "../../../src/games/index.ts";
import { DivergenceError } from "../../../src/training/learn/learner.ts";
import { TdLearner, type TdOptions } from "../../../src/training/learn/td.ts";
import { selfPlay } from "../play.ts";
import { walk, type WalkState } from "../walk.ts";

const USUAL: TdOptions = { lambda: 0, traces: "accumulating", afterRandomMove: "cut", updates: "step" };

function evaluatorOf(game: Game, name: string, output: Output = "identity"): LinearEvaluator {
  const features = game.featureSets[name]!;
  return new LinearEvaluator(game, features, { weights: new Float32Array(features.size), output });
}

describe("one game, by hand", () => {
  /** A walk of 3 cells from the middle: 2 1 2 3, off on the right. */
  function follow(options: Partial<TdOptions>, explored: readonly boolean[] = []) {
    return Array.from(learned(options, explored).evaluator.weights);
  }

  function learned(options: Partial<TdOptions>, explored: readonly boolean[] = []) {
    const game = walk({ cells: 3 });
    const evaluator = evaluatorOf(game, "cells");
    const learner = new TdLearner(game, evaluator, { ...USUAL, ...options });
    learner.stepSize = 0.5;
    const state = game.start();
    learner.begin(state);
    for (const [at, step] of [-1, 1, 1, 1].entries()) {
      state.apply(step);
      if (state.toMove === TERMINAL) learner.end(state, explored[at] ?? false);
      else learner.observe(state, CHANCE, explored[at] ?? false);
    }
    return { evaluator, learner };
  }

  test("the errors are counted, but not of a step by a random move", () => {
    // All weights are 0 until the end, which is worth 1.
    expect(learned({}).learner.errors).toEqual({ count: 4, squares: 1 });
    expect(learned({}, [false, true]).learner.errors).toEqual({ count: 3, squares: 1 });
    expect(learned({}, [false, false, false, true]).learner.errors).toEqual({ count: 3, squares: 0 });
    expect(learned({ updates: "game" }).learner.errors).toEqual({ count: 4, squares: 1 });
  });

  test("lambda 0: the last cell alone moves, by half the error", () => {
    expect(follow({ lambda: 0 })).toEqual([0, 0, 0.5]);
  });

  test("lambda 1: every cell moves by half the error for each visit, or once with replacing traces", () => {
    expect(follow({ lambda: 1 })).toEqual([0.5, 1, 0.5]);
    expect(follow({ lambda: 1, traces: "replacing" })).toEqual([0.5, 0.5, 0.5]);
  });

  test("lambda 1/2: the error fades by half a step, and visits add up or not", () => {
    // Traces at the end: cell 1 1/4, cell 2 1/8 + 1/2 (replacing: 1/2), cell 3 1.
    expect(follow({ lambda: 0.5 })).toEqual([0.125, 0.3125, 0.5]);
    expect(follow({ lambda: 0.5, traces: "replacing" })).toEqual([0.125, 0.25, 0.5]);
  });

  test("a random move cuts the credit of the cells before it, or not", () => {
    const explored = [false, true, false, false];
    expect(follow({ lambda: 1 }, explored)).toEqual([0, 0.5, 0.5]);
    expect(follow({ lambda: 1, afterRandomMove: "continue" }, explored)).toEqual([0.5, 1, 0.5]);
    expect(follow({ lambda: 1 }, [false, false, false, true])).toEqual([0, 0, 0]);
  });
});

test("forward view = backward view: updates at the end add up to the lambda-return's errors (Sutton 1988)", () => {
  const cells = 5;
  const game = walk({ cells });
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.constantFrom<Output>("identity", "tanh", "logistic"),
      fc.array(fc.double({ min: -2, max: 2, noNaN: true }), { minLength: cells, maxLength: cells }),
      fc.integer(),
      (lambda, output, initial, seed) => {
        const features = game.featureSets["cells"]!;
        const evaluator = new LinearEvaluator(game, features, {
          weights: Float32Array.from(initial),
          output,
        });
        const learner = new TdLearner(game, evaluator, { ...USUAL, lambda, updates: "game" });
        learner.stepSize = 0.1;

        const valueOf = (cell: number) => {
          const sum = initial[cell - 1]!;
          return output === "identity" ? sum : evaluator.squash(sum);
        };
        const visited = playOneWalk(game.start(), learner, seed);
        const end = visited.pop()!;
        const values = visited.map(valueOf);
        const final = end === 0 ? 0 : 1;
        const expected = initial.slice();
        visited.forEach((cell, at) => {
          const error = lambdaReturn(values.slice(at + 1), final, lambda) - values[at]!;
          expected[cell - 1]! += 0.1 * error * evaluator.slope(values[at]!);
        });
        for (const [at, weight] of evaluator.weights.entries()) expect(weight).toBeCloseTo(expected[at]!, 5);
      },
    ),
    { numRuns: 200, seed: 1 },
  );
});

/** The cells visited, ends included, as the learner saw them. */
function playOneWalk(state: WalkState, learner: TdLearner, seed: number): number[] {
  const random = createRandom("walk", seed);
  const visited = [state.cell];
  learner.begin(state);
  while (state.cell > 0 && state.cell <= state.cells) {
    state.apply(random.below(2) === 0 ? -1 : 1);
    if (state.toMove === TERMINAL) learner.end(state, false);
    else learner.observe(state, CHANCE, false);
    visited.push(state.cell);
  }
  return visited;
}

/** (1 - lambda) (V1 + lambda V2 + ...) + lambda^k final, for the k values that follow and the final return. */
function lambdaReturn(following: readonly number[], final: number, lambda: number): number {
  return following.reduceRight((later, value) => (1 - lambda) * value + lambda * later, final);
}

test("in a two-player zero-sum game each view alone teaches the same, to the bit", () => {
  const game = createGame("tic-tac-toe");
  const learnt = [0, 1].map((player) => {
    const evaluator = evaluatorOf(game, "lines", "tanh");
    const learner = new TdLearner(game, evaluator, { ...USUAL, lambda: 0.7, players: [player] });
    learner.stepSize = 0.05;
    const { play } = selfPlay(game, { evaluator, learner }, { seed: "views", epsilon: 0.2 });
    for (let number = 0; number < 300; number++) play.playGame();
    return evaluator.weights;
  });
  expect(learnt[0]!.some((weight) => weight !== 0)).toBe(true);
  expect(learnt[0]).toEqual(learnt[1]);
});

test("losses are learnt as losses: what the other player won counts against", () => {
  const game = createGame("tic-tac-toe");
  const evaluator = evaluatorOf(game, "lines");
  const learner = new TdLearner(game, evaluator, { ...USUAL, lambda: 0 });
  learner.stepSize = 0.1;
  const state = game.parseState("xx./oo./x..");
  learner.begin(state);
  state.apply(5);
  learner.end(state, false);
  const before = game.parseState("xx./oo./x..");
  expect(evaluator.evaluate(before, 0)).toBeLessThan(-0.05);
  expect(evaluator.evaluate(before, 1)).toBeGreaterThan(0.05);
});

test("weights that grow without bound are reported, with the step", () => {
  const game = createGame("tic-tac-toe");
  const evaluator = evaluatorOf(game, "lines");
  const learner = new TdLearner(game, evaluator, { ...USUAL, lambda: 0.5 });
  learner.stepSize = 1;
  const { play } = selfPlay(game, { evaluator, learner }, { seed: "diverge", epsilon: 0.1 });
  const train = () => {
    for (let number = 0; number < 10_000; number++) play.playGame();
  };
  expect(train).toThrow(DivergenceError);
  expect(learner.steps).toBeGreaterThan(0);
  expect(train).toThrow(/diverged at step \d+/);
});
