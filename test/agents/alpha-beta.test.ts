import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AlphaBeta } from "../../src/agents/alpha-beta/alpha-beta.ts";
import { EXACT, LOWER, UPPER } from "../../src/agents/alpha-beta/transposition-table.ts";
import { DEEPEST } from "../../src/agents/search/deepening.ts";
import { createRandom } from "../../src/base/random.ts";
import { TERMINAL, type Game, type State } from "../../src/games/contract/game.ts";
import { createGame } from "../../src/games/index.ts";
import { possibleActions } from "../../src/games/contract/notation.ts";
import type { TreeNode } from "../../src/games/tree/schema.ts";
import { layeredGame, layers } from "./layered.ts";
import { watchLeaves } from "./watch.ts";
import { ask, copyOf, createPlayer, decide, randomPositions } from "./play.ts";
import { createTree, randomTree, valueForMover } from "./random-trees.ts";
import { everyFew, slowTest } from "../support/thorough.ts";

const TABLES = [0, 0.0001, 0.1];
const ORDERINGS = ["none", "table", "history"];
const DEEPENING = [true, false];

/** Without all that looks at more or less than the depth says. */
const EXACTLY = "quiescence=false,reductions=false,extensions=false,nullMove=false,futility=0";

/** Every combination of what alpha-beta may use. */
const ALPHA_BETAS = TABLES.flatMap((table) =>
  ORDERINGS.flatMap((ordering) =>
    DEEPENING.map(
      (deepening) => `alpha-beta:table=${table},ordering=${ordering},deepening=${deepening},${EXACTLY}`,
    ),
  ),
);

/** The minimax value by direct recursion. */
function valueForPlayer0(game: Game, state: State): number {
  if (state.toMove === TERMINAL) return state.returns(0);
  const values = Array.from(possibleActions(game, state), (action) => {
    state.apply(action);
    const value = valueForPlayer0(game, state);
    state.undo();
    return value;
  });
  return state.toMove === 0 ? Math.max(...values) : Math.min(...values);
}

/** Visits each position that can come up once. */
function forEachPosition(game: Game, visit: (state: State) => void): void {
  const state = game.start();
  const seen = new Set<number>();
  const walk = () => {
    if (seen.has(state.hashLow)) return;
    seen.add(state.hashLow);
    visit(state);
    for (const action of possibleActions(game, state)) {
      state.apply(action);
      walk();
      state.undo();
    }
  };
  walk();
}

describe("alpha-beta finds what minimax finds", () => {
  const GAMES = [
    [{ id: "connect-four", width: 4, height: 4 }, "threats", 6],
    [{ id: "connect-four", width: 5, height: 4 }, "threats", 5],
    [{ id: "connect-four" }, "threats", 4],
    [{ id: "tic-tac-toe" }, "open-lines", 5],
    [{ id: "checkers" }, "material", 4],
    [{ id: "chess" }, "material", 3],
    [{ id: "othello" }, "weighted-squares", 4],
    [{ id: "breakthrough", width: 5, height: 6 }, "advancement", 4],
    [{ id: "go", size: 5 }, "area", 3],
    [{ id: "nim", piles: [3, 2, 2] }, "none", 7],
    [{ id: "nim", piles: [2, 3, 1], misere: true }, "none", 6],
  ] as const;

  slowTest.each(GAMES)("%j, evaluator %s, to %i plies", (spec, evaluator, depth) => {
    const game = createGame(spec);
    const name = Object.hasOwn(game.heuristics, evaluator) ? evaluator : "none";
    for (const state of randomPositions(game, 4)) {
      for (const deepening of DEEPENING) {
        const how = `evaluator=${name},depth=${depth},ties=first`;
        const wanted = decide(game, `minimax:${how},deepening=${deepening}`, state);
        for (const agent of ALPHA_BETAS.filter((text) => text.includes(`deepening=${deepening}`))) {
          const found = decide(game, `${agent},${how}`, state);
          expect([agent, found.value]).toEqual([agent, wanted.value]);
          // A null window that fails is searched again.
          if (agent.includes("table=0") && !agent.includes("history"))
            expect(found.nodes).toBeLessThanOrEqual(wanted.nodes);
          if (agent.includes("ordering=none")) expect(found.action).toBe(wanted.action);
        }
      }
    }
  });

  test.each(everyFew(GAMES, 5))(
    "the preset textbook, %j, evaluator %s, at every depth to %i",
    (spec, evaluator, deepest) => {
      const game = createGame(spec);
      for (const state of randomPositions(game, 6)) {
        for (let depth = 1; depth <= deepest; depth++) {
          const how = `depth=${depth},preset=textbook,evaluator=${evaluator}`;
          const wanted = decide(game, `minimax:${how}`, state);
          const found = decide(game, `alpha-beta:${how}`, state);
          expect([found.value, found.action]).toEqual([wanted.value, wanted.action]);
          expect(found.nodes).toBeLessThanOrEqual(wanted.nodes);
        }
      }
    },
  );

  slowTest(
    "on random trees, cut off at any depth, both agree; to the ends, with direct recursion too",
    () => {
      fc.assert(
        fc.property(
          randomTree(),
          fc.constantFrom(...ALPHA_BETAS),
          fc.integer({ min: 1, max: 5 }),
          (root, agent, depth) => {
            const game = createTree(root);
            const how = `evaluator=value,depth=${depth},ties=first`;
            const wanted = decide(game, `minimax:${how}`);
            const found = decide(game, `${agent},${how}`);
            expect(found.value).toBe(wanted.value);
            if (agent.includes("ordering=none")) expect(found.action).toBe(wanted.action);
            if (depth >= game.maxPlies) expect(found.value).toBe(valueForMover(root));
          },
        ),
        { numRuns: 1500, seed: 1 },
      );
    },
  );

  slowTest("where there are many ways to each position, cut off at any depth", () => {
    fc.assert(
      fc.property(layers, fc.integer({ min: 1, max: 7 }), (all, depth) => {
        const game = layeredGame(all, { collects: false });
        const { value } = decide(game, `minimax:evaluator=worth,depth=${depth}`);
        for (const agent of ALPHA_BETAS)
          expect([agent, decide(game, `${agent},evaluator=worth,depth=${depth}`).value]).toEqual([
            agent,
            value,
          ]);
      }),
      { numRuns: 200, seed: 1 },
    );
  });

  slowTest(
    "and what its table holds of subtrees searched to their ends is true: exact values, lower bounds and upper bounds",
    () => {
      const known = { exact: 0, lower: 0, upper: 0 };
      fc.assert(
        fc.property(layers, fc.constantFrom(...ORDERINGS), (all, ordering) => {
          const game = layeredGame(all, { collects: false });
          const player = createPlayer(game, `alpha-beta:depth=9,table=0.1,ordering=${ordering}`);
          ask(player, game, { state: game.start() });
          const table = (player.agent as AlphaBeta)["table"]!;
          forEachPosition(game, (state) => {
            const slot = table.find(state.hashLow, state.hashHigh);
            if (state.toMove === TERMINAL || slot < 0 || table.depth(slot) <= DEEPEST) return;
            const value = valueForPlayer0(game, state) * (state.toMove === 0 ? 1 : -1);
            const held = table.value(slot);
            if (table.bound(slot) === EXACT) known.exact++;
            else if (table.bound(slot) === LOWER) known.lower++;
            else known.upper++;
            if (table.bound(slot) !== UPPER) expect(value).toBeGreaterThanOrEqual(held);
            if (table.bound(slot) !== LOWER) expect(value).toBeLessThanOrEqual(held);
          });
        }),
        { numRuns: 200, seed: 1 },
      );
      expect(Math.min(...Object.values(known))).toBeGreaterThan(50);
    },
  );

  test("where rewards are collected on the way, and positions do not know how much was", () => {
    fc.assert(
      fc.property(layers, fc.integer({ min: 1, max: 7 }), (all, depth) => {
        const game = layeredGame(all, { collects: true });
        const { value } = decide(game, `minimax:depth=${depth}`);
        expect(decide(game, `alpha-beta:depth=${depth}`).value).toBe(value);
      }),
      { seed: 1 },
    );
  });
});

test("with kings and pawns alone the turn is not passed, which would hide a zugzwang", () => {
  const chess = createGame("chess");
  const look = (nullMove: boolean) => {
    const spec = `alpha-beta:depth=12,evaluator=material,nullMove=${nullMove}`;
    const { value, nodes } = decide(chess, spec, chess.parseState("8/8/1p1k4/1P6/1K6/8/8/8 w - - 0 1"));
    return { value, nodes };
  };
  expect(look(true)).toEqual(look(false));
  // White must leave the pawn, which the black king then takes.
  expect(look(true).value).toBeCloseTo(-0.2);
});

describe("a twin of plain alpha-beta, written for reading, visits as many nodes", () => {
  interface Window {
    readonly depth: number;
    readonly alpha: number;
    readonly beta: number;
  }

  /** Player 0 maximises, player 1 minimises, over copies; counts positions. */
  function twin(game: Game, state: State, { depth, alpha, beta }: Window): { value: number; nodes: number } {
    let nodes = 1;
    if (state.toMove === TERMINAL) return { value: state.returns(0), nodes };
    if (depth === 0) return { value: 0, nodes };
    const maximises = state.toMove === 0;
    let [low, high] = [alpha, beta];
    let value = maximises ? -Infinity : Infinity;
    for (const action of possibleActions(game, state)) {
      const next = copyOf(game, state);
      next.apply(action);
      const below = twin(game, next, { depth: depth - 1, alpha: low, beta: high });
      nodes += below.nodes;
      value = maximises ? Math.max(value, below.value) : Math.min(value, below.value);
      if (maximises) low = Math.max(low, value);
      else high = Math.min(high, value);
      if (low >= high) break;
    }
    return { value, nodes };
  }

  test.each([1, 2, 3, 4, 5, 6, 7])("connect four, %i plies", (depth) => {
    const game = createGame("connect-four");
    for (const state of [game.start(), ...randomPositions(game, 3, { plies: 25 })]) {
      const wanted = twin(game, state, { depth, alpha: -Infinity, beta: Infinity });
      const found = decide(game, `alpha-beta:depth=${depth},table=0,ordering=none,deepening=false`, state);
      expect(found.nodes).toBe(wanted.nodes);
      expect(found.value).toBe(state.toMove === 0 ? wanted.value : 0 - wanted.value);
    }
  });
});

describe("T12, uniform trees", () => {
  /**
   * A uniform tree in which each child of a player's node is worse for the mover than the one before
   * (`best-first`), better (`worst-first`), or in random order.
   */
  function uniform(
    branching: number,
    levels: number,
    order: "best-first" | "worst-first" | number,
  ): TreeNode {
    const random = createRandom("uniform", order);
    const grow = (left: number, value: number, player: number): TreeNode => {
      if (left === 0) return value;
      const sign = player === 0 ? 1 : -1;
      const loss = Int32Array.from({ length: branching }, (_, child) => child * 2 ** (left - 1));
      if (order === "worst-first") loss.reverse();
      if (typeof order === "number") random.shuffle(loss, 0, branching);
      return {
        player,
        actions: Array.from(loss, (worse) => grow(left - 1, value - sign * worse, 1 - player)),
      };
    };
    return grow(levels, 0, 0);
  }

  /** The number of leaves that plain alpha-beta evaluates. */
  const leaves = (root: TreeNode) => {
    const { game, seen } = watchLeaves(createTree(root));
    expect(decide(game, "alpha-beta:depth=20,table=0,ordering=none,deepening=false").value).toBe(0);
    return seen.length;
  };

  test.each([
    [2, 1],
    [2, 6],
    [2, 9],
    [3, 4],
    [3, 7],
    [5, 4],
    [10, 3],
  ])("branching %i, depth %i: b^ceil(d/2) + b^floor(d/2) - 1 leaves at best, b^d at worst", (b, d) => {
    expect(leaves(uniform(b, d, "best-first"))).toBe(b ** Math.ceil(d / 2) + b ** Math.floor(d / 2) - 1);
    expect(leaves(uniform(b, d, "worst-first"))).toBe(b ** d);
  });

  slowTest("random order is in between, about b^(3d/4)", () => {
    const [b, d] = [4, 6];
    const counts = Array.from({ length: 20 }, (_, seed) => leaves(uniform(b, d, seed)));
    const average = counts.reduce((sum, count) => sum + count, 0) / counts.length;
    expect(Math.min(...counts)).toBeGreaterThan(2 * b ** (d / 2) - 1);
    expect(Math.max(...counts)).toBeLessThan(b ** d);
    expect(Math.log(average) / Math.log(b) / d).toBeCloseTo(3 / 4, 1);
  });
});
