import { describe, expect, test } from "vitest";
import type { AgentParts } from "../../src/agents/agent.ts";
import type { AlphaBetaOptions } from "../../src/agents/alpha-beta/options.ts";
import {
  AT_LEAST,
  AT_MOST,
  EXACT,
  RecordedAlphaBeta,
  rootOf,
  walkTree,
} from "../../src/agents/alpha-beta/searched-tree.ts";
import { prepareAgent } from "../../src/agents/prepare.ts";
import { createRandom } from "../../src/base/random.ts";
import { TERMINAL, type Evaluator, type Game, type State } from "../../src/games/contract/game.ts";
import { createGame } from "../../src/games/index.ts";

const TEXTBOOK = { preset: "textbook" };
const FULL_WIDTH = { quiescence: false, reductions: false, extensions: false, nullMove: false, futility: 0 };

function searcherOf(game: Game, evaluator: Evaluator, options: object): RecordedAlphaBeta {
  const { parts } = prepareAgent(
    game,
    { agent: "alpha-beta", depth: 1, ...options, evaluator: "none" },
    { evaluator },
  );
  return new RecordedAlphaBeta(parts as AgentParts<AlphaBetaOptions>);
}

/** The value of minimax for the player to move. */
function minimax(state: State, depth: number, game: Game, evaluator: Evaluator): number {
  const me = state.toMove;
  const out = new Int32Array(game.maxActions);
  const values = Array.from(out.subarray(0, state.legalActions(out, 0)), (action) => {
    state.apply(action);
    const value =
      state.toMove === TERMINAL
        ? state.returns(me)
        : depth === 1
          ? evaluator.evaluate(state, me)
          : 0 - minimax(state, depth - 1, game, evaluator);
    state.undo();
    return value;
  });
  return Math.max(...values);
}

const connectFour = createGame({ id: "connect-four", width: 5, height: 4 });
const threats = connectFour.heuristics["threats"]!;

describe.each([
  ["from left to right", TEXTBOOK],
  ["with a table and null windows", FULL_WIDTH],
])("the tree of alpha-beta %s", (_, options) => {
  test("has every inner position with its value or a bound of it, the root last", () => {
    const random = createRandom("positions");
    const agent = searcherOf(connectFour, threats, options);
    const counts = [0, 0, 0];
    for (let sample = 0; sample < 12; sample++) {
      const root = connectFour.start();
      const out = new Int32Array(5);
      for (let ply = sample; ply > 0; ply--) root.apply(out[random.below(root.legalActions(out, 0))]!);
      if (root.toMove === TERMINAL) continue;
      const depth = 4;
      const before = connectFour.formatState(root);
      const copy = connectFour.start();
      copy.copyFrom(root);
      const decision = agent.choose(copy, { random, budget: { depth }, clock: () => 0 });
      const { value } = decision as { value: number };
      let last = NaN;
      const plies = stones(connectFour, root);
      const reached = (decision as { depth: number }).depth;
      walkTree(root, agent.tree, (state, bound, found) => {
        const left = reached - (stones(connectFour, state) - plies);
        const exact = minimax(state, left, connectFour, threats);
        if (bound === EXACT) expect(found).toBeCloseTo(exact, 6);
        else if (bound === AT_LEAST) expect(found).toBeLessThanOrEqual(exact + 1e-6);
        else expect(found).toBeGreaterThanOrEqual(exact - 1e-6);
        counts[bound]!++;
        last = found;
      });
      // The walk comes back to the root, whose value is the decision's.
      expect(connectFour.formatState(root)).toBe(before);
      expect(last).toBeCloseTo(value, 6);
      expect(rootOf(agent.tree)).toEqual(agent.tree.slice(-2));
    }
    expect(Math.min(...counts)).toBeGreaterThan(20);
    expect(counts[AT_MOST]).toBeGreaterThan(20);
  });
});

function stones(game: Game, state: State): number {
  return game.phase!.of(state);
}

test("from left to right each inner position is there once, as many as a search written down here visits", () => {
  const root = connectFour.start();
  let visited = 0;
  const search = (state: State, depth: number, alpha: number, beta: number): number => {
    const me = state.toMove;
    visited++;
    const out = new Int32Array(5);
    const count = state.legalActions(out, 0);
    let best = -Infinity;
    for (let at = 0; at < count && best < beta; at++) {
      state.apply(out[at]!);
      const over = state.toMove === TERMINAL;
      const value = over
        ? state.returns(me)
        : depth === 1
          ? threats.evaluate(state, me)
          : 0 - search(state, depth - 1, 0 - beta, 0 - Math.max(alpha, best));
      state.undo();
      best = Math.max(best, value);
    }
    return best;
  };
  const value = search(root, 5, -2, 2);
  const agent = searcherOf(connectFour, threats, TEXTBOOK);
  const decision = agent.choose(connectFour.start(), {
    random: createRandom("x"),
    budget: { depth: 5 },
    clock: () => 0,
  });
  let nodes = 0;
  walkTree(root, agent.tree, () => nodes++);
  expect(nodes).toBe(visited);
  expect((decision as { value: number }).value).toBeCloseTo(value, 9);
});

test("a budget that ends an iteration leaves the tree of the one before", () => {
  const agent = searcherOf(connectFour, threats, FULL_WIDTH);
  const decide = (budget: object) =>
    agent.choose(connectFour.start(), { random: createRandom("same"), budget, clock: () => 0 }) as {
      depth: number;
    };
  const { depth } = decide({ nodes: 500 });
  const stopped = agent.tree.slice();
  decide({ depth });
  expect(stopped).toEqual(agent.tree);
  expect(depth).toBeGreaterThan(1);
});
