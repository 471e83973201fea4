import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { createLuckMeter, LuckMeter } from "../../../src/arena/results/luck.ts";
import { prepareAgent } from "../../../src/agents/prepare.ts";
import { createRandom, type Random } from "../../../src/base/random.ts";
import { LinearEvaluator } from "../../../src/evaluators/linear.ts";
import { CHANCE, TERMINAL, type Evaluator, type Game, type State } from "../../../src/games/contract/game.ts";
import { createGame } from "../../../src/games/index.ts";
import { OptimalPig } from "../../../src/games/pig/judge.ts";
import type { PigState } from "../../../src/games/pig/state.ts";
import { slowTest, thorough } from "../../support/thorough.ts";

const shipped = fileURLToPath(new URL("../../../weights", import.meta.url));

interface Played {
  readonly actions: readonly number[];
  readonly returns: readonly number[];
}

/** Chooses an action of the player to move. */
type Choose = (state: State, random: Random) => number;

/** Plays a game to its end. */
function play(game: Game, choose: Choose, random: Random): Played {
  const state = game.start();
  const outcomes = new Int32Array(game.maxActions);
  const probabilities = new Float64Array(game.maxActions);
  const actions: number[] = [];
  while (state.toMove !== TERMINAL) {
    let action: number;
    if (state.toMove === CHANCE) {
      const count = state.chanceOutcomes!(outcomes, probabilities, 0);
      action = outcomes[random.weighted(probabilities, 0, count)]!;
    } else action = choose(state, random);
    actions.push(action);
    state.apply(action);
  }
  return { actions, returns: Array.from({ length: game.players }, (_, seat) => state.returns(seat)) };
}

/** Chooses any action with the same probability. */
function randomChoice(game: Game): Choose {
  const actions = new Int32Array(game.maxActions);
  return (state, random) => actions[random.below(state.legalActions(actions, 0))]!;
}

/** The decisions and values of the agent `greedy`. */
function greedy(game: Game, evaluator: string) {
  const agent = prepareAgent(game, { agent: "greedy", evaluator, ties: "first" }).create();
  return (state: State, random: Random) =>
    agent.choose(state, { random, budget: {}, clock: () => 0 }) as { action: number; value: number };
}

/** The mean of a sample, and its standard error. */
function meanOf(sample: readonly number[]): { mean: number; error: number } {
  const mean = sample.reduce((sum, one) => sum + one, 0) / sample.length;
  const squares = sample.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  return { mean, error: Math.sqrt(squares / (sample.length - 1) / sample.length) };
}

describe("a game tree by hand", () => {
  // A toss. After heads player 0 stops with 2, or dares: 10 with probability 1/4, else 0.
  const dare = {
    chance: [
      { probability: "1/4", node: 10 },
      { probability: "3/4", node: 0 },
    ],
    value: 3,
  };
  const root = {
    chance: [
      { probability: "1/2", node: { player: 0, actions: { stop: 2, dare } } },
      { probability: "1/2", node: -4 },
    ],
  };
  const meter = createLuckMeter(createGame({ id: "tree", root }), "value");

  // After heads the better action is worth max(2, 3) = 3, after tails -4: the mean is -0.5. The dare's mean is 2.5.
  test.each([
    ["heads, stop", [0, 0], 3 - -0.5],
    ["heads, dare, 10", [0, 1, 0], 3.5 + (10 - 2.5)],
    ["heads, dare, 0", [0, 1, 1], 3.5 + (0 - 2.5)],
    ["tails", [1], -4 - -0.5],
    ["a forfeit before the dare is decided", [0, 1], 3.5],
  ])("%s", (_, actions, luck) => {
    expect(meter.measure(actions)).toEqual([luck, -luck]);
  });

  test("chance events of an opening are left out", () => {
    expect(meter.measure([0, 1, 0], 1)).toEqual([7.5, -7.5]);
    expect(meter.measure([0, 1, 0], 3)).toEqual([0, 0]);
  });

  test("an action that is no outcome is refused", () => {
    expect(() => meter.measure([7])).toThrow("action 1 of a game, 7, is no outcome of its chance event");
  });
});

describe("pig with the exact value", () => {
  const target = 30;
  const game = createGame({ id: "pig", target });
  const optimal = new OptimalPig(target);
  const exact: Evaluator<PigState> = {
    evaluate({ scores, turnPlayer, turnTotal, toMove }, player) {
      const [own, other] = [scores[turnPlayer]!, scores[1 - turnPlayer]!];
      let chance = optimal.wins(own, other, turnTotal);
      if (toMove === CHANCE) {
        chance = 1 - optimal.wins(other, own, 0);
        for (let face = 2; face <= 6; face++) chance += optimal.wins(own, other, turnTotal + face);
        chance /= 6;
      }
      return player === turnPlayer ? 2 * chance - 1 : 1 - 2 * chance;
    },
  };
  const meter = new LuckMeter(game, exact as Evaluator);
  const value = 2 * optimal.wins(0, 0, 0) - 1;
  const policy = game.policies["perfect"]!.create();

  test("optimal players have no spread: each game is worth the start", () => {
    const random = createRandom("luck", "optimal");
    for (let count = 0; count < 500; count++) {
      const { actions, returns } = play(game, (state) => policy.choose(state), random);
      const luck = meter.measure(actions);
      expect(returns[0]! - luck[0]!).toBeCloseTo(value, 9);
      expect(luck[1]).toBe(0 - luck[0]!);
    }
  });

  test("with other players the spread is that of their decisions", () => {
    const random = createRandom("luck", "random");
    const choose = randomChoice(game);
    for (let count = 0; count < 300; count++) {
      const { actions, returns } = play(game, choose, random);
      const state = game.start() as PigState;
      let decided = 0;
      for (const action of actions) {
        const isDecision = state.toMove !== CHANCE;
        const before = isDecision ? exact.evaluate(state, 0) : 0;
        state.apply(action);
        if (!isDecision) continue;
        decided += (state.toMove === TERMINAL ? state.returns(0) : exact.evaluate(state, 0)) - before;
      }
      expect(returns[0]! - meter.measure(actions)[0]!).toBeCloseTo(value + decided, 9);
    }
  });
});

/**
 * The mean luck of many games lies within 3.29 standard errors of 0 for each seat: an error rate of 1 in 1,000.
 */
test.each([2, 3])("pig for %i players: luck is unbiased, though the weights are random", (players) => {
  const game = createGame({ id: "pig", target: 20, players });
  const random = createRandom("luck", "unbiased", players);
  const features = game.featureSets["race"]!;
  const weights = Float32Array.from({ length: features.size }, () => random.float() - 0.5);
  const meter = new LuckMeter(game, new LinearEvaluator(game, features, { weights, output: "tanh" }));
  const choose = randomChoice(game);
  const lucks = Array.from({ length: thorough(10_000, 2000) }, () =>
    meter.measure(play(game, choose, random).actions),
  );
  for (let seat = 0; seat < players; seat++) {
    const { mean, error } = meanOf(lucks.map((luck) => luck[seat]!));
    expect(error).toBeGreaterThan(0.001);
    expect(Math.abs(mean)).toBeLessThan(3.29 * error);
  }
});

/** Games of pubeval, and the same bound. Counting pips is far from the truth: it takes out little, but adds no bias. */
slowTest("backgammon: luck is unbiased, and by the network at most 60% of the spread are left", () => {
  const game = createGame("backgammon");
  const pubeval = game.policies["pubeval"]!.create();
  const random = createRandom("luck", "backgammon");
  const games = Array.from({ length: 60 }, () => play(game, (state) => pubeval.choose(state), random));
  const plain = meanOf(games.map(({ returns }) => returns[0]!));
  for (const evaluator of ["pip-count", "backgammon/network.json"]) {
    const meter = createLuckMeter(game, evaluator, shipped);
    const lucks = games.map(({ actions }) => meter.measure(actions)[0]!);
    const { mean, error } = meanOf(lucks);
    expect(Math.abs(mean)).toBeLessThan(3.29 * error);
    const adjusted = meanOf(games.map(({ returns }, at) => returns[0]! - lucks[at]!));
    if (evaluator !== "pip-count") expect(adjusted.error).toBeLessThan(0.6 * plain.error);
  }
});

test.each([
  ["backgammon", "pubeval"],
  ["pig", "race"],
  ["2048", "order"],
])("%s: the value after each outcome is that of the agent greedy", (id, evaluator) => {
  const game = createGame(id);
  const random = createRandom("luck", id);
  const choose = greedy(game, evaluator);
  const { actions } = play(game, (state) => choose(state, random).action, random);
  const outcomes = new Int32Array(game.maxActions);
  const probabilities = new Float64Array(game.maxActions);
  const state = game.start();
  const valueAfter = (outcome: number) => {
    state.apply(outcome);
    const value =
      state.toMove === CHANCE
        ? game.heuristics[evaluator]!.evaluate(state, 0)
        : state.toMove === TERMINAL
          ? state.returns(0)
          : (state.toMove === 0 ? 1 : -1) * choose(state, random).value;
    state.undo();
    return value;
  };
  let luck = 0;
  for (const action of actions) {
    if (state.toMove === CHANCE) {
      const count = state.chanceOutcomes!(outcomes, probabilities, 0);
      luck += valueAfter(action);
      for (let at = 0; at < count; at++) luck -= probabilities[at]! * valueAfter(outcomes[at]!);
    }
    state.apply(action);
  }
  const measured = createLuckMeter(game, evaluator).measure(actions)[0]!;
  expect(Math.abs(measured - luck)).toBeLessThan(1e-9 * Math.max(1, game.maxReturn - game.minReturn));
});

test("an evaluator that does not fit is refused with what fits", () => {
  expect(() => createLuckMeter(createGame("connect-four"), "threats")).toThrow(
    "connect-four has no chance events, so there is no luck to take out",
  );
  const game = createGame("backgammon");
  expect(() => createLuckMeter(game, "pubeva")).toThrow(
    'unknown evaluator "pubeva" (did you mean "pubeval"?); allowed: none, pip-count, pubeval, or the path of a weights file',
  );
  expect(() => createLuckMeter(game, "pig/linear.json", shipped)).toThrow(
    `${join(shipped, "pig/linear.json")}: game: the weights are for pig, wanted is backgammon`,
  );
  const broken: Evaluator = { evaluate: () => NaN };
  const tree = createGame({ id: "tree", root: { chance: [{ probability: 1, node: 1 }] } });
  expect(new LuckMeter(tree, broken).measure([0])).toEqual([0, 0]);
  const pig = createGame("pig");
  expect(() => new LuckMeter(pig, broken).measure([1, 2])).toThrow("values that are no numbers");
});
