import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createGame } from "../../src/games/index.ts";
import type { TreeNode } from "../../src/games/tree/schema.ts";
import { slowTest } from "../support/thorough.ts";
import { decide, randomPositions } from "./play.ts";
import {
  backUp,
  createTree,
  MAX_N,
  playerAt,
  randomTree,
  valueForMover,
  type Backup,
} from "./random-trees.ts";

const MANY = 4000;

type Result = "win" | "loss" | "nothing" | "wrong";

/** The value of the root that mcts proved, for the player who decides there; undefined without a proof. */
function proven(root: TreeNode, players: number): Result {
  // A tree declares a wider range than it uses.
  const game = { ...createTree(root, players), minReturn: -1, maxReturn: 1 };
  const { value, nodes } = decide(game, `mcts:simulations=${MANY},maxNodes=100000`);
  if (nodes === MANY) return "nothing";
  return value === game.maxReturn ? "win" : value === game.minReturn ? "loss" : "wrong";
}

function resultOf(value: number): Result {
  return value === 1 ? "win" : value === -1 ? "loss" : "nothing";
}

/** The values that hold in all cases, by player. */
function shared(values: readonly (readonly number[])[]): number[] {
  return values[0]!.map((first, one) => (values.every((value) => value[one] === first) ? first : NaN));
}

/** Utilities of -1, 0 and 1, so that most trees have a proof. */
function smallTree(shape: { players?: number; chance?: boolean; levels?: number }) {
  return randomTree({ maxUtility: 1, ...shape });
}

describe("what is proven is so, and what can be proven is", () => {
  slowTest("random trees of two players, with and without chance", () => {
    for (const chance of [false, true])
      fc.assert(
        fc.property(smallTree({ levels: 4, chance }), (root) => {
          expect(proven(root, 2)).toBe(resultOf(valueForMover(root)));
        }),
        { numRuns: 100, seed: 3 },
      );
  });

  /** By player: the highest or lowest return if it is sure, whichever of equal actions the others take, else NaN. */
  const SURE: Backup<readonly number[]> = {
    leaf: (utility) => (utility as readonly number[]).map((one) => (resultOf(one) === "nothing" ? NaN : one)),
    decision: (player, values) =>
      shared(values).map((value, one) =>
        one === player && values.some((other) => other[one] === 1) ? 1 : value,
      ),
    chance: shared,
  };

  slowTest("random trees of three players", () => {
    let proofs = 0;
    fc.assert(
      fc.property(smallTree({ players: 3, levels: 4 }), (root) => {
        const mover = playerAt(root);
        const value = backUp(root, SURE)[mover]!;
        expect(proven(root, 3)).toBe(resultOf(value));
        if (Number.isNaN(value)) return;
        expect(backUp(root, MAX_N)[mover]).toBe(value);
        proofs++;
      }),
      { numRuns: 100, seed: 4 },
    );
    expect(proofs).toBeGreaterThan(5);
  });

  slowTest.each([
    [{ id: "connect-four", width: 5, height: 4 }, 40],
    [{ id: "breakthrough", width: 3, height: 5, pieceRows: 1 }, 40],
    [{ id: "nim", piles: [3, 4, 5] }, 12],
    [{ id: "othello", size: 4 }, 12],
  ])("positions of %j, as alpha-beta solves them", (spec, depth) => {
    const game = createGame(spec);
    let proofs = 0;
    for (const state of randomPositions(game, 40)) {
      const { value, nodes } = decide(game, "mcts:simulations=20000", state);
      if (nodes === 20_000) continue;
      proofs++;
      expect(value).toBe(decide(game, `alpha-beta:depth=${depth},solve=true`, state).value);
    }
    expect(proofs).toBeGreaterThan(3);
  });
});

describe("a decision that is proven", () => {
  const game = createGame("connect-four");

  test("ends the search, and is taken whatever the visits", () => {
    const state = game.parseState("112233");
    const { action, value, nodes } = decide(game, "mcts:simulations=4000", state);
    expect([action, value]).toEqual([3, 1]);
    expect(nodes).toBeLessThanOrEqual(7);
    expect(decide(game, "mcts:simulations=4000,solver=false", state)).toMatchObject({
      action: 3,
      nodes: 4000,
    });
  });

  slowTest("a proven loss is not played while there is something else", () => {
    // The second player has to stop the open three in column 4: all else loses at once.
    for (let seed = 0; seed < 10; seed++) {
      const { action, value } = decide(game, "mcts:simulations=60", game.parseState("11223"), `seed ${seed}`);
      expect(action).toBe(3);
      expect(value).toBeGreaterThan(-1);
    }
  });

  test("a loss that cannot be averted is told as one", () => {
    // Three in a row, open at both ends.
    const { value, nodes } = decide(game, "mcts:simulations=4000", game.parseState("33445"));
    expect(value).toBe(-1);
    expect(nodes).toBeLessThan(4000);
  });
});
