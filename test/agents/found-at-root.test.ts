import { expect, test } from "vitest";
import type { Found, TellFrom } from "../../src/agents/agent.ts";
import type { SimulationTree } from "../../src/agents/mcts/tree.ts";
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

function search(options: string, position: string, tellFrom: TellFrom = {}) {
  const { agent, budget } = createPlayer(
    game,
    `mcts:${options}`,
    options.includes("evaluator") ? { evaluator } : {},
  );
  const turn = { random: createRandom("root"), budget, clock: () => 0, tellFrom };
  const decision = (agent as Uct).choose(game.parseState(position), turn);
  const { tree } = agent as unknown as { tree: SimulationTree };
  return { decision, found: decision.found![0]!, visits: tree.visits, tree };
}

/** The actions that have a probability, from left to right. */
function likely({ actions, policy }: Found): number[] {
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

test("positions inside the tree are told from so many visits on, in preorder", () => {
  const { decision, tree } = search(`simulations=200,${PUCT},solver=false`, "", { visits: 10 });
  const [first, ...inner] = decision.found!;
  expect(first).toMatchObject({ depth: 0, value: expect.closeTo(0.25, 12) });
  const often = tree.visits.subarray(1, tree.size).filter((count) => count >= 10);
  expect(inner).toHaveLength(often.length);
  const state = game.start();
  const path = [0];
  for (const { depth, action, value, actions, policy } of inner) {
    while (path.length > depth) {
      state.undo();
      path.pop();
    }
    const parent = path.at(-1)!;
    const node = tree.firstChild[parent] + tree.action.subarray(tree.firstChild[parent]).indexOf(action);
    state.apply(action);
    path.push(node);
    const from = tree.firstChild[node];
    expect(value).toBeCloseTo(state.toMove === 0 ? 0.25 : -0.25, 12);
    expect([...actions]).toEqual([...tree.action.subarray(from, from + 7)]);
    expect([...policy]).toEqual(
      [...tree.visits.subarray(from, from + 7)].map((count) => count / (tree.visits[node] - 1)),
    );
  }
});

test("a position inside the tree that is proven has the actions that prove it", () => {
  // The second player has to stop three in a row in column 4: the tree goes on after the other columns, too.
  const { decision } = search(`simulations=200,${GUMBEL},decisive=none`, "11223", { visits: 2 });
  const won = decision.found!.filter(({ depth, value }) => depth === 1 && value === 1);
  expect(won.length).toBeGreaterThan(0);
  for (const found of won) {
    expect(found.isProven).toBe(true);
    expect(likely(found)).toEqual([3]);
  }
});

test.each([GUMBEL, PUCT])("%s: proven positions alone are told, each with its exact value", (options) => {
  const root = "11223";
  const { decision, tree } = search(`simulations=400,${options},decisive=none`, root, { proven: true });
  const [first, ...inner] = decision.found!;
  expect(first!.depth).toBe(0);
  expect(inner.length).toBeGreaterThan(0);
  const isExpanded = Array.from(tree.firstChild.subarray(1, tree.size), (first) => first > 0);
  expect(inner.length).toBeLessThan(isExpanded.filter(Boolean).length);
  const solver = game.solver!();
  const state = game.parseState(root);
  let plies = 0;
  for (const { depth, action, value, isProven } of inner) {
    for (; plies >= depth; plies--) state.undo();
    state.apply(action);
    plies++;
    expect(isProven).toBe(true);
    expect(solver.value(state, state.toMove)).toBe(value);
  }
});

test("proven positions are told beside those with the visits", () => {
  const told = (tellFrom: TellFrom) =>
    search(`simulations=400,${PUCT},decisive=none`, "11223", tellFrom).decision.found!.length;
  expect(told({ visits: 10, proven: true })).toBeGreaterThan(
    Math.max(told({ visits: 10 }), told({ proven: true })),
  );
});

test("who does not ask is told nothing", () => {
  const { agent, budget } = createPlayer(game, `mcts:simulations=9,${GUMBEL}`, { evaluator });
  const decision = (agent as Uct).choose(game.start(), {
    random: createRandom("root"),
    budget,
    clock: () => 0,
  });
  expect(decision.found).toBeUndefined();
});
