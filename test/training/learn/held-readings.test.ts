import { expect, test } from "vitest";
import { createLinear, modelFeatures } from "../../../src/evaluators/models.ts";
import type { State } from "../../../src/games/contract/game.ts";
import { createGame } from "../../../src/games/index.ts";
import { TdLearner, type TdOptions } from "../../../src/training/learn/td.ts";
import { selfPlay } from "../play.ts";
import { everyFew } from "../../support/thorough.ts";

/** Reads every position, also what the evaluator holds already. */
class Rereader extends TdLearner {
  held = 0;

  override observe(state: State, by: number, explored: boolean, isHeld = false): void {
    if (isHeld) this.held++;
    super.observe(state, by, explored);
  }
}

const LINES = [
  [0, 6, 12, 18],
  [3, 8, 13, 18],
  [21, 22, 23, 27, 28],
];

const CASES = [
  ["connect four, n-tuples", "connect-four", { kind: "n-tuple", tuples: LINES, output: "tanh", stages: [] }],
  ["connect four, stages", "connect-four", { kind: "n-tuple", tuples: LINES, output: "tanh", stages: [12] }],
  ["othello, n-tuples", "othello", { kind: "n-tuple", tuples: [[0, 1, 2, 3]], output: "tanh", stages: [] }],
  ["tic-tac-toe, lines", "tic-tac-toe", { kind: "linear", features: "lines", output: "tanh", stages: [] }],
  ["2048, 4-tuples", "2048", { kind: "linear", features: "tuples-4", output: "identity", stages: [] }],
  [
    "backgammon, two views",
    "backgammon",
    { kind: "linear", features: "tesauro", output: "tanh", stages: [] },
  ],
] as const;

const RULES: Readonly<Record<string, TdOptions>> = {
  "lambda 0": { lambda: 0, positions: "afterstates" },
  "lambda 0.7, all positions": { lambda: 0.7 },
  coherence: { lambda: 0, positions: "afterstates", coherence: { kind: "exponential", beta: 2.7 } },
};

const GAMES: Readonly<Record<string, number>> = { "2048": 3, backgammon: 5, othello: 15 };

test.each(
  everyFew(
    CASES.flatMap(([name, id, model]) =>
      Object.entries(RULES).map(([rule, options]) => ({ name, id, model, rule, options })),
    ),
    8,
  ),
)("$name, $rule: reading what is held gives the same weights as reading anew, bit for bit", (setup) => {
  const { id, options } = setup;
  const game = createGame(id);
  const { stages, ...model } = setup.model;
  const full = { ...model, stages: [...stages] } as Parameters<typeof modelFeatures>[1];
  const learn = (Kind: typeof TdLearner) => {
    const size = modelFeatures(game, full).size * (stages.length + 1);
    const evaluator = createLinear(game, full, new Float32Array(size));
    const learner = new Kind(game, evaluator, options);
    learner.stepSize = 0.02;
    const { play } = selfPlay(game, { evaluator, learner }, { seed: "held", epsilon: 0.1 });
    for (let number = 0; number < (GAMES[id] ?? 60); number++) play.playGame();
    return { weights: evaluator.weights, learner };
  };
  const reused = learn(TdLearner);
  const reread = learn(Rereader);
  expect((reread.learner as Rereader).held).toBeGreaterThan(reread.learner.steps / 4);
  expect(reread.weights.some((weight) => weight !== 0)).toBe(true);
  expect(Buffer.compare(Buffer.from(reused.weights.buffer), Buffer.from(reread.weights.buffer))).toBe(0);
});
