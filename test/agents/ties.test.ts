import { describe, expect, test } from "vitest";
import { createRandom } from "../../src/base/random.ts";
import { createGame } from "../../src/games/index.ts";
import { createPlayer, decide } from "./play.ts";
import { expectFrequencies } from "../support/frequencies.ts";
import { slowTest } from "../support/thorough.ts";

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
  "descent:simulations=1,maxNodes=1000",
];

describe.each(INDIFFERENT)("%s", (spec) => {
  slowTest("takes each of several best actions as often as the others", () => {
    const { agent, budget } = createPlayer(connectFour, spec);
    const random = createRandom("ties");
    const counts = [0, 0, 0, 0, 0, 0, 0];
    const state = connectFour.start();
    for (let turn = 0; turn < 27_000; turn++) {
      const decision = agent.choose(state, { random, budget, clock: () => 0 });
      counts[(decision as { action: number }).action]!++;
    }
    expectFrequencies(counts);
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
  for (let turn = 0; turn < 23_000; turn++) {
    const decision = player.agent.choose(state, { random, budget: {}, clock: () => 0 });
    const { action } = decision as { action: number };
    counts.set(action, (counts.get(action) ?? 0) + 1);
  }
  expect([...counts.keys()].toSorted((a, b) => a - b)).toEqual([0, 1, 2, 4, 5, 6]);
  expectFrequencies([...counts.values()]);
});
