import { describe, expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import {
  activate,
  type Activation,
  ACTIVATIONS,
  type Network,
} from "../../../src/evaluators/network/network.ts";
import { defaultActivation, headSize, type HeadKind } from "../../../src/evaluators/network/head.ts";
import { NetworkEvaluator } from "../../../src/evaluators/network/network-evaluator.ts";
import {
  TERMINAL,
  type FeatureSet,
  type Game,
  type State,
  isDuel,
} from "../../../src/games/contract/game.ts";
import { createGame } from "../../../src/games/index.ts";
import { copyOf, randomPositions, stepRandomly } from "../../agents/play.ts";
import { usualGames, sampleName } from "../../games/samples.ts";
import { position } from "../../games/backgammon/positions.ts";
import { randomNetwork } from "../../support/networks.ts";
import { everyFew, slowTest, thorough } from "../../support/thorough.ts";

/** Feature sets beyond this are left out: their rows would take hundreds of megabytes. */
const MOST_FEATURES = 20_000;

interface Made {
  readonly game: Game;
  readonly features: FeatureSet;
  readonly network: Network;
  readonly evaluator: NetworkEvaluator;
}

interface Shape {
  readonly head?: HeadKind;
  readonly hidden?: readonly number[];
  readonly hiddenActivation?: Activation;
  readonly outputActivation?: Activation;
  readonly startsAfresh?: boolean;
}

function make(game: Game, name: string, shape: Shape = {}): Made {
  const { head = "value", hidden = [10], hiddenActivation = "relu" } = shape;
  const features = game.featureSets[name]!;
  const network = randomNetwork(
    {
      inputs: features.size,
      hidden,
      hiddenActivation,
      outputs: headSize(game, head),
      outputActivation: shape.outputActivation ?? defaultActivation(head),
    },
    game.id,
    name,
  );
  const startsAfresh = shape.startsAfresh ?? false;
  return {
    game,
    features,
    network,
    evaluator: new NetworkEvaluator(game, features, { network, head, startsAfresh }),
  };
}

/** The outputs as a framework computes them: every product and sum a 32-bit number, features as a dense vector. */
function referenceOutputs({ features, network }: Made, state: State, viewer: number): Float64Array {
  const index = new Int32Array(features.maxActive);
  const value = new Float32Array(features.maxActive).fill(1);
  const count = features.extract(state, viewer, index, value);
  let signals = new Float32Array(features.size);
  for (let at = 0; at < count; at++) signals[index[at]] += value[at];
  for (const { kernel, bias, units, activation } of network.layers) {
    const sums = Float32Array.from(bias);
    signals.forEach((signal, from) => {
      if (signal === 0) return;
      for (let to = 0; to < units; to++) sums[to] += Math.fround(signal * kernel[from * units + to]);
    });
    const outputs = Float64Array.from(sums);
    activate(activation, outputs, units);
    signals = Float32Array.from(outputs);
  }
  return Float64Array.from(signals);
}

const positionsByGame = new Map<Game, State[]>();

/** A few positions of each game, the same for all its feature sets. */
function positionsOf(game: Game): State[] {
  const found = positionsByGame.get(game) ?? randomPositions(game, 6);
  positionsByGame.set(game, found);
  return found;
}

const FEATURE_SETS = usualGames.flatMap((spec) => {
  const game = createGame(spec);
  return Object.keys(game.featureSets)
    .filter((name) => game.featureSets[name]!.size <= MOST_FEATURES)
    .map((name) => [sampleName(spec), name, game] as const);
});

describe.each(FEATURE_SETS)("%s, features %s", (_, name, game) => {
  const players = Array.from({ length: game.players }, (_, player) => player);
  const duel = isDuel(game);
  const positions = positionsOf(game);

  test("sums kept from position to position are those made from nothing, to the bit", () => {
    const kept = make(game, name);
    const afresh = make(game, name, { startsAfresh: true });
    const random = createRandom("kept", game.id, name);
    // Weights of very different sizes, whose plain sums would depend on their order.
    for (const [at, weight] of kept.network.layers[0]!.kernel.entries())
      kept.network.layers[0]!.kernel[at] = weight * 2 ** (0 - random.below(40));
    for (const { evaluator } of [kept, afresh]) evaluator.load(kept.network);
    const state = game.start();
    const seen: State[] = [];
    for (let step = 0; step < thorough(150, 40); step++) {
      if (state.toMove === TERMINAL) state.copyFrom(game.start());
      stepRandomly(game, state, random);
      if (state.toMove === TERMINAL) continue;
      if (step % 10 === 0) seen.push(copyOf(game, state));
      // Now and then a position from elsewhere in between.
      for (const each of random.below(4) === 0 && seen.length > 0
        ? [seen[random.below(seen.length)]!, state]
        : [state])
        for (const player of players)
          expect(kept.evaluator.evaluate(each, player)).toBe(afresh.evaluator.evaluate(each, player));
    }
  });

  test("the outputs are those of 32-bit arithmetic within 1e-5", () => {
    const made = make(game, name, { hiddenActivation: "tanh" });
    for (const state of positions) {
      for (const player of players) {
        const viewer = made.evaluator.viewer(state, player);
        made.evaluator.look(state, viewer);
        const wanted = referenceOutputs(made, state, viewer);
        for (const [at, output] of made.evaluator.outputs.entries())
          expect(Math.abs(output - wanted[at]!)).toBeLessThan(1e-5);
      }
    }
  });

  test("values stay strictly within the returns, also with huge weights, and negate exactly between two", () => {
    for (const scale of [1, 1e4]) {
      for (const outputActivation of ["linear", "tanh", "sigmoid"] as const) {
        const { evaluator, network } = make(game, name, { outputActivation });
        for (const { kernel } of network.layers) for (const at of kernel.keys()) kernel[at]! *= scale;
        evaluator.load(network);
        for (const state of positions) {
          const values = players.map((player) => evaluator.evaluate(state, player));
          expect(Math.min(...values)).toBeGreaterThan(game.minReturn);
          expect(Math.max(...values)).toBeLessThan(game.maxReturn);
          if (duel) expect(values[0]! + values[1]!).toBe(0);
        }
      }
    }
  });
});

const backgammon = createGame("backgammon");

describe.each(ACTIVATIONS)("hidden layers of %s", (hiddenActivation) => {
  test.each(everyFew([[[]], [[7]], [[8, 5]], [[3, 2, 6]]], 3))("of sizes %j", (hidden) => {
    const made = make(backgammon, "tesauro", { head: "outcomes", hidden, hiddenActivation });
    for (const state of randomPositions(backgammon, 10)) {
      const viewer = made.evaluator.viewer(state, 0);
      made.evaluator.look(state, viewer);
      const wanted = referenceOutputs(made, state, viewer);
      for (const [at, output] of made.evaluator.outputs.entries())
        expect(Math.abs(output - wanted[at]!)).toBeLessThan(1e-6);
    }
  });
});

test("the value of a position does not depend on the seats, where the player on roll sees it", () => {
  const { evaluator } = make(backgammon, "tesauro", { head: "outcomes" });
  const mine = { 24: 2, 13: 5, 8: 3, 6: 5 };
  const theirs = { 24: 1, 18: 1, 13: 4, 8: 4, 6: 5 };
  const state = position(mine, theirs, [3, 1]);
  const turned = position(theirs, mine);
  turned.place({ onRoll: 1, roll: 0, opening: false });
  expect(evaluator.evaluate(turned, 1)).toBe(evaluator.evaluate(state, 0));
  expect(evaluator.evaluate(turned, 0)).toBe(0 - evaluator.evaluate(state, 0));
});

test("outcomes: the value is the mean of the points", () => {
  const made = make(backgammon, "tesauro", { head: "outcomes" });
  for (const state of randomPositions(backgammon, 10)) {
    const viewer = made.evaluator.viewer(state, 0);
    const [a, b, c, d, e, f] = Array.from(referenceOutputs(made, state, viewer));
    expect(made.evaluator.evaluate(state, viewer)).toBeCloseTo(
      -3 * a! - 2 * b! - c! + d! + 2 * e! + 3 * f!,
      4,
    );
  }
});

test("rewards along the way are added to what the network expects", () => {
  const game = createGame({ id: "2048", height: 2, width: 2 });
  const { evaluator, network } = make(game, "simple");
  const { layers } = network;
  for (const { kernel, bias } of layers) for (const weights of [kernel, bias]) weights.fill(0);
  evaluator.load(network);
  const middle = (game.maxReturn + game.minReturn) / 2;
  for (const state of randomPositions(game, 5))
    expect(evaluator.evaluate(state, 0)).toBeCloseTo(middle + state.returns(0), 6);
});

test("weights that changed count once they are loaded", () => {
  const { evaluator, network } = make(backgammon, "tesauro");
  const state = backgammon.start();
  const before = evaluator.evaluate(state, 0);
  network.layers[0]!.kernel.forEach((weight, at, kernel) => (kernel[at] = weight + 0.1));
  expect(evaluator.evaluate(state, 0)).toBe(before);
  evaluator.load(network);
  const { kernel } = network.layers[0]!;
  expect(kernel.length).toBe(198 * 10);
  const other = new NetworkEvaluator(backgammon, backgammon.featureSets["tesauro"]!, {
    network,
    head: "value",
  });
  expect(evaluator.evaluate(state, 0)).toBe(other.evaluate(state, 0));
  expect(evaluator.evaluate(state, 0)).not.toBe(before);
});

describe("what does not fit is refused", () => {
  const { network } = make(backgammon, "tesauro");
  const features = backgammon.featureSets["tesauro"]!;

  test("another number of features or outputs", () => {
    const other = backgammon.featureSets["tactics"]!;
    expect(() => new NetworkEvaluator(backgammon, other, { network, head: "value" })).toThrow(
      `the network has 198 inputs, the feature set ${other.size} features`,
    );
    const six = make(backgammon, "tesauro", { head: "outcomes" }).network;
    const soft = { layers: [six.layers[0]!, { ...six.layers[1]!, activation: "tanh" as const }] };
    expect(() => new NetworkEvaluator(backgammon, features, { network: soft, head: "value" })).toThrow(
      "the network has 6 outputs where 1 are wanted",
    );
  });

  test("layers that do not meet", () => {
    const [first, last] = network.layers;
    const wrong = { layers: [first!, { ...last!, inputs: 9 }] };
    expect(() => new NetworkEvaluator(backgammon, features, { network: wrong, head: "value" })).toThrow(
      "layer 1 has 9 inputs, the layer before it 10 units",
    );
    const short = { layers: [{ ...first!, kernel: new Float32Array(5) }, last!] };
    expect(() => new NetworkEvaluator(backgammon, features, { network: short, head: "value" })).toThrow(
      "layer 0 of 198 inputs and 10 units has 5 weights",
    );
    expect(
      () => new NetworkEvaluator(backgammon, features, { network: { layers: [] }, head: "value" }),
    ).toThrow("a network needs a layer");
  });

  test("an activation that is not the head's", () => {
    expect(() => make(backgammon, "tesauro", { outputActivation: "relu" })).toThrow(
      "ends in linear, tanh or sigmoid, not relu",
    );
    expect(() => make(backgammon, "tesauro", { head: "outcomes", outputActivation: "sigmoid" })).toThrow(
      "ends in softmax, not sigmoid",
    );
  });

  test("outcomes of a game that lists none", () => {
    expect(() => make(createGame("2048"), "simple", { head: "outcomes" })).toThrow("2048 has no short list");
  });
});

slowTest("a bias is rounded as weights are, so that sums that begin with it are exact", () => {
  const kept = make(backgammon, "tesauro", { hidden: [], outputActivation: "linear" });
  const afresh = make(backgammon, "tesauro", { hidden: [], outputActivation: "linear", startsAfresh: true });
  const [layer] = kept.network.layers;
  // Sums of many sizes, some near 0, and a bias with bits far below the last one that is kept of weights up to 1.
  layer!.kernel.forEach((_, at, kernel) => (kernel[at] = at % 2 === 0 ? 1 : -1));
  layer!.bias.fill(2 ** -31 / 3);
  const [one, other] = [kept, afresh].map(({ evaluator }) => {
    evaluator.load(kept.network);
    return randomPositions(backgammon, 50, { seed: "bias" }).map((state) => {
      evaluator.look(state, 0);
      return evaluator.outputs[0]!;
    });
  });
  expect(one).toEqual(other);
  expect(new Set(one).size).toBeGreaterThan(10);
});

test("a policy: the logits of the legal actions, whatever was asked before; the value is that without one", () => {
  const game = createGame("connect-four");
  const features = game.featureSets["fours"]!;
  const policyHead = game.policyHead!;
  const shape = {
    inputs: features.size,
    hidden: [6],
    hiddenActivation: "relu",
    outputActivation: "tanh",
  } as const;
  const network = randomNetwork(
    { ...shape, outputs: 1 + policyHead.size, logits: policyHead.size },
    "policy",
  );
  const last = network.layers[1]!;
  const onlyValue: Network = {
    layers: [
      network.layers[0]!,
      {
        ...last,
        units: 1,
        kernel: last.kernel.filter((_, at) => at % last.units === 0),
        bias: last.bias.slice(0, 1),
      },
    ],
  };
  const evaluator = new NetworkEvaluator(game, features, { network, head: "value", policyHead });
  const plain = new NetworkEvaluator(game, features, { network: onlyValue, head: "value" });
  const afresh = new NetworkEvaluator(game, features, {
    network,
    head: "value",
    policyHead,
    startsAfresh: true,
  });
  expect(plain.prefer).toBeUndefined();
  const actions = new Int32Array(7);
  const found = new Float32Array(7);
  for (const state of randomPositions(game, 40)) {
    if (state.toMove < 0) continue;
    const count = state.legalActions(actions, 0);
    const wanted = Array.from(actions.subarray(0, count), (action) => logit(state, action));
    const moved = copyOf(game, state);
    moved.apply(actions[0]);
    evaluator.prefer!(state, actions, 0, count, found);
    for (let at = 0; at < count; at++) expect(found[at]).toBeCloseTo(wanted[at]!, 4);
    if (moved.toMove >= 0) evaluator.evaluate(moved, 0);
    expect(evaluator.evaluate(state, 0)).toBe(afresh.evaluate(state, 0));
    expect(evaluator.evaluate(state, 0)).toBeCloseTo(plain.evaluate(state, 0), 5);
    expect(evaluator.logits).toEqual(afresh.logits);
    evaluator.prefer!(state, actions, 0, count, found);
    for (let at = 0; at < count; at++) expect(found[at]).toBeCloseTo(wanted[at]!, 4);
  }
  expect(() => new NetworkEvaluator(game, features, { network, head: "value" })).toThrow(
    "the network has 7 logits where 0 are wanted",
  );

  function logit(state: State, action: number): number {
    const index = new Int32Array(features.maxActive);
    const active = features.extract(state, state.toMove, index, new Float32Array());
    const [first] = network.layers;
    let sum = last.bias[1 + action]!;
    for (let unit = 0; unit < 6; unit++) {
      let signal = first!.bias[unit]!;
      for (const feature of index.subarray(0, active)) signal += first!.kernel[feature * 6 + unit]!;
      sum += Math.max(0, signal) * last.kernel[unit * last.units + 1 + action]!;
    }
    return sum;
  }
});
