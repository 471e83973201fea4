import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ALGORITHMS, stepsOf, type Step } from "../../../../src/explain/tree/text/steps.ts";
import { createGame } from "../../../../src/games/index.ts";
import { createTree, randomTree } from "../../../agents/random-trees.ts";
import { allNodes, observe } from "../observed.ts";
import { everyFew } from "../../../support/thorough.ts";

const lineOf = (agent: string, { line }: Step) => ALGORITHMS[agent]![line]![0];

test("alpha-beta in words, with its lines", async () => {
  const game = createTree({
    player: 0,
    actions: { left: { player: 1, actions: [3, 12] }, right: { player: 1, actions: [2, 4, 6] } },
  });
  const found = await observe({ game, spec: "alpha-beta:depth=2,table=0,ordering=none,deepening=false" });
  expect(stepsOf(found).map((step) => `${lineOf("alpha-beta", step)}| ${step.text}`)).toEqual([
    "begin| the root: MAX is to move, the window is [-∞, +∞].",
    "begin| left: MIN is to move, the window is [-∞, +∞].",
    "terminal| left 1: the game is over, worth 3.",
    "min| left: MIN has 3 by 1.",
    "beta-falls| left: beta is 3 from here on.",
    "terminal| left 2: the game is over, worth 12.",
    "min| left: 2 gives 12, no better for MIN than 3.",
    "return| left is worth 3.",
    "max| the root: MAX has 3 by left.",
    "alpha-rises| the root: alpha is 3 from here on.",
    "begin| right: MIN is to move, the window is [3, +∞].",
    "terminal| right 1: the game is over, worth 2.",
    "min| right: MIN has 2 by 1.",
    "alpha| right: MIN has a reply worth 2 here, MAX already has 3: cut (cut off: 2, 3).",
    "max| the root: right gives 2, no better for MAX than 3.",
    "return| the root is worth 3.",
  ]);
});

const SPECS = [
  "minimax:depth=9",
  "alpha-beta:depth=9",
  "expectimax:nodes=60",
  "max-n:depth=9",
  "paranoid:depth=3",
  "best-reply:nodes=50",
  "mcts:simulations=30",
  "descent:simulations=30",
];

describe("every node has its steps, in the order of the search", () => {
  test.each(everyFew(SPECS, 3))("%s", async (spec) => {
    const agent = spec.split(":")[0]!;
    await fc.assert(
      fc.asyncProperty(randomTree({ chance: /^(expecti|max-n|mcts)/.test(spec) }), async (root) => {
        const found = await observe({ game: createTree(root), spec });
        const steps = stepsOf(found);
        for (const step of steps) expect(lineOf(agent, step)).toEqual(expect.any(String));
        if (/^(mcts|descent)$/.test(agent)) return;
        for (const [at, { root: top, isFinished }] of found.iterations.entries()) {
          const own = steps.filter(({ iteration }) => iteration === at);
          const first = [...new Set(own.map(({ order }) => order))];
          expect(first).toEqual(allNodes(top).map(({ order }) => order));
          // The sum of a mean is rounded in another order than the search has it.
          if (isFinished && typeof top.value === "number")
            expect(own.at(-1)!.value).toBeCloseTo(top.value, 9);
        }
      }),
      { numRuns: 10, seed: 1 },
    );
  });
});

test("mcts: each simulation goes down, ends, and adds its result", async () => {
  const found = await observe({
    game: createGame({ id: "nim", piles: [1, 1] }),
    spec: "mcts:simulations=3,ties=first",
  });
  const steps = stepsOf(found);
  expect(steps.map((step) => lineOf("mcts", step)).slice(0, 4)).toEqual([
    "select",
    "expand",
    "play-out",
    "back-up",
  ]);
  expect(
    steps.filter((step) => lineOf("mcts", step) === "back-up").map(({ iteration }) => iteration),
  ).toEqual([0, 1, 2]);
  expect(steps[2]!.text).toBe("Simulation 1: the result is (-1, 1).");
});
