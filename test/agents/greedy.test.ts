import { expect, test } from "vitest";
import { createRandom } from "../../src/base/random.ts";
import { createGame } from "../../src/games/index.ts";
import { createPlayer, decide } from "./play.ts";
import { expectFrequencies } from "../support/frequencies.ts";

const game = createGame("connect-four");
/** Column 4 wins at once. */
const win = game.parseState("112233");

test("epsilon 0, the default, draws nothing but the order of equals", () => {
  for (const spec of ["greedy:evaluator=threats", "greedy:evaluator=threats,epsilon=0"]) {
    const { agent } = createPlayer(game, spec);
    const [random, expected] = [createRandom("epsilon"), createRandom("epsilon")];
    void agent.choose(win, { random, budget: {}, clock: () => 0 });
    expected.shuffle(new Int32Array(7), 0, 7);
    expect(random.save()).toEqual(expected.save());
  }
});

test("with epsilon 0.5 every legal action is played besides, each as often as the others", () => {
  const { agent } = createPlayer(game, "greedy:evaluator=threats,epsilon=0.5");
  const random = createRandom("epsilon");
  const counts = [0, 0, 0, 0, 0, 0, 0];
  for (let turn = 0; turn < 14_000; turn++) {
    const decision = agent.choose(win, { random, budget: {}, clock: () => 0 });
    counts[(decision as { action: number }).action]!++;
  }
  expectFrequencies([counts[3]!, 14_000 - counts[3]!], [4 / 7, 3 / 7]);
  // 1,000 of each: chi-square with 5 degrees of freedom exceeds 35.9 once in a million.
  const distance = counts.reduce((sum, count, at) => sum + (at === 3 ? 0 : (count - 1000) ** 2 / 1000), 0);
  expect(distance).toBeLessThan(35.9);
});

test.each([
  "evaluator=threats",
  "evaluator=threats,epsilon=0.5",
  "evaluator=none",
  "evaluator=threats,temperature=0.1",
  "evaluator=threats,temperature=0.02,epsilon=0.2",
])("%s: it tells how often it takes which action", (how) => {
  const { agent } = createPlayer(game, `greedy:${how}`);
  const state = game.parseState("4453");
  const actions = new Int32Array(9);
  const odds = new Float64Array(9).fill(-1);
  const count = state.legalActions(actions, 1);
  expect(agent.weigh!(state, actions, odds, 1, count)).toBe(count);
  expect([odds[0], odds[8], state.hashLow]).toEqual([-1, -1, game.parseState("4453").hashLow]);
  expect(odds.slice(1, 8).reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 12);
  const random = createRandom("odds");
  const counts = new Float64Array(9);
  const draws = 30_000;
  for (let turn = 0; turn < draws; turn++) {
    const decision = agent.choose(state, { random, budget: {}, clock: () => 0 });
    counts[(decision as { action: number }).action + 1]++;
  }
  let distance = 0;
  for (let at = 1; at < 8; at++) {
    if (odds[at] === 0) expect(counts[at]).toBe(0);
    else distance += (counts[at] - draws * odds[at]) ** 2 / (draws * odds[at]);
  }
  // Chi-square with 6 degrees of freedom exceeds 38.3 once in a million.
  expect(distance).toBeLessThan(38.3);
});

test("temperature: an action that is worth as much less is e times rarer", () => {
  const { agent } = createPlayer(game, "greedy:evaluator=threats,temperature=0.1");
  const state = game.parseState("4453");
  const actions = new Int32Array(7);
  const odds = new Float64Array(7);
  agent.weigh!(state, actions, odds, 0, state.legalActions(actions, 0));
  const worth = (at: number) => {
    state.apply(actions[at]);
    const value = game.heuristics["threats"]!.evaluate(state, 0);
    state.undo();
    return value;
  };
  for (let at = 1; at < 7; at++)
    expect(Math.log(odds[at] / odds[0])).toBeCloseTo((worth(at) - worth(0)) / 0.1, 9);
});

test("a random action has no value; epsilon is a probability", () => {
  const { action, ...rest } = decide(game, "greedy:evaluator=threats,epsilon=1", win);
  expect(rest).toEqual({ nodes: 0, line: [action] });
  expect(() => createPlayer(game, "greedy:evaluator=threats,epsilon=1.5")).toThrow(
    /epsilon: must be at most 1, got 1.5/,
  );
});
