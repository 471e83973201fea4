import { expect, test } from "vitest";
import type { FoundAtRoot } from "../../src/agents/agent.ts";
import type { Uct } from "../../src/agents/mcts/uct.ts";
import { createRandom } from "../../src/base/random.ts";
import type { Evaluator } from "../../src/games/contract/game.ts";
import { createGame } from "../../src/games/index.ts";
import { createPlayer } from "./play.ts";

const game = createGame("connect-four");

/** Sees player 0 a quarter ahead everywhere, and likes actions in the middle. */
const evaluator: Evaluator = {
  evaluate: (_, player) => (player === 0 ? 0.25 : -0.25),
  prefer(_, actions, at, end, out) {
    for (let index = at; index < end; index++) out[index] = -Math.abs(3 - actions[index]!);
  },
};

function search(options: string, position: string) {
  const { agent, budget } = createPlayer(
    game,
    `mcts:${options}`,
    options.includes("evaluator") ? { evaluator } : {},
  );
  const turn = { random: createRandom("root"), budget, clock: () => 0, wantsRoot: true };
  const decision = (agent as Uct).choose(game.parseState(position), turn);
  const { visits } = (agent as unknown as { tree: { visits: Int32Array } }).tree;
  return { decision, found: decision.root!, visits };
}

/** The actions that have a probability, from left to right. */
function likely({ actions, policy }: FoundAtRoot): number[] {
  expect(policy.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 12);
  return [...actions].filter((_, at) => policy[at]! > 0).toSorted((one, other) => one - other);
}

const PUCT = "evaluator=none,priors=policy";
const GUMBEL = `${PUCT},root=gumbel`;

test("bounds: the shares of the visits, and the mean of all evaluations, the root's too", () => {
  const { found, visits, decision } = search(`simulations=40,${PUCT},solver=false`, "");
  expect([...found.policy]).toEqual([...visits.subarray(1, 8)].map((count) => count / 40));
  expect(found.value).toBeCloseTo(0.25, 12);
  expect(found.actions[found.policy.indexOf(Math.max(...found.policy))]).toBe(decision.action);
  const playouts = search("simulations=40,solver=false", "");
  expect([...playouts.found.policy]).toEqual([...playouts.visits.subarray(1, 8)].map((count) => count / 40));
});

test.each([PUCT, GUMBEL])("%s: proofs come first", (options) => {
  // The first player wins in column 4 alone; the second one has to stop three in a row there.
  const won = search(`simulations=60,${options}`, "112233");
  expect(likely(won.found)).toEqual([3]);
  expect(won.found).toMatchObject({ value: 1, isProven: true });
  const threatened = search(`simulations=60,${options}`, "11223");
  expect(likely(threatened.found)).toEqual([3]);
  expect(threatened.found.value).toBeGreaterThan(-1);
  expect(threatened.found.isProven).toBe(false);
  // Three in a row, open at both ends, lose whatever is played.
  const lost = search(`simulations=600,${options}`, "33445");
  expect(likely(lost.found).length).toBeGreaterThan(0);
  expect(lost.found).toMatchObject({ value: -1, isProven: true });
});

test("who does not ask is told nothing", () => {
  const { agent, budget } = createPlayer(game, `mcts:simulations=9,${GUMBEL}`, { evaluator });
  const decision = (agent as Uct).choose(game.start(), {
    random: createRandom("root"),
    budget,
    clock: () => 0,
  });
  expect(decision.root).toBeUndefined();
});
