import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createGame } from "../../src/games/index.ts";
import { allAgainstMe, chooseOfThree, searches, valueAtEnd } from "./opposition.ts";
import { decide, randomPositions } from "./play.ts";
import { createTree, randomTree } from "./random-trees.ts";

const PLAIN = "deepening=false,ties=first";

describe("paranoid", () => {
  test("finds what minimax finds on two-player zero-sum trees, line and all", () => {
    fc.assert(
      fc.property(randomTree(), fc.integer({ min: 1, max: 6 }), (root, depth) => {
        const game = createTree(root);
        const how = `evaluator=value,depth=${depth},${PLAIN}`;
        const { nodes, ...found } = decide(game, `paranoid:${how}`);
        const { nodes: all, ...wanted } = decide(game, `minimax:${how}`);
        expect(found).toEqual(wanted);
        expect(nodes).toBeLessThanOrEqual(all);
      }),
      { seed: 1 },
    );
  });

  test("visits the nodes of plain alpha-beta with two players", () => {
    for (const spec of [{ id: "connect-four", width: 5, height: 4 }, "tic-tac-toe"]) {
      const game = createGame(spec);
      for (const state of randomPositions(game, 5)) {
        const wanted = decide(game, `alpha-beta:depth=5,table=0,ordering=none,${PLAIN}`, state);
        expect(decide(game, `paranoid:depth=5,${PLAIN}`, state)).toEqual(wanted);
      }
    }
  });

  test("prunes nothing that matters with three and four players", () => {
    fc.assert(
      fc.property(searches, ({ game, depth }) => {
        const found = decide(game, `paranoid:evaluator=value,depth=${depth},${PLAIN}`);
        expect(found).toMatchObject(allAgainstMe(game, game.start(), depth));
        expect(valueAtEnd(game, found)).toBe(found.value);
      }),
      { seed: 1 },
    );
  });

  test("prunes: of three players' chinese checkers to depth 5 it visits less than a quarter", () => {
    const game = createGame({ id: "chinese-checkers", players: 3, side: 2 });
    const nodes = (agent: string) => decide(game, `${agent}:evaluator=distance,depth=5,${PLAIN}`).nodes;
    expect(nodes("paranoid")).toBeLessThan(nodes("max-n") / 4);
  });

  test("takes what is best if both others are against it", () => {
    expect(chooseOfThree("max-n")).toEqual(["trusting", 9]);
    expect(chooseOfThree("best-reply")).toEqual(["careful", 5]);
    expect(chooseOfThree("paranoid")).toEqual(["safe", 3]);
  });
});
