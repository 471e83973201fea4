import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRandom } from "../../../../src/base/random.ts";
import { defaultActivation, headSize, type HeadKind } from "../../../../src/evaluators/network/head.ts";
import type { Activation, Network } from "../../../../src/evaluators/network/network.ts";
import { NetworkEvaluator } from "../../../../src/evaluators/network/network-evaluator.ts";
import {
  CHANCE,
  TERMINAL,
  type FeatureSet,
  type Game,
  type State,
} from "../../../../src/games/contract/game.ts";
import { createGame } from "../../../../src/games/index.ts";
import { DivergenceError, type Learner } from "../../../../src/training/learn/learner.ts";
import {
  LambdaReturnLearner,
  type LambdaReturnOptions,
} from "../../../../src/training/learn/network/lambda-return-learner.ts";
import { PlainTrainer } from "../../../../src/training/learn/network/plain-trainer.ts";
import { OnePly, OnePlyMoves } from "../../../../src/training/self-play/one-ply.ts";
import { PositionListener, SelfPlay } from "../../../../src/training/self-play/self-play.ts";
import { StartPositions } from "../../../../src/training/self-play/start-positions.ts";
import { randomNetwork } from "../../../support/networks.ts";
import { walk } from "../../walk.ts";
import { Recorder } from "./recorder.ts";
import { slowTest } from "../../../support/thorough.ts";

interface Setup {
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
  /** The first value of all weights, in place of random ones. */
  readonly weights?: number;
}

function setUp(game: Game, name: string, shape: Shape = {}): Setup {
  const { head = "value", hidden = [], hiddenActivation = "tanh" } = shape;
  const outputActivation = shape.outputActivation ?? (head === "value" ? "linear" : defaultActivation(head));
  const features = game.featureSets[name]!;
  const network = randomNetwork(
    { inputs: features.size, hidden, hiddenActivation, outputs: headSize(game, head), outputActivation },
    game.id,
  );
  if (shape.weights !== undefined)
    for (const { kernel, bias } of network.layers)
      for (const part of [kernel, bias]) part.fill(shape.weights);
  return { game, features, network, evaluator: new NetworkEvaluator(game, features, { network, head }) };
}

function selfPlay(
  { game, evaluator }: Setup,
  learner: Learner,
  { seed, epsilon = 0 }: { seed: string; epsilon?: number },
) {
  const random = createRandom(seed);
  const chooser = new OnePly(game, evaluator, random);
  chooser.exploration.epsilon = epsilon;
  const starts = new StartPositions(game, [{ randomPlies: { from: 0, to: 0 } }], random);
  return {
    play: new SelfPlay(game, {
      starts,
      moves: new OnePlyMoves({ chooser, starts }),
      listener: new PositionListener(learner),
    }),
    random,
  };
}

/** The output for each cell of a walk, player by player. */
function cellValues({ features, evaluator, game }: Setup): number[] {
  const cells = game.featureSets["cells"] === features ? 5 : 0;
  return Array.from({ length: game.players }, (_, player) =>
    Array.from({ length: cells }, (_, cell) => {
      const state = game.start() as State & { cell: number };
      state.cell = cell + 1;
      return evaluator.evaluate(state, player) - state.returns(player);
    }),
  ).flat();
}

/** A learner with the batches that suit these tests. */
function createLearner(setup: Setup, lambda: number): LambdaReturnLearner {
  const trainer = new PlainTrainer(setup.network);
  const options = { lambda, batch: 16, positions: "all", afterRandomMove: "cut" } as const;
  return new LambdaReturnLearner(setup.game, setup.evaluator, { ...options, trainer });
}

/** The step size for a game of self-play, the first of which is 0. */
function stepSizeAt(game: number): number {
  return 0.02 / (1 + game / 100);
}

function learn(setup: Setup, { lambda, games }: { lambda: number; games: number }): number[] {
  const learner = createLearner(setup, lambda);
  const { play } = selfPlay(setup, learner, { seed: `learn ${lambda}` });
  for (let game = 0; game < games; game++) {
    learner.stepSize = stepSizeAt(game);
    play.playGame();
  }
  return cellValues(setup);
}

describe("the values of chains that are known", () => {
  // See td.test.ts: with n visits left in the average, the error of a value is about 0.5 / sqrt(n).
  slowTest.each([0, 0.5, 1])("random walk of five cells, lambda %d: 1/6 to 5/6", (lambda) => {
    const values = learn(setUp(walk(), "cells", { weights: 0 }), {
      lambda,
      games: 20_000,
    });
    for (const [at, value] of values.entries()) expect(Math.abs(value - (at + 1) / 6)).toBeLessThan(0.03);
  });

  slowTest.each(["tanh", "sigmoid"] as const)(
    "the same through a hidden layer and %s",
    (outputActivation) => {
      const setup = setUp(walk(), "cells", { hidden: [6], outputActivation });
      const values = learn(setup, { lambda: 0.5, games: 20_000 });
      for (const [at, value] of values.entries()) expect(Math.abs(value - (at + 1) / 6)).toBeLessThan(0.04);
    },
  );

  slowTest("outcomes: how probable it is to end on the right", () => {
    const game: Game = { ...walk(), outcomes: [0, 1] };
    const values = learn(setUp(game, "cells", { head: "outcomes" }), {
      lambda: 0.5,
      games: 20_000,
    });
    for (const [at, value] of values.entries()) expect(Math.abs(value - (at + 1) / 6)).toBeLessThan(0.03);
  });

  slowTest("three players learn their own views of one game", () => {
    const setup = setUp(walk({ players: 3 }), "cells", { weights: 0 });
    const values = learn(setup, { lambda: 0.5, games: 20_000 });
    for (let cell = 1; cell <= 5; cell++) {
      expect(Math.abs(values[cell - 1]! - cell / 6)).toBeLessThan(0.03);
      expect(Math.abs(values[5 + cell - 1]! - (1 - cell / 6))).toBeLessThan(0.03);
      expect(Math.abs(values[10 + cell - 1]! - 0.5)).toBeLessThan(0.02);
    }
  });
});

/** A game of self-play with exploration, position by position: what a learner is told. */
interface Seen {
  readonly state: State;
  readonly by: number;
  readonly explored: boolean;
}

function recordGame(setup: Setup, seed: string, epsilon: number): Seen[] {
  const { game } = setup;
  const seen: Seen[] = [];
  const copy = (state: State) => {
    const kept = game.start();
    kept.copyFrom(state);
    return kept;
  };
  const learner: Learner = {
    steps: 0,
    stepSize: 0,
    errors: { count: 0, squares: 0 },
    memory: {},
    restore() {},
    begin: (state) => seen.push({ state: copy(state), by: CHANCE, explored: false }),
    observe: (state, by, explored) => seen.push({ state: copy(state), by, explored }),
    end: (state, explored) => seen.push({ state: copy(state), by: 0, explored }),
  };
  selfPlay(setup, learner, { seed, epsilon }).play.playGame();
  return seen;
}

/** Tells a learner of a recorded game. */
function retell(seen: readonly Seen[], learner: Learner): void {
  for (const [at, { state, by, explored }] of seen.entries()) {
    if (at === 0) learner.begin(state);
    else if (state.toMove === TERMINAL) learner.end(state, explored);
    else learner.observe(state, by, explored);
  }
}

/** The samples of one game, in the order of the game. */
function samplesOf(
  setup: Setup,
  seen: readonly Seen[],
  { opponentSeat, ...options }: Partial<LambdaReturnOptions> & { opponentSeat?: number },
) {
  const trainer = new Recorder(setup.network);
  const learner = new LambdaReturnLearner(setup.game, setup.evaluator, {
    lambda: 0.5,
    batch: 1,
    positions: "all",
    afterRandomMove: "cut",
    ...options,
    trainer,
  });
  learner.opponentSeat = opponentSeat;
  retell(seen, learner);
  return trainer.samples.toReversed();
}

describe("what lambda-returns teach", () => {
  const GAMES = [
    ["tic-tac-toe", "lines", "value"],
    ["tic-tac-toe", "lines", "outcomes"],
    ["connect-four", "lines", "outcomes"],
    ["backgammon", "tesauro", "value"],
    ["backgammon", "tesauro", "outcomes"],
    ["pig", "race", "value"],
  ] as const;

  test.each(GAMES)(
    "%s, %s, %s: lambda 1 is the final return of who sees it (Monte Carlo)",
    (id, name, head) => {
      const setup = setUp(createGame(id), name, {
        head,
        hidden: [4],
        outputActivation: defaultActivation(head),
      });
      const seen = recordGame(setup, id, 0);
      const final = seen.at(-1)!.state;
      const samples = samplesOf(setup, seen, { lambda: 1 });
      expect(samples.length).toBe(seen.length - 1);
      for (const [at, { target }] of samples.entries()) {
        const viewer = setup.evaluator.viewer(seen[at]!.state, 0);
        expect(setup.evaluator.head.worth(Float64Array.from(target))).toBeCloseTo(final.returns(viewer), 4);
      }
    },
  );

  slowTest.each(GAMES)(
    "%s, %s, %s: targets are the lambda-returns of the players' values",
    (id, name, head) => {
      const setup = setUp(createGame(id), name, {
        head,
        hidden: [4],
        outputActivation: defaultActivation(head),
      });
      fc.assert(
        fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer(), (lambda, seed) => {
          const seen = recordGame(setup, `${seed}`, 0);
          const { evaluator } = setup;
          // All by player 0's values, which know nothing of views.
          const values = seen.slice(0, -1).map(({ state }) => evaluator.evaluate(state, 0));
          const final = seen.at(-1)!.state.returns(0);
          for (const [at, { target }] of samplesOf(setup, seen, { lambda }).entries()) {
            const wanted = values
              .slice(at + 1)
              .reduceRight((later, value) => (1 - lambda) * value + lambda * later, final);
            const sign = evaluator.viewer(seen[at]!.state, 0) === 0 ? 1 : -1;
            expect(evaluator.head.worth(Float64Array.from(target))).toBeCloseTo(sign * wanted, 4);
          }
        }),
        { numRuns: 10, seed: 1 },
      );
    },
  );

  test("rewards along the way: at lambda 1 what is still to come", () => {
    const setup = setUp(createGame({ id: "2048", height: 2, width: 2 }), "simple", { hidden: [4] });
    const seen = recordGame(setup, "rewards", 0);
    const final = seen.at(-1)!.state.returns(0);
    for (const [at, { target }] of samplesOf(setup, seen, { lambda: 1 }).entries())
      expect(target[0]).toBeCloseTo(final - seen[at]!.state.returns(0), 2);
  });

  test("afterstates: the positions that players' actions led to, and no other", () => {
    const setup = setUp(createGame("backgammon"), "tesauro", { head: "outcomes", hidden: [4] });
    const seen = recordGame(setup, "after", 0);
    const after = seen.filter(({ by, state }) => by !== CHANCE && state.toMove !== TERMINAL);
    const samples = samplesOf(setup, seen, { positions: "afterstates", lambda: 0.7 });
    expect(samples.length).toBe(after.length);
    const { evaluator } = setup;
    const values = after.map(({ state }) => evaluator.evaluate(state, 0));
    const final = seen.at(-1)!.state.returns(0);
    for (const [at, { target, features }] of samples.entries()) {
      const viewer = evaluator.viewer(after[at]!.state, 0);
      evaluator.look(after[at]!.state, viewer);
      expect(Object.keys(features).length).toBe(evaluator.active);
      const wanted = values.slice(at + 1).reduceRight((later, value) => 0.3 * value + 0.7 * later, final);
      expect(evaluator.head.worth(Float64Array.from(target))).toBeCloseTo(
        viewer === 0 ? wanted : 0 - wanted,
        4,
      );
    }
  });

  test.each([0, 1])(
    "a seat of older weights, %d: positions after the moves of the others",
    (opponentSeat) => {
      const setup = setUp(createGame("tic-tac-toe"), "lines", { hidden: [4], outputActivation: "tanh" });
      const seen = recordGame(setup, "past", 0);
      const { evaluator } = setup;
      const learned = seen.slice(0, -1).filter(({ by }) => by !== opponentSeat);
      expect(learned.length).toBeLessThan(seen.length - 2);
      const samples = samplesOf(setup, seen, { lambda: 0.5, opponentSeat });
      expect(samples.length).toBe(learned.length);
      const values = learned.map(({ state }) => evaluator.evaluate(state, 0));
      const final = seen.at(-1)!.state.returns(0);
      for (const [at, { target }] of samples.entries()) {
        const wanted = values.slice(at + 1).reduceRight((later, value) => 0.5 * value + 0.5 * later, final);
        const sign = evaluator.viewer(learned[at]!.state, 0) === 0 ? 1 : -1;
        expect(target[0]).toBeCloseTo(sign * wanted, 5);
      }
      // A random move of older weights: the position before it is cut, as before any other.
      const at = seen.findLastIndex(({ by, state }) => by === opponentSeat && state.toMove !== TERMINAL);
      const explored = seen.map((each, place) => ({ ...each, explored: place === at }));
      expect(samplesOf(setup, explored, { lambda: 0.5, opponentSeat }).length).toBe(learned.length - 1);
    },
  );

  test("with three players the lesson of older weights is left out", () => {
    const setup = setUp(walk({ players: 3, mover: "players", pays: "steps" }), "cells", { weights: 0.1 });
    const seen = recordGame(setup, "three", 1);
    const kept = seen.map((each) => ({ ...each, explored: false }));
    const count = kept.slice(0, -1).filter(({ by }) => by !== 1).length;
    expect(samplesOf(setup, kept, { opponentSeat: 1 }).length).toBe(2 * count);
    expect(samplesOf(setup, kept, {}).length).toBe(3 * (kept.length - 1));
  });

  test("a random move: the position before it teaches nothing, and stands for what followed it", () => {
    const setup = setUp(createGame("tic-tac-toe"), "lines", { hidden: [4], outputActivation: "tanh" });
    const plain = recordGame(setup, "cut", 0);
    const seen = plain.map((each, at) => ({ ...each, explored: at === 4 }));
    const { evaluator } = setup;
    const values = plain.slice(0, -1).map(({ state }) => evaluator.evaluate(state, 0));
    const cut = samplesOf(setup, seen, { lambda: 0.5 });
    expect(cut.length).toBe(plain.length - 2);
    // After position 3 the random move: position 2 learns from its value alone, 1 from 2's and 3's.
    const valueOf = (sample: number, position: number) =>
      (evaluator.viewer(plain[position]!.state, 0) === 0 ? 1 : -1) * cut[sample]!.target[0]!;
    expect(valueOf(2, 2)).toBeCloseTo(values[3]!, 5);
    expect(valueOf(1, 1)).toBeCloseTo(0.5 * values[2]! + 0.5 * values[3]!, 5);
    const all = samplesOf(setup, plain, { lambda: 0.5 });
    expect(cut.slice(3)).toEqual(all.slice(4));
    expect(samplesOf(setup, seen, { lambda: 0.5, afterRandomMove: "continue" })).toEqual(all);
  });
});

describe("self-play goes on where it stopped", () => {
  slowTest("to the last bit", () => {
    const game = createGame("backgammon");
    const begin = () => setUp(game, "tesauro", { head: "outcomes", hidden: [6], hiddenActivation: "relu" });
    const undisturbed = begin();
    const one = createLearner(undisturbed, 0.7);
    const first = selfPlay(undisturbed, one, { seed: "resume" });
    for (let number = 0; number < 3; number++) {
      one.stepSize = stepSizeAt(number);
      first.play.playGame();
    }

    const resumed = begin();
    for (const [layer, { kernel, bias }] of undisturbed.network.layers.entries()) {
      resumed.network.layers[layer]!.kernel.set(kernel);
      resumed.network.layers[layer]!.bias.set(bias);
    }
    resumed.evaluator.load(resumed.network);
    const other = createLearner(resumed, 0.7);
    other.restore(
      JSON.parse(JSON.stringify(memoryOf(one)), (_key, value) =>
        Array.isArray(value) ? Float32Array.from(value as number[]) : value,
      ) as Record<string, Float32Array>,
    );
    const second = selfPlay(resumed, other, { seed: "resume" });
    second.random.restore(first.random.save());

    for (let number = 3; number < 6; number++) {
      for (const [{ play }, learner] of [
        [first, one],
        [second, other],
      ] as const) {
        learner.stepSize = stepSizeAt(number);
        play.playGame();
      }
    }
    expect(resumed.network).toEqual(undisturbed.network);
    expect(other.memory).toEqual(one.memory);
  });

  function memoryOf({ memory }: Learner): Record<string, number[]> {
    return Object.fromEntries(Object.entries(memory).map(([name, values]) => [name, Array.from(values)]));
  }
});

test("weights that leave all bounds are reported", () => {
  const setup = setUp(walk(), "cells", { weights: 0 });
  const learner = createLearner(setup, 0);
  const { play } = selfPlay(setup, learner, { seed: "diverge" });
  learner.stepSize = 1e39;
  expect(() => {
    for (let number = 0; number < 1000; number++) play.playGame();
  }).toThrow(DivergenceError);
});

test.each([
  ["connect-four", "lines", "value"],
  ["backgammon", "tesauro", "outcomes"],
  ["pig", "race", "value"],
] as const)("%s: counts the error of each step that is learned from", (id, name, head) => {
  const setup = setUp(createGame({ id }), name, { head, hidden: [3] });
  const { game, evaluator } = setup;
  // The batch is never full, so that the network stays as it is.
  const learner = new LambdaReturnLearner(game, evaluator, {
    trainer: new PlainTrainer(setup.network),
    lambda: 0.7,
    batch: 4096,
    positions: "all",
    afterRandomMove: "cut",
  });
  const seen = recordGame(setup, "errors", 0.2);
  retell(seen, learner);
  const players =
    game.players === 2 && game.zeroSum ? [0] : Array.from({ length: game.players }, (_, at) => at);
  const value = (state: State, player: number) =>
    state.toMove === TERMINAL ? state.returns(player) : evaluator.evaluate(state, player);
  const errors = players.flatMap((player) =>
    seen
      .slice(1)
      .flatMap(({ state, explored }, at) =>
        explored ? [] : [value(state, player) - value(seen[at]!.state, player)],
      ),
  );
  expect(seen.some(({ explored }) => explored)).toBe(true);
  expect(learner.errors.count).toBe(errors.length);
  expect(learner.errors.squares).toBeCloseTo(
    errors.reduce((sum, error) => sum + error * error, 0),
    6,
  );
});
