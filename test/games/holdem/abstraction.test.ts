import { expect, test } from "vitest";
import { MergedSampling } from "../../../src/agents/solve/sampling.ts";
import { BestResponder } from "../../../src/agents/solve/best-response.ts";
import { buildGameTree, tabulate, uniformPolicy } from "../../../src/agents/solve/game-tree.ts";
import { createRandom } from "../../../src/base/random.ts";
import { CHANCE, TERMINAL } from "../../../src/games/contract/game.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { ObservedGame } from "../../../src/games/contract/privacy.ts";
import { createGame } from "../../../src/games/index.ts";
import { thorough } from "../../support/thorough.ts";

const small = createGame({
  id: "holdem",
  ranks: 3,
  suits: 2,
  hole: 1,
  flop: 1,
  streets: 2,
  stack: 8,
  bets: [1],
});

test.each([
  { id: "holdem", limit: true },
  { id: "holdem", players: 3, stack: 30, bets: [0.5, 1] },
])("a key follows from what the player knows, and tells its actions, %j", (spec) => {
  const game = createGame(spec);
  const observed = new ObservedGame(game);
  const merging = game.abstraction!.create(8);
  const world = new Int32Array(game.privacy!.maxEvents);
  const actions = new Map<string, string>();
  let shared = 0;
  for (let number = 0; number < thorough(200, 60); number++) {
    const random = createRandom("abstraction", number);
    observed.restart();
    const { state } = observed;
    while (state.toMove !== TERMINAL) {
      const legal = possibleActions(game, state);
      if (state.toMove !== CHANCE) {
        const key = `${state.toMove}: ${merging.keyOf(state)}`;
        const allowed = legal.join(" ");
        if (actions.has(key)) shared++;
        expect(actions.get(key) ?? allowed, key).toBe(allowed);
        actions.set(key, allowed);
        const length = observed.worlds(state.toMove).draw(random, world);
        const other = game.start();
        for (let at = 0; at < length; at++) other.apply(world[at]!);
        expect(`${other.toMove}: ${merging.keyOf(other)}`).toBe(key);
      }
      observed.apply(legal[random.below(legal.length)]!);
    }
  }
  expect(shared).toBeGreaterThan(50);
});

test("one bucket merges all cards, many tell them apart", () => {
  const keys = (buckets: number) => {
    const merging = small.abstraction!.create(buckets);
    const found = new Set<string>();
    for (const card of possibleActions(small, small.start())) {
      const state = small.start();
      state.apply(card);
      state.apply(possibleActions(small, state)[0]!);
      found.add(merging.keyOf(state));
    }
    return found.size;
  };
  expect([keys(1), keys(10)]).toEqual([1, 3]);
});

/** The mean gain of a best response against the solver's average policy, in chips. */
function exploitability(solver: MergedSampling, buckets: number): number {
  const tree = buildGameTree(small);
  const merging = small.abstraction!.create(buckets);
  const { sets, sums } = solver.state;
  const policies = new Map<string, Float64Array>();
  let from = 0;
  for (const { player, key, actions } of sets) {
    const own = sums.slice(from, (from += actions.length));
    const sum = own.reduce((total, one) => total + one, 0);
    policies.set(
      `${player}: ${key}`,
      own.map((one) => (sum > 0 ? one / sum : 1 / own.length)),
    );
  }
  const policy = tabulate(small, tree, (state, _, odds, at, count) => {
    const known = policies.get(`${state.toMove}: ${merging.keyOf(state)}`);
    for (let place = 0; place < count; place++) odds[at + place] = known?.[place] ?? 1 / count;
    return 0;
  });
  return new BestResponder(tree).exploit(policy).exploitability;
}

test("a small form: a best response gains little against merged states, and more if all cards are merged", () => {
  const solved = (buckets: number, iterations: number) => {
    const solver = new MergedSampling(small, small.abstraction!.create(buckets), {
      algorithm: "external-sampling",
      seed: "a",
    });
    while (solver.iterations < iterations) solver.iterate();
    return exploitability(solver, buckets);
  };
  const tree = buildGameTree(small);
  const uniform = new BestResponder(tree).exploit(uniformPolicy(tree)).exploitability;
  const [fine, coarse] = [solved(12, 4000), solved(1, 4000)];
  expect(fine).toBeLessThan(0.1 * uniform);
  expect(coarse).toBeGreaterThan(2 * fine);
});

test("a calculation that goes on is the calculation", () => {
  const merging = () => small.abstraction!.create(6);
  const whole = new MergedSampling(small, merging(), { algorithm: "external-sampling", seed: "a" });
  const first = new MergedSampling(small, merging(), { algorithm: "external-sampling", seed: "a" });
  for (let at = 0; at < 60; at++) whole.iterate();
  for (let at = 0; at < 25; at++) first.iterate();
  const second = new MergedSampling(small, merging(), {
    algorithm: "external-sampling",
    seed: "a",
    state: first.state,
  });
  for (let at = 0; at < 35; at++) second.iterate();
  expect(second.state).toEqual(whole.state);
});
