import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createGame } from "../../src/games/index.ts";
import { decide, randomPositions } from "./play.ts";
import { backUp, createTree, MAX_N, playerAt, randomTree } from "./random-trees.ts";

describe("max-n", () => {
  test("finds what minimax finds in two-player zero-sum games", () => {
    for (const spec of [{ id: "connect-four", width: 5, height: 4 }, "tic-tac-toe"]) {
      const game = createGame(spec);
      for (const state of randomPositions(game, 10)) {
        const how = "depth=4,deepening=false,ties=first";
        const { nodes, ...wanted } = decide(game, `minimax:${how}`, state);
        expect(decide(game, `max-n:${how}`, state)).toMatchObject({ ...wanted, nodes });
      }
    }
  });

  test.each([1, 2, 3, 4])(
    "agrees with direct recursion on random trees of %i players, with chance",
    (players) => {
      fc.assert(
        fc.property(randomTree({ players, chance: true }), (root) => {
          const { value } = decide(createTree(root, players), "max-n:depth=9,ties=first");
          expect(value).toBeCloseTo(backUp(root, MAX_N)[playerAt(root)]!, 10);
        }),
        { seed: 1 },
      );
    },
  );
});
