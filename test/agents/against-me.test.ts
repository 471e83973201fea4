import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createGame } from "../../src/games/index.ts";
import { allAgainstMe, chooseOfThree, oneAgainstMe, searches, threeViews, valueAtEnd } from "./opposition.ts";
import { layeredGame, layers } from "./layered.ts";
import { everyFew, slowTest, thorough } from "../support/thorough.ts";
import { decide, randomPositions } from "./play.ts";
import { createTree, randomTree } from "./random-trees.ts";

const PLAIN = "deepening=false,ties=first,table=0,ordering=none";
/** The plain options of the other searches. */
const ONCE = "deepening=false,ties=first";

describe("paranoid", () => {
  slowTest("finds what minimax finds on two-player zero-sum trees, line and all", () => {
    fc.assert(
      fc.property(randomTree(), fc.integer({ min: 1, max: 6 }), (root, depth) => {
        const game = createTree(root);
        const how = `evaluator=value,depth=${depth},${PLAIN}`;
        const { nodes, ...found } = decide(game, `paranoid:${how}`);
        const { nodes: all, ...wanted } = decide(game, `minimax:${how.replace(PLAIN, ONCE)}`);
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
        const wanted = decide(game, `alpha-beta:depth=5,${PLAIN}`, state);
        expect(decide(game, `paranoid:depth=5,${PLAIN}`, state)).toEqual(wanted);
      }
    }
  });

  slowTest("prunes nothing that matters with three and four players", () => {
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
    const nodes = (agent: string) => decide(game, `${agent},evaluator=distance,depth=5,${ONCE}`).nodes;
    expect(nodes("paranoid:table=0,ordering=none")).toBeLessThan(nodes("max-n:pruning=none") / 4);
  });

  test("takes what is best if both others are against it", () => {
    expect(chooseOfThree("max-n")).toEqual(["trusting", 9]);
    expect(chooseOfThree("best-reply")).toEqual(["careful", 5]);
    expect(chooseOfThree("paranoid")).toEqual(["safe", 3]);
  });
});

describe("best-reply", () => {
  slowTest("is minimax with two players, even if one moves twice in a row", () => {
    fc.assert(
      fc.property(randomTree(), fc.integer({ min: 1, max: 6 }), (root, depth) => {
        const game = createTree(root);
        const how = `evaluator=value,depth=${depth},${PLAIN}`;
        const { nodes, ...found } = decide(game, `best-reply:${how}`);
        const { nodes: all, ...wanted } = decide(game, `minimax:${how.replace(PLAIN, ONCE)}`);
        expect(found).toEqual(wanted);
        expect(nodes).toBeLessThanOrEqual(all);
      }),
      { seed: 1 },
    );
  });

  slowTest("lets one opponent act in each round, the others make their usual moves", () => {
    fc.assert(
      fc.property(searches, ({ game, depth }) => {
        const found = decide(game, `best-reply:evaluator=value,depth=${depth},${PLAIN}`);
        expect(found).toMatchObject(oneAgainstMe(game, game.start(), depth));
        expect(valueAtEnd(game, found)).toBe(found.value);
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  test.each([3, 4, 6])("does so in chinese checkers of %i players", (players) => {
    const game = createGame({ id: "chinese-checkers", players, side: 2 });
    for (const state of randomPositions(game, 3, { plies: 40 })) {
      for (const depth of [1, 2, 3, 4]) {
        const found = decide(game, `best-reply:evaluator=distance,depth=${depth},${PLAIN}`, state);
        expect(found).toMatchObject(oneAgainstMe(game, state, depth));
      }
    }
  });

  slowTest("trusts its opponents more than paranoid does", () => {
    fc.assert(
      fc.property(searches, ({ game, depth }) => {
        const value = (agent: string) =>
          decide(game, `${agent}:evaluator=value,depth=${depth},deepening=false`).value!;
        expect(value("best-reply")).toBeGreaterThanOrEqual(value("paranoid"));
      }),
      { seed: 1 },
    );
  });

  test("takes what is best if one of the others, whichever, is against it", () => {
    expect(chooseOfThree("best-reply")).toEqual(["careful", 5]);
    expect(chooseOfThree("paranoid")).toEqual(["safe", 3]);
    expect(chooseOfThree("max-n")).toEqual(["trusting", 9]);
  });

  test("visits what can be counted by hand, the look for usual moves included", () => {
    const nodes = (depth: number) =>
      decide(threeViews, `best-reply:evaluator=value,depth=${depth},${PLAIN}`).nodes;
    // The root and its actions.
    expect(nodes(1)).toBe(4);
    // Every estimate is 0: both moves of player 1 after the first action, one after each other action.
    expect(nodes(2)).toBe(4 + 2 + 1 + 1);
    // Player 1: which move is usual (2). After the kind move (1) both of player 2 (2), after the unkind
    // one (1) which is usual (2), and that (1). After the last action the first line is bad enough.
    expect(nodes(3)).toBe(1 + (1 + 9) + (1 + 9) + (1 + 2 + 2));
  });
});

describe("with a table and an ordering", () => {
  const kinds = ["", "table=4", "table=64", "table=0", "ordering=none"];

  slowTest.each(["paranoid", "best-reply"])("%s finds the value that it finds without", (agent) => {
    const kind = fc.constantFrom(...kinds);
    fc.assert(
      fc.property(searches, kind, ({ game, depth }, how) => {
        const found = decide(game, `${agent}:evaluator=value,depth=${depth},${how || "table=512"}`);
        const wanted = decide(game, `${agent}:evaluator=value,depth=${depth},table=0,ordering=none`);
        expect(found.value).toBe(wanted.value);
        const reference = agent === "paranoid" ? allAgainstMe : oneAgainstMe;
        expect(found.value).toBe(reference(game, game.start(), depth).value);
      }),
      { numRuns: 400, seed: 1 },
    );
  });

  test.each(everyFew(["paranoid", "best-reply", "expectimax"], 2))(
    "%s does so where there are many ways to a position, whatever was collected on the way",
    (agent) => {
      fc.assert(
        fc.property(layers, fc.boolean(), fc.integer({ min: 1, max: 7 }), (all, collects, depth) => {
          const game = layeredGame(all, { collects });
          const how = `${agent}:depth=${depth}${collects ? "" : ",evaluator=worth"}`;
          const { value } = decide(game, `${how},table=64`);
          expect(value).toBe(decide(game, `${how},table=0`).value);
        }),
        { numRuns: thorough(300, 100), seed: 1 },
      );
    },
  );

  test.each([
    ["paranoid", 3],
    ["paranoid", 4],
    ["best-reply", 3],
    ["best-reply", 4],
  ])("%s with %i players saves nodes in chinese checkers, for the same values", (agent, players) => {
    const game = createGame({ id: "chinese-checkers", players, side: 2 });
    let all = 0;
    let visited = 0;
    for (const state of randomPositions(game, 4, { plies: 60 })) {
      const how = `${agent}:evaluator=distance,depth=5`;
      const wanted = decide(game, `${how},${PLAIN}`, state);
      const found = decide(game, how, state);
      expect(found.value).toBe(wanted.value);
      all += wanted.nodes;
      visited += found.nodes;
    }
    expect(visited).toBeLessThan(all);
  });
});
