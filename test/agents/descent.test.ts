import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRandom } from "../../src/base/random.ts";
import type { Agent, Decision } from "../../src/agents/agent.ts";
import { createGame } from "../../src/games/index.ts";
import type { TreeNode } from "../../src/games/tree/schema.ts";
import { slowTest } from "../support/thorough.ts";
import { createPlayer, decide, randomPositions } from "./play.ts";
import { createTree, randomTree, valueForMover } from "./random-trees.ts";

const HOWS = ["ends=false", "ends=true"];

describe.each(HOWS)("solved to the end, %s", (how) => {
  slowTest("it has the value of minimax in tic-tac-toe, and an action of that value", () => {
    const game = createGame("tic-tac-toe");
    for (const [at, state] of randomPositions(game, 60).entries()) {
      const found = decide(game, `descent:simulations=1000000,${how}`, state, `seed ${at}`);
      const { value } = decide(game, "alpha-beta:depth=9", state);
      expect(found.value).toBe(value);
      state.apply(found.action);
      if (state.toMove >= 0) expect(0 - decide(game, "alpha-beta:depth=9", state).value!).toBe(value);
    }
  });

  slowTest("it has the value of any tree", () => {
    fc.assert(
      fc.property(randomTree(), (root) => {
        const game = createTree(root);
        expect(decide(game, `descent:simulations=1000000,evaluator=value,${how}`).value).toBe(
          valueForMover(root),
        );
      }),
      { numRuns: 100 },
    );
  });
});

describe("a tree by hand", () => {
  const leaf = (value: number): TreeNode => ({ player: 0, value, actions: [value] });
  // The first player sees 5, 4 and 1 after its actions; the second one then finds 2, 3 and 1 for it.
  const root: TreeNode = {
    player: 0,
    actions: {
      left: { player: 1, value: 5, actions: { a: leaf(6), b: leaf(2) } },
      middle: { player: 1, value: 4, actions: { c: leaf(3), d: 9 } },
      right: { player: 1, value: 1, actions: { e: leaf(8), f: leaf(-9) } },
    },
  };
  const game = createTree(root);
  const search = (budget: string, more: object = {}) => {
    const { agent, budget: limits } = createPlayer(game, `descent:evaluator=value,ties=first,${budget}`);
    const turn = { random: createRandom("hand"), budget: limits, clock: () => 0, ...more };
    return (agent as Agent).choose(game.start(), turn) as Decision;
  };
  const named = ({ line }: Decision) => {
    const state = game.start();
    return line.map((action) => {
      const name = game.formatAction(action, state);
      state.apply(action);
      return name;
    });
  };

  test("each simulation looks further at the best line", () => {
    // left is best at first, and falls to 2; then middle is, and falls to 3; then c, after which the game is over.
    const values = [1, 2, 3].map((simulations) => search(`simulations=${simulations}`));
    expect(values.map(({ value, nodes }) => [value, nodes])).toEqual([
      [2, 5],
      // Both have one visit, and middle the better value.
      [3, 7],
      [3, 8],
    ]);
    expect(named(values[0]!)).toEqual(["left", "b"]);
    expect(named(values[2]!)).toEqual(["middle", "c", "1"]);
  });

  test("Descent goes on to the end of the game at once", () => {
    const decision = search("ends=true,simulations=1", { tellFrom: { visits: 1 } });
    // left and b, and the only action after b.
    expect(decision.nodes).toBe(3 + 2 + 1);
    expect(named(decision)).toEqual(["left", "b", "1"]);
    expect(decision.found!.map(({ depth, value, isProven }) => [depth, value, isProven])).toEqual([
      // middle seems worth 4 to the first player.
      [0, 4, false],
      // left is worth -2 to the second player, who might find a better action than b.
      [1, -2, false],
      [2, 2, true],
    ]);
    expect(decision.found!.every(({ actions }) => actions.length === 0)).toBe(true);
  });

  test("solved, it tells exact values of all that it has expanded", () => {
    const { found, value } = search("simulations=1000", { tellFrom: { visits: 1 } });
    expect(value).toBe(3);
    expect(found![0]).toMatchObject({ value: 3, isProven: true });
  });

  test("the safest action is the one with most visits, the ranking's first", () => {
    const { action, ranking } = search("simulations=3", { ranked: 3 });
    expect(ranking!.map((one) => one.action)).toEqual([1, 0, 2]);
    expect(ranking![0]!.action).toBe(action);
  });
});

test("a solved win comes before any estimate, and ends the search", () => {
  const connectFour = createGame("connect-four");
  const state = connectFour.parseState("112233");
  expect(decide(connectFour, "descent:nodes=1000000,evaluator=threats", state)).toMatchObject({
    action: 3,
    value: 1,
    nodes: 7,
  });
});

slowTest("keeps to simulations, nodes and time, and to the room of its tree", () => {
  const game = createGame("connect-four");
  expect(decide(game, "descent:simulations=10").nodes).toBe(7 + 70);
  for (const nodes of [7, 8, 100, 1000]) {
    const found = decide(game, `descent:nodes=${nodes},evaluator=threats`);
    expect(found.nodes).toBeLessThanOrEqual(nodes);
    expect(found.nodes).toBeGreaterThan(nodes - 7);
  }
  expect(decide(game, "descent:nodes=3")).toMatchObject({ nodes: 0 });
  expect(decide(game, "descent:nodes=1000000,maxNodes=1000,evaluator=threats").nodes).toBeLessThan(1000);
  let now = 5;
  const { agent, budget } = createPlayer(game, "descent:timeMs=10");
  const turn = { random: createRandom("time"), budget, clock: () => now++ };
  const { nodes } = agent.choose(game.start(), turn) as Decision;
  // Looks after 1 expansion, 2 more, and so on up to every 32.
  expect(nodes).toBe(7 * (1 + 2 + 4 + 8 + 16 + 5 * 32));
});
