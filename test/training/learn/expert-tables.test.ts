import { describe, expect, test } from "vitest";
import type { Found } from "../../../src/agents/agent.ts";
import { writeReport } from "../../../src/agents/search-report.ts";
import { createRandom } from "../../../src/base/random.ts";
import {
  countWeights,
  createLinear,
  modelFeatures,
  type LinearModel,
  type NTupleModel,
} from "../../../src/evaluators/models.ts";
import type { LinearEvaluator } from "../../../src/evaluators/linear.ts";
import { TERMINAL, type Game, type State } from "../../../src/games/contract/game.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { createGame } from "../../../src/games/index.ts";
import { ExpertTableLearner } from "../../../src/training/learn/expert-tables.ts";
import { SelfPlayLearner } from "../../../src/training/loop/training-loop.ts";
import { planTraining } from "../../../src/training/plan/plan.ts";
import { copyOf, randomPositions, stepRandomly } from "../../agents/play.ts";
import { sampleName } from "../../games/samples.ts";
import { TINY } from "../runs.ts";

const plain = { output: "tanh", stages: [] as number[], policy: true } as const;

function create(game: Game, model: LinearModel | NTupleModel): LinearEvaluator {
  const random = createRandom("expert tables");
  const count = countWeights(model, modelFeatures(game, model).size);
  return createLinear(
    game,
    model,
    Float32Array.from({ length: count }, () => 0.2 * (random.float() - 0.5)),
  );
}

/** The softmax of an evaluator's logits at a position. */
function policyAt(evaluator: LinearEvaluator, state: State, actions: Int32Array): number[] {
  const out = new Float32Array(actions.length);
  evaluator.prefer!(state, actions, 0, actions.length, out);
  const shares = Array.from(out, (logit) => Math.exp(logit));
  const sum = shares.reduce((total, share) => total + share);
  return shares.map((share) => share / sum);
}

/** A search's findings at a root, in which each action is likelier than the one before. */
function foundAt(actions: Int32Array, value: number, more: Partial<Found> = {}): Found {
  const sum = (actions.length * (actions.length + 1)) / 2;
  const policy = Float64Array.from(actions, (_, at) => (at + 1) / sum);
  return { depth: 0, action: 0, value, isProven: false, actions, policy, ...more };
}

/** Plays on at random to the end. */
function endOf(game: Game, state: State): State {
  const end = copyOf(game, state);
  const random = createRandom("end");
  while (end.toMove !== TERMINAL) stepRandomly(game, end, random);
  return end;
}

const MODELS: readonly (readonly [Parameters<typeof createGame>[0], LinearModel | NTupleModel])[] = [
  ["backgammon", { ...plain, kind: "linear", features: "tesauro" }],
  ["checkers", { ...plain, kind: "linear", features: "samuel" }],
  ["connect-four", { ...plain, kind: "n-tuple", tuples: [[0, 1, 2, 7, 8]] }],
];

describe.each(MODELS.map(([spec, model]) => [sampleName(spec), spec, model] as const))(
  "%s",
  (_, spec, model) => {
    const duel = createGame(spec);

    test("a step goes down the gradient of both losses, as finite differences tell it", () => {
      const state = randomPositions(duel, 30).find((one) => possibleActions(duel, one).length > 3)!;
      const evaluator = create(duel, model);
      const { weights } = evaluator;
      const before = weights.slice();
      const actions = Int32Array.from(possibleActions(duel, state));
      const found = foundAt(actions, 0.25);
      const end = endOf(duel, state);
      const wanted = 0.75 * 0.25 + 0.25 * end.returns(state.toMove);
      const rate = 0.01;
      const learner = new ExpertTableLearner(duel, evaluator, { rootShare: 0.75, policyStep: 3 });
      learner.stepSize = rate;
      learner.begin();
      learner.study(state, writeReport([found]));
      learner.end(end);
      const moved = weights.map((weight, at) => weight - before[at]!);
      const losses = () => {
        const error = wanted - evaluator.evaluate(state, state.toMove);
        const shares = policyAt(evaluator, state, actions);
        const entropy = shares.reduce((sum, share, at) => sum - found.policy[at]! * Math.log(share), 0);
        return (error * error) / 2 + 3 * entropy;
      };
      const changed = [...moved.keys()].filter((at) => moved[at] !== 0);
      const half = weights.length / 2;
      expect(changed.some((at) => at < half)).toBe(true);
      expect(changed.filter((at) => at >= half).length).toBeGreaterThan(3);
      const step = 1 / 64;
      for (const at of [...changed, 0, half]) {
        weights.set(before);
        weights[at] = before[at]! + step;
        const above = losses();
        weights[at] = before[at]! - step;
        const slope = (above - losses()) / (2 * step);
        expect(Math.abs(moved[at]! / rate + slope), `weight ${at}`).toBeLessThan(
          0.002 + 0.005 * Math.abs(slope),
        );
      }
    });
  },
);

describe("what is learned", () => {
  const game = createGame("connect-four");
  const model = MODELS[2]![1];

  /** Learns a search at the start, with positions inside its tree, from a game that player 1 wins; the values by position. */
  function learned(found: readonly Found[], rootShare: number): number[] {
    const evaluator = create(game, { ...model, policy: undefined });
    const learner = new ExpertTableLearner(game, evaluator, { rootShare, normalized: true });
    const state = game.start();
    const end = game.start();
    for (const column of [0, 1, 0, 1, 0, 1, 0]) end.apply(column);
    learner.stepSize = 1;
    for (let time = 0; time < 400; time++) {
      learner.begin();
      learner.study(state, writeReport(found));
      learner.end(end);
    }
    const values = [evaluator.evaluate(state, 0)];
    for (const { action } of found.slice(1)) {
      state.apply(action);
      values.push(evaluator.evaluate(state, state.toMove));
      state.undo();
    }
    return values;
  }
  const actions = Int32Array.of(0, 1, 2, 3, 4, 5, 6);

  test("the mix of the result and the search's value; a proven value alone", () => {
    expect(learned([foundAt(actions, 0.2)], 0.75)[0]).toBeCloseTo(0.75 * 0.2 + 0.25, 2);
    expect(learned([foundAt(actions, -0.5, { isProven: true })], 0)[0]).toBeCloseTo(-0.5, 2);
  });

  test("positions inside the tree, from the search alone", () => {
    const below = foundAt(actions, -0.25, { depth: 1, action: 3 });
    const values = learned([foundAt(actions, 0.2), below], 0.5);
    expect(values[0]).toBeCloseTo(0.6, 1);
    expect(values[1]).toBeCloseTo(-0.25, 1);
  });

  test("nothing from a game without an end; the losses are those before each position learns", () => {
    const evaluator = create(game, model);
    const before = evaluator.weights.slice();
    const learner = new ExpertTableLearner(game, evaluator, { rootShare: 1 });
    learner.stepSize = 0.01;
    expect(learner.losses()).toBeUndefined();
    learner.begin();
    learner.study(game.start(), writeReport([foundAt(actions, 0.2)]));
    learner.end(game.start());
    expect(evaluator.weights).toEqual(before);
    const { policy } = foundAt(actions, 0);
    const shares = policyAt(evaluator, game.start(), actions);
    const error = 0.2 - evaluator.evaluate(game.start(), 0);
    learner.end(endOf(game, game.start()));
    const { value, policy: divergence, entropy } = learner.losses()!;
    const sumOf = (term: (share: number, at: number) => number) =>
      policy.reduce((sum, share, at) => sum + term(share, at), 0);
    expect(value).toBeCloseTo(error * error, 5);
    expect(divergence).toBeCloseTo(
      sumOf((share, at) => share * Math.log(share / shares[at]!)),
      4,
    );
    expect(entropy).toBeCloseTo(
      sumOf((share) => -share * Math.log(share)),
      4,
    );
    // They are kept from one stop to the next.
    const other = new ExpertTableLearner(game, evaluator, { rootShare: 1 });
    other.restore(structuredClone(learner.memory));
    expect(other.losses()).toEqual(learner.losses());
  });
});

test("nim: the likeliest action wins wherever one does (Bouton 1902)", async () => {
  const plan = await planTraining(
    {
      ...TINY,
      game: { id: "nim", piles: [2, 3] },
      games: 300,
      round: 10,
      evaluator: { features: "parity", policy: true },
      learner: {
        rule: "expert",
        stepSize: 0.3,
        normalized: true,
        search: "mcts:simulations=12,priors=policy,root=gumbel,noise=1",
      },
      exploration: { epsilon: 0.2 },
      rating: { ...TINY.rating, pool: ["random"] },
    },
    { baseDir: "." },
  );
  const { game } = plan;
  const { size } = game.featureSets["parity"]!;
  const learning = new SelfPlayLearner(plan, new Float32Array(2 * size), {
    allocate: (_, length) => new Float32Array(length),
  });
  for (let number = 0; number < plan.config.games; number++) learning.advance(number);
  const evaluator = learning.learnable.evaluator as LinearEvaluator;
  const sumOf = (state: State) =>
    game
      .formatState(state)
      .split(" ")[0]!
      .split(",")
      .reduce((sum, pile) => sum ^ Number(pile), 0);
  let won = 0;
  for (let code = 1; code < 12; code++) {
    const state = game.parseState(`${code % 3},${Math.floor(code / 3)}`);
    if (sumOf(state) === 0) continue;
    won++;
    const actions = Int32Array.from(possibleActions(game, state));
    const shares = policyAt(evaluator, state, actions);
    state.apply(actions[shares.indexOf(Math.max(...shares))]!);
    expect(sumOf(state), `from ${code % 3},${Math.floor(code / 3)}`).toBe(0);
  }
  expect(won).toBe(9);
});
