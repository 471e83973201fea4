import { describe, expect, test } from "vitest";
import { LinearEvaluator } from "../../../src/evaluators/linear.ts";
import { CHANCE, TERMINAL, type Evaluator } from "../../../src/games/contract/game.ts";
import type { ConnectFourState } from "../../../src/games/connect-four/state.ts";
import { createGame } from "../../../src/games/index.ts";
import { OnePly } from "../../../src/training/self-play/one-ply.ts";
import { expectFrequencies } from "../../support/frequencies.ts";
import { createRandom } from "../../../src/base/random.ts";
import { selfPlay, Witness, type PlayOptions } from "../play.ts";
import { slowTest } from "../../support/thorough.ts";

const game = createGame("tic-tac-toe");
const open = game.heuristics["open-lines"]!;
const indifferent: Evaluator = { evaluate: () => 0 };

/** Games of self-play, and what a learner is shown: positions after moves where the game goes on. */
function play(evaluator: Evaluator, games: number, options: PlayOptions = {}) {
  const learner = new Witness(game);
  const { play: player } = selfPlay(game, { evaluator, learner }, { seed: "self-play test", ...options });
  for (let number = 0; number < games; number++) player.playGame();
  const told = learner.games.flatMap(([, ...seen]) =>
    seen.map(({ state, by, explored }) => ({ state: game.formatState(state), by, explored })),
  );
  const starts = learner.games.map(([start]) => game.formatState(start!.state));
  return { told, starts, games: learner.games, player };
}

const stones = (state: string) => (state.match(/[xo]/g) ?? []).length;

test("each player takes what the evaluator likes best for that player", () => {
  const { told } = play(open, 20);
  const after = (moves: number) =>
    new Set(told.filter(({ state }) => stones(state) === moves).map(({ state }) => state));
  // The centre leaves four lines to x alone; then a corner takes three of x's lines, an edge two.
  expect(after(1)).toEqual(new Set([".../.x./..."]));
  expect(after(2)).toEqual(new Set(["o../.x./...", "..o/.x./...", ".../.x./o..", ".../.x./..o"]));
});

test("the learner is told who moved, by chance too, and of the end alone that it is over", () => {
  const pig = createGame({ id: "pig", target: 20 });
  const learner = new Witness(pig);
  const { play: player } = selfPlay(pig, { evaluator: indifferent, learner });
  for (let number = 0; number < 20; number++) player.playGame();
  let decisions = 0;
  for (const seen of learner.games) {
    for (const [at, { state, by }] of seen.entries()) {
      const over = at === seen.length - 1;
      expect(state.toMove === TERMINAL).toBe(over);
      if (at === 0) continue;
      const mover = seen[at - 1]!.state.toMove;
      expect(by).toBe(over ? TERMINAL : mover);
      if (mover !== CHANCE) decisions++;
    }
  }
  expect(player.decisions).toBe(decisions);
});

test.each([0, 1])("equal actions are equally likely, and so are random ones: epsilon %d", (epsilon) => {
  const player = new OnePly(game, indifferent, createRandom("equal"));
  player.exploration.epsilon = epsilon;
  const counts = Array.from({ length: 9 }, () => 0);
  for (let draw = 0; draw < 36_000; draw++) counts[player.choose(game.start())]!++;
  expectFrequencies(counts);
});

test("random moves come as often as they should, and are said to be random", () => {
  const { told, player } = play(open, 1700, { epsilon: 0.3 });
  // The last cell of nine is no choice.
  const choices = told.filter(({ state }) => stones(state) < 9);
  const explored = choices.filter((step) => step.explored).length;
  expect(told.length).toBe(player.decisions);
  expectFrequencies([explored, choices.length - explored], [0.3, 0.7]);
  expect(play(open, 50).told.some((step) => step.explored)).toBe(false);
});

test("a position that is said to be held is: its active features and their sum", () => {
  const features = game.featureSets["lines"]!;
  const random = createRandom("held");
  const weights = Float32Array.from({ length: features.size }, () => random.float() - 0.5);
  const evaluator = new LinearEvaluator(game, features, { weights, output: "tanh" });
  const other = new LinearEvaluator(game, features, { weights, output: "tanh" });
  let held = 0;
  class Checker extends Witness {
    override observe(...[state, by, explored, isHeld]: Parameters<Witness["observe"]>): void {
      super.observe(state, by, explored, isHeld);
      if (isHeld !== true) return;
      held++;
      const { active, index, value, sign, last } = evaluator.held;
      expect(last).toBe(other.sum(state, 0));
      expect([active, sign]).toEqual([other.active, other.sign]);
      expect(Array.from(index.subarray(0, active))).toEqual(Array.from(other.index.subarray(0, active)));
      expect(Array.from(value.subarray(0, active))).toEqual(Array.from(other.value.subarray(0, active)));
    }
  }
  const learner = new Checker(game);
  const { play: player } = selfPlay(game, { evaluator, learner }, { epsilon: 0.2 });
  for (let number = 0; number < 50; number++) player.playGame();
  expect(held).toBeGreaterThan(150);
});

describe("softmax", () => {
  const connectFour = createGame("connect-four");
  const VALUES = [0.5, -0.4, 0.1, 0.3, -0.2, 0, 0.5];
  const TEMPERATURE = 0.3;
  /** A value of its own for each column that the first stone may be dropped into. */
  const byColumn: Evaluator = {
    evaluate: (state, player) => {
      const column = (state as ConnectFourState).heights.indexOf(1);
      return player === 0 ? VALUES[column]! : 0 - VALUES[column]!;
    },
  };

  slowTest(
    "actions are as frequent as exp(value / temperature): 20,000 draws, chi square below its 99.99% bound",
    () => {
      const player = new OnePly(connectFour, byColumn, createRandom("softmax"));
      player.exploration.temperature = TEMPERATURE;
      const state = connectFour.start();
      const counts = VALUES.map(() => 0);
      for (let draw = 0; draw < 20_000; draw++) {
        const action = player.choose(state);
        counts[action]!++;
        // The best ones count as played on purpose.
        expect(player.explored).toBe(VALUES[action]! < 0.5);
        expect(player.holds).toBe(false);
      }
      const odds = VALUES.map((value) => Math.exp(value / TEMPERATURE));
      const all = odds.reduce((sum, one) => sum + one, 0);
      const chiSquare = odds.reduce((sum, one, column) => {
        const expected = (20_000 * one) / all;
        return sum + (counts[column]! - expected) ** 2 / expected;
      }, 0);
      expect(chiSquare).toBeLessThan(27.86);
    },
  );

  test("a low temperature takes the best alone, a high one anything", () => {
    const draw = (temperature: number) => {
      const player = new OnePly(connectFour, byColumn, createRandom("softmax"));
      player.exploration.temperature = temperature;
      const state = connectFour.start();
      return new Set(Array.from({ length: 500 }, () => player.choose(state)));
    };
    expect(draw(0.001)).toEqual(new Set([0, 6]));
    expect(draw(100).size).toBe(7);
  });

  test("a win at once is valued as what it brings", () => {
    const player = new OnePly(game, indifferent, createRandom("win"));
    player.exploration.temperature = 0.05;
    const state = game.parseState("xx./oo./...");
    // exp(-20) for all others.
    for (let draw = 0; draw < 100; draw++) expect(game.formatAction(player.choose(state), state)).toBe("c1");
  });
});

test("a chance event is not said to be random play, whatever the move before it was", () => {
  const pig = createGame({ id: "pig", target: 20 });
  const learner = new Witness(pig);
  const { play: player } = selfPlay(pig, { evaluator: indifferent, learner }, { epsilon: 0.5 });
  for (let number = 0; number < 20; number++) player.playGame();
  let afterExplored = 0;
  for (const seen of learner.games) {
    for (const [at, { explored }] of seen.entries()) {
      if (at === 0 || seen[at - 1]!.state.toMove !== CHANCE) continue;
      expect(explored).toBe(false);
      if (seen[at - 1]!.explored) afterExplored++;
    }
  }
  expect(afterExplored).toBeGreaterThan(20);
});
