import { describe, expect, test } from "vitest";
import type { Found } from "../../../../src/agents/agent.ts";
import { type SearchReport, writeReport } from "../../../../src/agents/search-report.ts";
import { NetworkEvaluator } from "../../../../src/evaluators/network/network-evaluator.ts";
import type { FeatureSet } from "../../../../src/games/contract/game.ts";
import { createGame } from "../../../../src/games/index.ts";
import { possibleActions } from "../../../../src/games/contract/notation.ts";
import { ILLEGAL } from "../../../../src/training/learn/network/batch.ts";
import { ExpertLearner } from "../../../../src/training/learn/network/expert-learner.ts";
import { RowTrainer } from "../../../../src/training/learn/network/row-trainer.ts";
import { SampleBuffer, SampleWindow } from "../../../../src/training/learn/network/samples.ts";
import { randomNetwork } from "../../../support/networks.ts";
import { slowTest } from "../../../support/thorough.ts";

const game = createGame({ id: "connect-four", width: 4, height: 4 });
const fours = game.featureSets["fours"]!;
/** Without images, under which the empty board would learn two policies. */
const { images: _, ...features } = fours;

describe("a window", () => {
  const read = (index: number[]) => ({
    index: Int32Array.from(index),
    value: Float32Array.from(index, (feature) => feature / 2),
    active: index.length,
  });

  test.each([
    ["few features of value 1", { size: 60_000, maxActive: 3, unit: true }],
    ["many features with values", { size: 2 ** 20, maxActive: 4 }],
  ])("keeps the last positions: %s", (_, shape) => {
    const window = new SampleWindow(3, { features: shape, outputs: 2 });
    const positions = [[1], [2, 3], [], [59_999, 0, 5], [7, 8]];
    for (const [at, index] of positions.entries()) {
      const place = window.add(read(index));
      window.targets.set([at, -at], 2 * place);
    }
    expect(window.size).toBe(3);
    const copy = new SampleWindow(3, { features: shape, outputs: 2 });
    copy.restore(structuredClone(window.memory));
    for (const one of [window, copy]) {
      const batch = new SampleBuffer(3, 2);
      for (const place of [2, 0, 1]) one.copyTo(batch, place);
      // The places 0 and 1 were taken over by the fourth and the fifth position.
      const wanted = [2, 3, 4].map((at) => positions[at]!);
      expect([...batch.offsets]).toEqual([0, 0, 3, 5]);
      expect([...batch.index.subarray(0, 5)]).toEqual(wanted.flat());
      expect([...batch.value.subarray(0, 5)]).toEqual(
        wanted.flat().map((feature) => ("unit" in shape ? 1 : feature / 2)),
      );
      expect([...batch.targets]).toEqual([2, -2, 3, -3, 4, -4]);
      batch.clear();
      const features = Int32Array.from({ length: 10 }, (_, feature) => 9 - feature);
      one.copyTo(batch, 1, { features, actions: Int32Array.of(0) });
      expect([...batch.index.subarray(0, 2)]).toEqual([2, 1]);
    }
    expect(copy.add(read([1]))).toBe(window.add(read([1])));
  });
});

/** A learner that keeps the batches that it trains with. */
function learner(
  options: { rootShare: number; reuse?: number; window?: number; batch?: number },
  read: FeatureSet = features,
) {
  const policyHead = game.policyHead!;
  const network = randomNetwork(
    {
      inputs: features.size,
      hidden: [8],
      hiddenActivation: "tanh",
      outputs: 1 + policyHead.size,
      outputActivation: "tanh",
      logits: policyHead.size,
    },
    "expert",
  );
  const evaluator = new NetworkEvaluator(game, read, { network, head: "value", policyHead });
  const trainer = new RowTrainer(network, { maxActive: features.maxActive, stepSize: 0.02 });
  const targets: number[][] = [];
  const train = trainer.trainBatch.bind(trainer);
  trainer.trainBatch = (batch) => {
    for (let sample = 0; sample < batch.size; sample++)
      targets.push([...batch.targets.subarray(5 * sample, 5 * sample + 5)]);
    return train(batch);
  };
  const made = new ExpertLearner(game, evaluator, {
    window: 1000,
    reuse: 1,
    batch: 1,
    ...options,
    trainer,
  });
  return { made, evaluator, trainer, targets };
}

/** What a search tells of a position `depth` plies below its root, to which `action` leads. */
function found(
  value: number,
  actions: ArrayLike<number>,
  policy: ArrayLike<number>,
  { depth = 0, action = 0, isProven = false } = {},
): Found {
  const told = { actions: Int32Array.from(actions), policy: Float64Array.from(policy) };
  return { depth, action, value, isProven, ...told };
}

function report(...to: Parameters<typeof found>): SearchReport {
  return writeReport([found(...to)]);
}

/** Plays columns, the first and the second by a report. The first player wins by its fourth in column 1. */
function play(made: ExpertLearner, moves = [0, 1, 0, 1, 0, 1, 0]): void {
  const state = game.start();
  made.begin();
  for (const [ply, move] of moves.entries()) {
    const actions = possibleActions(game, state);
    const policy = Array.from(actions, (action) => (action === move ? 0.75 : 0.25 / (actions.length - 1)));
    if (ply < 2) made.study(state, report(ply === 0 ? 0.5 : -0.25, actions, policy));
    state.apply(move);
  }
  made.end(state);
}

test("targets: the search's value and the return in their shares, for the player to move, and its policy, also mirrored", () => {
  const { made, targets } = learner({ rootShare: 0.75, reuse: 20 }, fours);
  play(made);
  made.endRound();
  const distinct = [...new Set(targets.map((row) => row.join()))].map((row) => row.split(",").map(Number));
  const third = Math.fround(0.25 / 3);
  expect(distinct).toHaveLength(4);
  for (const [value, policy] of [
    [0.75 * 0.5 + 0.25 * 1, [0.75, third, third, third]],
    [0.75 * -0.25 - 0.25 * 1, [third, 0.75, third, third]],
  ] as const) {
    const found = distinct.filter(([first]) => Math.abs(first! - value) < 1e-5);
    // The position and its mirror image.
    for (const wanted of [policy, policy.toReversed()])
      expect(
        found.filter((row) => wanted.every((share, at) => Math.abs(row[1 + at]! - share) < 1e-5)),
      ).toHaveLength(1);
  }
  // A position is drawn 20 times on average: 40 in all.
  expect(targets).toHaveLength(40);
});

test("an action that is not legal has no part in the policy", () => {
  const { made, targets } = learner({ rootShare: 1 });
  const state = game.start();
  for (const move of [0, 0, 0, 0]) state.apply(move);
  made.begin();
  made.study(state, report(0, [1, 2, 3], [1, 0, 0]));
  for (const move of [1, 2, 1, 2, 1, 2, 1]) state.apply(move);
  made.end(state);
  made.endRound();
  expect(targets).toEqual([[0, ILLEGAL, 1, 0, 0]]);
});

test("a proven value is learned alone", () => {
  const { made, targets } = learner({ rootShare: 0.25 });
  const state = game.start();
  made.begin();
  // The second player is said to be lost, and wins.
  made.study(state, report(0.5, [0], [1]));
  state.apply(0);
  made.study(state, report(-1, [1], [1], { isProven: true }));
  for (const move of [1, 0, 1, 0, 1, 2, 1]) state.apply(move);
  made.end(state);
  made.endRound();
  const values = new Set(targets.map(([value]) => value));
  expect([...values].every((value) => value === -1 || value === 0.25 * 0.5 - 0.75)).toBe(true);
  expect(values).toContain(-1);
});

test("positions inside the tree are samples of the search alone, once each", () => {
  const { made, targets } = learner({ rootShare: 0.5 });
  const state = game.start();
  made.begin();
  const { value: _value, ...onTheWay } = found(0, [], [], { depth: 1, action: 1 });
  made.study(
    state,
    writeReport([
      found(0.5, [0], [1]),
      found(-0.25, [1, 3], [0.25, 0.75], { depth: 1, action: 0 }),
      found(1, [2], [1], { depth: 2, action: 3, isProven: true }),
      onTheWay,
      found(0.125, [1], [1], { depth: 2, action: 1 }),
    ]),
  );
  expect(made.steps).toBe(4);
  expect(game.formatState(state)).toBe(game.formatState(game.start()));
  for (const move of [0, 1, 0, 1, 0, 1, 0]) state.apply(move);
  made.end(state);
  const { window } = made as unknown as { window: SampleWindow };
  expect(
    Array.from({ length: window.size }, (_, at) => [...window.targets.subarray(5 * at, 5 * at + 5)]),
  ).toEqual([
    [0.5 * 0.5 + 0.5 * 1, 1, 0, 0, 0],
    [-0.25, 0, 0.25, 0, 0.75],
    [1, 0, 0, 1, 0],
    [0.125, 0, 1, 0, 0],
  ]);
  expect(targets).toEqual([]);
});

test("actions that the search does not tell of have a probability of 0", () => {
  const { made, targets } = learner({ rootShare: 1 });
  made.begin();
  made.study(game.start(), report(0.5, [2], [1]));
  made.endRound();
  expect(targets[0]!.slice(1)).toEqual([0, 0, 1, 0]);
});

slowTest("values and policies come to their targets", () => {
  const { made, evaluator } = learner({ rootShare: 1, reuse: 4, batch: 8 });
  for (let round = 0; round < 60; round++) {
    for (let number = 0; number < 8; number++) play(made);
    made.endRound();
  }
  const state = game.start();
  const logits = new Float32Array(4);
  expect(evaluator.evaluate(state, 0)).toBeCloseTo(0.5, 1);
  evaluator.prefer!(state, Int32Array.of(0, 1, 2, 3), 0, 4, logits);
  const sum = logits.reduce((total, logit) => total + Math.exp(logit), 0);
  expect(Math.exp(logits[0]) / sum).toBeCloseTo(0.75, 1);
  expect(made.errors.count).toBe(60 * 8 * 2);
});

slowTest("losses fall to 0, and the entropy is that of the search's policy", () => {
  const { made } = learner({ rootShare: 1, reuse: 4, batch: 8 });
  expect(made.losses()).toBeUndefined();
  const found = [];
  for (let round = 0; round < 60; round++) {
    for (let number = 0; number < 8; number++) play(made);
    if (round === 0) found.push(made.losses()!);
    made.endRound();
  }
  found.push(made.losses()!);
  const entropy = 0.75 * Math.log(4 / 3) + 0.25 * Math.log(12);
  for (const losses of found) expect(losses.entropy).toBeCloseTo(entropy, 5);
  const [first, last] = found;
  for (const name of ["value", "policy"] as const) {
    expect(first![name]).toBeGreaterThan(0.05);
    expect(last![name]).toBeLessThan(0.005);
  }
});

test("positions without a policy of the search have no part in the policy's losses", () => {
  const { made } = learner({ rootShare: 1 });
  const state = game.start();
  made.begin();
  made.study(state, report(0, [0, 1, 2, 3], [0.5, 0.5, 0, 0]));
  made.study(state, report(0, [], []));
  expect(made.losses()!.entropy).toBeCloseTo(Math.log(2), 6);
});

test("a restored learner goes on with the same weights", () => {
  const [one, other] = [learner({ rootShare: 0.5, batch: 4 }), learner({ rootShare: 0.5, batch: 4 })];
  for (const { made } of [one, other]) {
    play(made);
    play(made);
    made.endRound();
    play(made);
  }
  const fresh = learner({ rootShare: 0.5, batch: 4 });
  fresh.made.restore(structuredClone(one.made.memory));
  // The weights are kept apart from the memory.
  fresh.evaluator.load(one.trainer.network());
  expect(fresh.made.memory).toEqual(other.made.memory);
  other.made.endRound();
  fresh.made.endRound();
  expect(fresh.targets.slice(-3)).toEqual(other.targets.slice(-3));
});
