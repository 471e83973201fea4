import { describe, expect, test } from "vitest";
import type { Decision } from "../../src/agents/agent.ts";
import { createRandom } from "../../src/base/random.ts";
import {
  createLinear,
  modelFeatures,
  type LinearModel,
  type NTupleModel,
} from "../../src/evaluators/models.ts";
import { TERMINAL } from "../../src/games/contract/game.ts";
import { possibleActions } from "../../src/games/contract/notation.ts";
import { createGame } from "../../src/games/index.ts";
import { createPlayer, randomPositions } from "../agents/play.ts";
import { sampleName } from "../games/samples.ts";

const plain = { output: "tanh", stages: [] as number[] } as const;
const MODELS: readonly (readonly [Parameters<typeof createGame>[0], LinearModel | NTupleModel])[] = [
  ["backgammon", { ...plain, kind: "linear", features: "tesauro" }],
  ["checkers", { ...plain, kind: "linear", features: "samuel" }],
  [
    { id: "chinese-checkers", players: 3, side: 2 },
    { ...plain, kind: "linear", features: "progress" },
  ],
  ["2048", { ...plain, output: "identity", kind: "linear", features: "tuples-4" }],
  ["connect-four", { ...plain, kind: "n-tuple", stages: [10, 25], tuples: [[0, 1, 2, 7, 8]] }],
];

describe.each(MODELS.map(([spec, model]) => [sampleName(spec), model.kind, spec, model] as const))(
  "%s, %s",
  (_, __, spec, model) => {
    const game = createGame(spec);
    const size = modelFeatures(game, model).size * (model.stages.length + 1);
    const random = createRandom("policy weights");
    const weights = Float32Array.from({ length: 2 * size }, () => random.float() - 0.5);
    const evaluator = createLinear(game, { ...model, policy: true }, weights);
    const values = createLinear(game, model, weights.slice(0, size));
    const logits = createLinear(game, { ...model, output: "identity" }, weights.slice(size));
    const positions = randomPositions(game, 40).filter(({ toMove }) => toMove >= 0);

    test("values are those of the first weights", () => {
      for (const state of positions)
        for (let player = 0; player < game.players; player++)
          expect(evaluator.evaluate(state, player)).toBe(values.evaluate(state, player));
    });

    test("a logit is the sum over the position after the action, for who takes it, by the last weights", () => {
      expect(positions.length).toBeGreaterThan(5);
      for (const state of positions) {
        const mover = state.toMove;
        const before = game.formatState(state);
        const actions = Int32Array.from(possibleActions(game, state));
        const out = new Float32Array(actions.length + 1).fill(7);
        evaluator.prefer!(state, actions, 1, actions.length, out);
        expect(game.formatState(state)).toBe(before);
        expect([out[0], out.at(-1)]).toEqual([7, 7]);
        for (let at = 1; at < actions.length; at++) {
          state.apply(actions[at]!);
          if (state.toMove !== TERMINAL) expect(out[at]).toBeCloseTo(logits.sum(state, mover), 4);
          state.undo();
        }
      }
    });

    test("the features that a sum of logits leaves for learners are of the last weights", () => {
      for (const state of positions) {
        const { logits: read } = evaluator;
        const sum = read!.sum(state, 0);
        let again = 0;
        for (let at = 0; at < read!.active; at++) {
          expect(read!.index[at]).toBeGreaterThanOrEqual(size);
          again += weights[read!.index[at]!]! * read!.value[at]!;
        }
        expect(read!.sign * again).toBeCloseTo(sum, 4);
      }
    });
  },
);

const game = createGame("tic-tac-toe");
const model = { ...plain, kind: "linear", features: "lines", policy: true } as const;
const { size } = modelFeatures(game, model);
const random = createRandom("priors");
const evaluator = createLinear(
  game,
  model,
  Float32Array.from({ length: 2 * size }, () => random.float()),
);

test("an action that ends the game has a logit by its return", () => {
  const state = game.parseState("xx./oo./...");
  const actions = Int32Array.from(possibleActions(game, state));
  const out = new Float32Array(actions.length);
  evaluator.prefer!(state, actions, 0, actions.length, out);
  const at = actions.findIndex((action) => {
    state.apply(action);
    const isEnd = state.toMove === TERMINAL;
    state.undo();
    return isEnd;
  });
  expect(out[at]).toBe(8);
  expect(out.filter((logit) => logit === 8)).toHaveLength(1);
});

test.each(["root=bounds", "root=gumbel"])("MCTS with %s begins with the softmax of the logits", (root) => {
  const spec = `mcts:simulations=40,evaluator=none,priors=policy,${root}`;
  const { agent, budget } = createPlayer(game, spec, { evaluator });
  const state = game.parseState("x../.o./...");
  const turn = { random: createRandom("priors"), budget, clock: () => 0, ranked: 9 };
  const { ranking } = agent.choose(state, turn) as Decision;
  const actions = Int32Array.from(possibleActions(game, state));
  const out = new Float32Array(actions.length);
  evaluator.prefer!(state, actions, 0, actions.length, out);
  const sum = out.reduce((total, logit) => total + Math.exp(logit), 0);
  expect(ranking!.length).toBeGreaterThan(3);
  for (const { action, prior } of ranking!)
    expect(prior).toBeCloseTo(Math.exp(out[actions.indexOf(action)]!) / sum, 5);
});
