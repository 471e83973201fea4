import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { solve } from "../../src/agents/alpha-beta/win-distance.ts";
import { ConnectFourSolver } from "../../src/games/connect-four/solver/solver.ts";
import type { ConnectFourState } from "../../src/games/connect-four/state.ts";
import { createGame } from "../../src/games/index.ts";
import { ask, createPlayer, decide, randomPositions } from "./play.ts";
import { createTree, randomTree, valueForMover } from "./random-trees.ts";
import { slowTest } from "../support/thorough.ts";

describe("solve", () => {
  const step = 2 ** -20;
  const winIn = (plies: number) => 2 - plies / 1024;

  /** The result of `solve` at a root of known value, and the windows of its searches. */
  function find(value: number, values: readonly number[], farthest: number) {
    const asked: number[] = [];
    const found = solve(winIn, farthest, step, (alpha, beta) => {
      asked.push(alpha);
      // The weakest bounds among the values that occur.
      if (value >= beta) return values.find((one) => one > alpha && one <= value)!;
      if (value <= alpha) return values.findLast((one) => one <= alpha && one >= value)!;
      return value;
    });
    return { found, asked };
  }

  test("finds any of the values that a search can have, and asks last for the action", () => {
    const values = [-1.9, -1.5, -1, -0.25, 0, 0.25, 1, 1.75, 1.9];
    for (const value of values) {
      const { found, asked } = find(value, values, 0);
      expect(found).toBe(value);
      expect(asked[0]).toBe(0);
      expect(asked.length).toBeLessThan(8);
    }
  });

  test("asks for ends that are near before it asks for others", () => {
    const wins = Array.from({ length: 42 }, (_, at) => winIn(42 - at));
    const values = [...wins.map((win) => 0 - win).toReversed(), 0, ...wins];
    for (const value of values) {
      const { found, asked } = find(value, values, 42);
      expect(found).toBe(value);
      expect(asked.length).toBeLessThan(16);
      // No window lies beyond the first of 12, 16, 21, 28 and 37 plies that the end is within.
      const within = [12, 16, 21, 28, 37].find((plies) => Math.abs(value) >= winIn(plies));
      if (within === undefined) expect(asked).toContain(0);
      else for (const alpha of asked) expect(Math.abs(alpha)).toBeGreaterThan(winIn(within) - 2 * step);
    }
  });

  slowTest("random trees have the value of direct recursion, and the action leads to it", () => {
    fc.assert(
      fc.property(randomTree(), (root) => {
        const game = createTree(root);
        expect(decide(game, "alpha-beta:depth=9,solve=true,table=0.1").value).toBe(valueForMover(root));
      }),
      { numRuns: 200, seed: 1 },
    );
  });

  slowTest("connect four has the scores of its own solver, and the action keeps them", () => {
    const game = createGame("connect-four");
    const solver = new ConnectFourSolver(7, 6);
    const player = createPlayer(game, "alpha-beta:solve=true,depth=42,table=4");
    const late = (randomPositions(game, 100, { plies: 40 }) as ConnectFourState[]).filter(
      (state) => state.stones >= 14,
    );
    expect(late.length).toBeGreaterThan(20);
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
