import { describe, expect, test } from "vitest";
import { createRandom } from "../../src/base/random.ts";
import { createGame } from "../../src/games/index.ts";
import { createPlayer, decide } from "./play.ts";

const connectFour = createGame("connect-four");

/** Agents that find all seven first moves equal. */
const INDIFFERENT = [
  "greedy:evaluator=none",
  "minimax:depth=1",
  "alpha-beta:depth=1,table=0.001",
  "alpha-beta:depth=1,table=0,ordering=none,ties=random",
  "expectimax:depth=1",
  "max-n:depth=1",
  "paranoid:depth=1",
  "best-reply:depth=1",
  "mcts:simulations=1,maxNodes=1000",
];

describe.each(INDIFFERENT)("%s", (spec) => {
  test("takes each of several best actions as often as the others", () => {
    const { agent, budget } = createPlayer(connectFour, spec);
    const random = createRandom("ties");
    const counts = [0, 0, 0, 0, 0, 0, 0];
    for (let turn = 0; turn < 1400; turn++) {
      const decision = agent.choose(connectFour.start(), { random, budget, clock: () => 0 });
      counts[(decision as { action: number }).action]!++;
    }
    // 1,400 draws over 7: chi-square with 6 degrees of freedom exceeds 38.3 once in a million.
    expect(counts.reduce((sum, count) => sum + (count - 200) ** 2 / 200, 0)).toBeLessThan(38.3);
  });

  test("takes the first with ties=first, whatever the seed", () => {
    const first = `${spec.replace(",ties=random", "")},ties=first`;
    for (let seed = 0; seed < 20; seed++)
      expect(decide(connectFour, first, connectFour.start(), `seed ${seed}`).action).toBe(0);
  });
});

test("alpha-beta without ordering breaks ties by the first unless told otherwise", () => {
  for (let seed = 0; seed < 10; seed++) {
    const decision = decide(connectFour, "alpha-beta:depth=2,ordering=none", undefined, `seed ${seed}`);
    expect(decision.action).toBe(0);
  }
});

test("greedy prefers a win to any estimate", () => {
  const decision = decide(connectFour, "greedy:evaluator=threats", connectFour.parseState("112233"));
  expect(decision).toEqual({ action: 3, value: 1, depth: 1, nodes: 7, line: [3] });
});

test("random plays each legal action as often as the others", () => {
  const state = connectFour.parseState("444444");
  const player = createPlayer(connectFour, "random");
  const random = createRandom("uniform");
  const counts = new Map<number, number>();
  for (let turn = 0; turn < 1200; turn++) {
    const decision = player.agent.choose(state, { random, budget: {}, clock: () => 0 });
    const { action } = decision as { action: number };
    counts.set(action, (counts.get(action) ?? 0) + 1);
  }
  expect([...counts.keys()].toSorted((a, b) => a - b)).toEqual([0, 1, 2, 4, 5, 6]);
  // 1,200 draws over 6: chi-square with 5 degrees of freedom exceeds 35.9 once in a million.
  expect([...counts.values()].reduce((sum, count) => sum + (count - 200) ** 2 / 200, 0)).toBeLessThan(35.9);
});
