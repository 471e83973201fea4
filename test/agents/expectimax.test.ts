import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TERMINAL, type Game, type State } from "../../src/games/game.ts";
import { possibleActions } from "../../src/games/notation.ts";
import type { TreeNode } from "../../src/games/tree/schema.ts";
import { copyOf, decide } from "./play.ts";
import { againstRandom, backUp, createTree, playerAt, randomTree, valueForMover } from "./random-trees.ts";

describe("expectimax", () => {
  test("finds what minimax finds where there is no chance", () => {
    fc.assert(
      fc.property(randomTree(), fc.integer({ min: 1, max: 5 }), (root, depth) => {
        const how = `evaluator=value,depth=${depth},ties=first`;
        const game = createTree(root);
        expect(decide(game, `expectimax:${how}`)).toEqual(decide(game, `minimax:${how}`));
      }),
      { seed: 1 },
    );
  });

  test("agrees with direct recursion on random trees with chance, against the best play", () => {
    fc.assert(
      fc.property(randomTree({ chance: true }), (root) => {
        const { value } = decide(createTree(root), "expectimax:depth=9");
        expect(value).toBeCloseTo(valueForMover(root), 10);
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  test.each([2, 3])("agrees with it against %i players at random", (players) => {
    fc.assert(
      fc.property(randomTree({ players, chance: true }), (root) => {
        const { value } = decide(createTree(root, players), "expectimax:depth=9,opponent=random");
        expect(value).toBeCloseTo(backUp(root, againstRandom(playerAt(root))), 10);
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  test.each(["best", "random"])("the plies of an opponent at its %s count as well", (opponent) => {
    const later = (value: number): TreeNode => ({ player: 0, value, actions: [1] });
    const root = { player: 0, actions: [{ player: 1, value: 7, actions: [later(3), later(5)] }] };
    const values = [1, 2, 3].map(
      (depth) =>
        decide(createTree(root), `expectimax:evaluator=value,opponent=${opponent},depth=${depth}`).value,
    );
    expect(values).toEqual([7, opponent === "best" ? 3 : 4, 1]);
  });

  test("chains of chance events may be long", () => {
    const chain = (left: number): TreeNode =>
      left === 0
        ? 64
        : {
            chance: [
              { probability: "1/2", node: chain(left - 1) },
              { probability: "1/2", node: 0 },
            ],
          };
    const game = createTree({ player: 0, actions: [chain(40), chain(6), 0.5] });
    for (const agent of ["expectimax", "max-n"])
      expect(decide(game, `${agent}:depth=5`)).toMatchObject({ action: 1, value: 1 });
  });
});

/** What a policy scores on average for player 0 when player 1's answers are taken as `other` says. */
function score(game: Game, agent: string, other: "random" | "best", state: State = game.start()): number {
  if (state.toMove === TERMINAL) return state.returns(0);
  const actions =
    state.toMove === 0 ? [decide(game, agent, state).action] : Array.from(possibleActions(game, state));
  const values = actions.map((action) => {
    const next = copyOf(game, state);
    next.apply(action);
    return score(game, agent, other, next);
  });
  return other === "best"
    ? Math.min(...values)
    : values.reduce((sum, value) => sum + value, 0) / values.length;
}

describe("T14, an opponent that plays at random", () => {
  const minimax = "minimax:depth=9";
  const ghostHunter = "expectimax:depth=9,opponent=random";

  test("to expect it pays against it, and costs against the best", () => {
    const game = createTree({
      player: 0,
      actions: [
        { player: 1, actions: [5, 5] },
        { player: 1, actions: [20, 0] },
      ],
    });
    expect([score(game, ghostHunter, "random"), score(game, minimax, "random")]).toEqual([10, 5]);
    expect([score(game, ghostHunter, "best"), score(game, minimax, "best")]).toEqual([0, 5]);
  });

  test("on no tree is it the other way round", () => {
    fc.assert(
      fc.property(randomTree(), (root) => {
        const game = createTree({ ...(root as object), player: 0 });
        expect(score(game, ghostHunter, "random")).toBeGreaterThanOrEqual(
          score(game, minimax, "random") - 1e-9,
        );
        expect(score(game, ghostHunter, "best")).toBeLessThanOrEqual(score(game, minimax, "best"));
      }),
      { numRuns: 200, seed: 1 },
    );
  });
});
