import { describe, expect, test } from "vitest";
import type { AgentParts } from "../../../src/agents/agent.ts";
import type { AlphaBetaOptions } from "../../../src/agents/alpha-beta/options.ts";
import { RecordedAlphaBeta } from "../../../src/agents/alpha-beta/searched-tree.ts";
import { prepareAgent } from "../../../src/agents/prepare.ts";
import { createRandom } from "../../../src/base/random.ts";
import { LinearEvaluator } from "../../../src/evaluators/linear.ts";
import { createGame } from "../../../src/games/index.ts";
import { TreeStrapLearner } from "../../../src/training/learn/tree-strap.ts";

/*
 * The root is the first player's, both positions below it the second's. Alpha-beta from left to right finds 0.25 for `left`, as
 * the second player takes the lesser leaf. In `right` the first leaf is -0.5, so `right` is not above it, and `cut` is never
 * looked at. So for the player to move: left is exactly -0.25, right at least 0.5, and the root exactly 0.25.
 */
const game = createGame({
  id: "tree",
  root: {
    player: 0,
    actions: {
      left: { player: 1, actions: { much: 0.75, little: 0.25 } },
      right: { player: 1, actions: { bad: -0.5, cut: 1 } },
    },
  },
});
const features = game.featureSets["nodes"]!;
const indexOf = (name: string) =>
  Array.from({ length: features.size }, (_, at) => features.describe(at)).indexOf(name);
const names = Array.from({ length: features.size }, (_, at) => features.describe(at));

/** What the weights are after one search; they are the first player's estimates before. */
function learned(
  before: Readonly<Record<string, number>>,
  options: { nodes: "all" | "root"; depth?: number },
): { weights: Record<string, number>; steps: number; errors: number } {
  const { nodes, depth = 2 } = options;
  const weights = new Float32Array(features.size);
  for (const [name, weight] of Object.entries(before)) weights[indexOf(name)] = weight;
  const evaluator = new LinearEvaluator(game, features, { weights, output: "identity" });
  const spec = { agent: "alpha-beta", depth, preset: "textbook", evaluator: "none" };
  const { parts } = prepareAgent(game, spec, { evaluator });
  const agent = new RecordedAlphaBeta(parts as AgentParts<AlphaBetaOptions>);
  agent.choose(game.start(), { random: createRandom("a"), budget: { depth }, clock: () => 0 });
  const learner = new TreeStrapLearner(game, evaluator, { nodes });
  learner.stepSize = 0.5;
  learner.study(game.start(), agent.tree);
  const after = Object.keys(before).map((name) => [name, weights[indexOf(name)]!]);
  return { weights: Object.fromEntries(after), steps: learner.steps, errors: learner.errors.count };
}

const ROOT = names.find((name) => name !== "left" && name !== "right" && !name.includes("/"))!;

describe("a tree by hand", () => {
  test("exact values and a bound that is broken: half of each error is corrected", () => {
    // For the second player left is estimated at 0.35 and is -0.25; right at 0.1 and is at least 0.5.
    expect(learned({ [ROOT]: 0.05, left: -0.35, right: -0.1 }, { nodes: "all" })).toEqual({
      weights: {
        [ROOT]: expect.closeTo(0.15, 6),
        left: expect.closeTo(-0.05, 6),
        right: expect.closeTo(-0.3, 6),
      },
      steps: 3,
      errors: 3,
    });
  });

  test("a bound that holds teaches nothing, and counts as a position", () => {
    expect(learned({ [ROOT]: 0.05, left: -0.35, right: -0.75 }, { nodes: "all" })).toMatchObject({
      weights: { right: -0.75 },
      steps: 3,
      errors: 2,
    });
  });

  test("RootStrap: the root alone", () => {
    const before = { [ROOT]: 0.05, left: -0.35, right: -0.1 };
    const { weights, steps } = learned(before, { nodes: "root" });
    expect(weights).toEqual({
      [ROOT]: expect.closeTo(0.15, 6),
      left: expect.closeTo(-0.35, 6),
      right: expect.closeTo(-0.1, 6),
    });
    expect(steps).toBe(1);
  });

  test("one ply deep the root alone has been searched: it learns the better estimate", () => {
    const { weights, steps } = learned(
      { [ROOT]: 0.05, left: -0.35, right: -0.1 },
      { nodes: "all", depth: 1 },
    );
    expect(weights[ROOT]).toBeCloseTo(0.05 + 0.5 * (-0.1 - 0.05), 6);
    expect(steps).toBe(1);
  });
});
