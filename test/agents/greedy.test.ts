import { expect, test } from "vitest";
import { createRandom } from "../../src/base/random.ts";
import { createGame } from "../../src/games/index.ts";
import { createPlayer, decide } from "./play.ts";

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
  for (let turn = 0; turn < 2800; turn++) {
    const decision = agent.choose(win, { random, budget: {}, clock: () => 0 });
    counts[(decision as { action: number }).action]!++;
  }
  const expected = counts.map((_, column) => (column === 3 ? 1600 : 200));
  // 2,800 draws: chi-square with 6 degrees of freedom exceeds 38.3 once in a million.
  const distance = counts.reduce((sum, count, at) => sum + (count - expected[at]!) ** 2 / expected[at]!, 0);
  expect(distance).toBeLessThan(38.3);
});

test("a random action has no value; epsilon is a probability", () => {
  const { action, ...rest } = decide(game, "greedy:evaluator=threats,epsilon=1", win);
  expect(rest).toEqual({ nodes: 0, line: [action] });
  expect(() => createPlayer(game, "greedy:evaluator=threats,epsilon=1.5")).toThrow(
    /epsilon: must be at most 1, got 1.5/,
  );
});
