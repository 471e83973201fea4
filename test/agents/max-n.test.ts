import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Heuristic } from "../../src/games/contract/game.ts";
import { createGame } from "../../src/games/index.ts";
import { slowTest, thorough } from "../support/thorough.ts";
import { decide, randomPositions } from "./play.ts";
import { backUp, createTree, MAX_N, playerAt, randomTree, zeroSum } from "./random-trees.ts";

const PLAIN = "pruning=none,ordering=none";

describe("max-n", () => {
  test("finds what minimax finds in two-player zero-sum games", () => {
    for (const spec of [{ id: "connect-four", width: 5, height: 4 }, "tic-tac-toe"]) {
      const game = createGame(spec);
      for (const state of randomPositions(game, 10)) {
        const how = "depth=4,deepening=false,ties=first";
        const { nodes, ...wanted } = decide(game, `minimax:${how}`, state);
        expect(decide(game, `max-n:${how},${PLAIN}`, state)).toMatchObject({ ...wanted, nodes });
      }
    }
  });

  slowTest.each([1, 2, 3, 4])(
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

describe("what is left out could not have been chosen", () => {
  const kinds = ["shallow", "speculative"].flatMap((pruning) =>
    ["none", "history"].map((ordering) => `pruning=${pruning},ordering=${ordering}`),
  );

  slowTest.each(kinds)("%s, on random trees of two to four players", (kind) => {
    const trees = fc
      .constantFrom(2, 3, 3, 3, 4)
      .chain((players) =>
        fc.record({
          players: fc.constant(players),
          chance: fc.boolean(),
          // Few different utilities make ties, many make none.
          maxUtility: fc.constantFrom(2, 30),
        }),
      )
      .chain(({ players, ...shape }) =>
        randomTree({ players, levels: 6, ...shape }).map((root) =>
          createTree(players === 2 ? root : zeroSum(root), players),
        ),
      );
    let all = 0;
    let visited = 0;
    fc.assert(
      fc.property(trees, fc.integer({ min: 1, max: 7 }), (game, depth) => {
        const how = `max-n:evaluator=value,depth=${depth},ties=first,deepening=false`;
        const { nodes: many, ...wanted } = decide(game, `${how},${PLAIN}`);
        const { nodes, ...found } = decide(game, `${how},${kind}`);
        expect(found).toEqual(wanted);
        all += many;
        visited += nodes;
      }),
      { numRuns: 800, seed: 1 },
    );
    expect(visited).toBeLessThan(all);
  });

  test.each([
    [{ id: "chinese-checkers", players: 3, side: 2 }, "distance", 4],
    [{ id: "chinese-checkers", players: 4, side: 2 }, "distance", 3],
    [{ id: "pig", players: 3 }, "race", 4],
    [{ id: "nim", players: 3, piles: [2, 3, 4] }, "exact", 6],
  ] as const)("%j by %s to depth %i", (spec, evaluator, depth) => {
    const game = createGame(spec);
    for (const state of randomPositions(game, thorough(6, 2), { plies: 60 })) {
      const how = `max-n:evaluator=${evaluator},depth=${depth},deepening=false,ties=first`;
      const { nodes: all, ...wanted } = decide(game, `${how},${PLAIN}`, state);
      const { nodes, ...found } = decide(game, how, state);
      expect(found).toEqual(wanted);
      expect(nodes).toBeLessThanOrEqual(all);
    }
  });

  test("estimates that do not sum to zero are shifted", () => {
    const { heuristics, ...nim } = createGame({ id: "nim", players: 3, piles: [2, 3, 4] });
    const lopsided: Heuristic = { summary: "2/3 too much", evaluate: () => 2 / 9 };
    const game = { ...nim, heuristics: { ...heuristics, lopsided } };
    expect(decide(game, "max-n:depth=1,evaluator=lopsided,pruning=none").value).toBe(2 / 9);
    expect(decide(game, "max-n:depth=1,evaluator=lopsided").value).toBeCloseTo(0, 12);
  });
});
