import { describe, expect, test } from "vitest";
import { LinearEvaluator } from "../../../src/evaluators/linear.ts";
import { CHANCE } from "../../../src/games/contract/game.ts";
import { CoherentUpdate, PlainUpdate, type Transfer } from "../../../src/training/learn/update-rule.ts";
import { TdLearner } from "../../../src/training/learn/td.ts";
import { walk } from "../walk.ts";

const IDENTITY: Transfer = { kind: "identity", beta: 0 };
const EXPONENTIAL: Transfer = { kind: "exponential", beta: 2.7 };

const zeros = (_: string, length: number) => new Float32Array(length);

/** The changes of one weight, whose credit is 1, by each of the errors in turn. */
function changes(transfer: Transfer, errors: readonly number[], rate = 0.1): number[] {
  const weights = new Float32Array(1);
  const steps = new CoherentUpdate(weights, transfer, zeros);
  return errors.map((error) => {
    const before = weights[0];
    steps.update(Int32Array.of(0), Float64Array.of(1), 1, { error, rate });
    return weights[0] - before;
  });
}

function expectClose(found: readonly number[], wanted: readonly number[]): void {
  expect(found).toHaveLength(wanted.length);
  for (const [at, value] of wanted.entries()) expect(found[at]).toBeCloseTo(value, 6);
}

describe("by hand", () => {
  /*
   * Changes asked for so far, and the coherence that the next one meets:
   * none: 1; +1/2: 1; +1/2 -1/4: (1/4) / (3/4) = 1/3; and +1: (5/4) / (7/4) = 5/7.
   */
  const errors = [0.5, -0.25, 1, -1];
  const coherences = [1, 1, 1 / 3, 5 / 7];

  test("identity: the coherence is the share of the rate", () => {
    expectClose(
      changes(IDENTITY, errors),
      errors.map((error, at) => 0.1 * coherences[at]! * error),
    );
  });

  test("exponential: exp(beta (coherence - 1)) is, to beta / 2048 of it; e^-1.8 at 1/3", () => {
    const found = changes(EXPONENTIAL, errors);
    for (const [at, error] of errors.entries()) {
      const wanted = 0.1 * Math.exp(2.7 * (coherences[at]! - 1)) * error;
      expect(Math.abs(found[at]! / wanted - 1)).toBeLessThan(2.7 / 2048 + 1e-6);
    }
    expect(found[2]).toBeCloseTo(0.1 * 0.1653, 4);
  });

  test("to and fro brings the rate to nothing, or to e^-2.7 of it; one way leaves it whole", () => {
    const toAndFro = Array.from({ length: 2000 }, (_, at) => (at % 2 === 0 ? 1 : -1));
    expect(Math.abs(changes(IDENTITY, toAndFro).at(-1)!)).toBeLessThan(0.1 / 1000);
    expect(Math.abs(changes(EXPONENTIAL, toAndFro).at(-1)!)).toBeCloseTo(0.1 * Math.exp(-2.7), 4);
    const oneWay = toAndFro.map((_, at) => 1 / (1 + at));
    expectClose(
      changes(IDENTITY, oneWay).slice(0, 50),
      oneWay.slice(0, 50).map((error) => 0.1 * error),
    );
  });

  /* A walk of one cell, off to the right, left, right, left: errors 1, -1/2, 3/4, -3/8 by step size 1/2. */
  test("TD on a chain of one cell: four games", () => {
    const game = walk({ cells: 1 });
    const evaluator = new LinearEvaluator(game, game.featureSets["cells"]!, {
      weights: new Float32Array(1),
      output: "identity",
    });
    const learner = new TdLearner(game, evaluator, { lambda: 0, coherence: IDENTITY });
    learner.stepSize = 0.5;
    const found = [1, -1, 1, -1].map((step) => {
      const state = game.start();
      learner.begin(state);
      state.apply(step);
      learner.end(state, false);
      return evaluator.weights[0];
    });
    // Coherences 1, 1, (1/2) / (3/2), (5/4) / (9/4).
    expectClose(found, [1 / 2, 1 / 4, 3 / 8, 3 / 8 - (1 / 2) * (3 / 8) * (5 / 9)]);
    // The changes asked for so far, and their sizes.
    expectClose(Array.from(learner.memory["coherence"]!), [7 / 8, 21 / 8]);
  });
});

test("each weight has a coherence of its own, and credit is part of what is asked of it", () => {
  const weights = new Float32Array(3);
  const steps = new CoherentUpdate(weights, IDENTITY, zeros);
  const index = Int32Array.of(0, 2);
  steps.update(index, Float64Array.of(1, -0.5), 2, { error: 1, rate: 0.1 });
  steps.update(index, Float64Array.of(-1, -0.5), 2, { error: 1, rate: 0.1 });
  expectClose(Array.from(weights), [0, 0, -0.1]);
  steps.update(index, Float64Array.of(1, 0), 2, { error: 1, rate: 0.1 });
  // The first was asked for +1 and -1: nothing moves it until the changes lean to one side.
  expectClose(Array.from(weights), [0, 0, -0.1]);
  expectClose(Array.from(steps.memory.coherence), [1, 3, 0, 0, -1, 1]);
});

test("an error of 0 leaves everything as it was", () => {
  const weights = Float32Array.of(1, 2);
  const steps = new CoherentUpdate(weights, IDENTITY, zeros);
  steps.update(Int32Array.of(0, 1), Float64Array.of(1, 1), 2, { error: 0, rate: 1 });
  expect([...weights, ...steps.memory.coherence]).toEqual([1, 2, 0, 0, 0, 0]);
});

test("even steps: rate times error times credit, an index that repeats twice", () => {
  const weights = new Float32Array(2);
  new PlainUpdate(weights).update(Int32Array.of(1, 1, 0), Float64Array.of(1, 2, 4), 2, {
    error: 2,
    rate: 0.25,
  });
  expect(Array.from(weights)).toEqual([0, 1.5]);
});

test("a learner goes on from another's memory as that one would", () => {
  const game = walk();
  const features = game.featureSets["cells"]!;
  /** Three games, each by a new learner that takes over the one's before; or forgets; or by one learner. */
  const learn = (how: "restores" | "forgets" | "stays") => {
    const weights = new Float32Array(features.size);
    const create = () => {
      const evaluator = new LinearEvaluator(game, features, { weights, output: "identity" });
      return new TdLearner(game, evaluator, { lambda: 0.5, coherence: EXPONENTIAL });
    };
    let learner = create();
    for (const steps of [
      [1, -1, 1, 1, 1],
      [-1, -1, -1],
      [1, 1, 1],
    ]) {
      const { memory } = learner;
      if (how !== "stays") learner = create();
      if (how === "restores") learner.restore(memory);
      learner.stepSize = 0.3;
      const state = game.start();
      learner.begin(state);
      for (const step of steps.slice(0, -1)) {
        state.apply(step);
        learner.observe(state, CHANCE, false);
      }
      state.apply(steps.at(-1)!);
      learner.end(state, false);
    }
    return Array.from(weights);
  };
  expect(learn("restores")).toEqual(learn("stays"));
  expect(learn("forgets")).not.toEqual(learn("stays"));
});
