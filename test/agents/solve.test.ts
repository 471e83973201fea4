import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { solve } from "../../src/agents/alpha-beta/solve.ts";
import { ConnectFourSolver } from "../../src/games/connect-four/solver/solver.ts";
import type { ConnectFourState } from "../../src/games/connect-four/state.ts";
import { createGame } from "../../src/games/index.ts";
import { ask, createPlayer, decide, randomPositions } from "./play.ts";
import { createTree, randomTree, valueForMover } from "./random-trees.ts";
import { thorough } from "../support/thorough.ts";

describe("solve", () => {
  test("finds any of the values that a search can have, and asks last for the action", () => {
    const values = [-2, -1.5, -1, -0.25, 0, 0.25, 1, 1.75, 2];
    for (const value of values) {
      const asked: number[] = [];
      const found = solve(2, 2 ** -20, (alpha, beta) => {
        asked.push(alpha);
        if (value >= beta) return values.find((one) => one > alpha && one <= value)!;
        if (value <= alpha) return values.findLast((one) => one <= alpha && one >= value)!;
        return value;
      });
      expect(found).toBe(value);
      if (asked.length > 0) expect(asked[0]).toBe(0);
      expect(asked.length).toBeLessThan(8);
    }
  });

  test("random trees have the value of direct recursion, and the action leads to it", () => {
    fc.assert(
      fc.property(randomTree(), (root) => {
        const game = createTree(root);
        expect(decide(game, "alpha-beta:depth=9,solve=true,table=0.1").value).toBe(valueForMover(root));
      }),
      { numRuns: 200, seed: 1 },
    );
  });

  test("connect four has the scores of its own solver, and the action keeps them", () => {
    const game = createGame("connect-four");
    const solver = new ConnectFourSolver(7, 6);
    const player = createPlayer(game, "alpha-beta:solve=true,depth=42,table=4");
    const late = (randomPositions(game, thorough(100, 30), { plies: 40 }) as ConnectFourState[]).filter(
      (state) => state.stones >= 14,
    );
    expect(late.length).toBeGreaterThan(thorough(20, 6));
    for (const state of late) {
      const { action, value, pliesToEnd } = ask(player, game, { state });
      const score = solver.solve(state);
      expect(value).toBe(Math.sign(score));
      if (score !== 0) expect(solver.winAfter(state.stones + pliesToEnd!)).toBe(Math.abs(score));
      state.apply(action);
      if (state.toMove >= 0) expect(solver.solve(state)).toBe(0 - score);
    }
  });
});
