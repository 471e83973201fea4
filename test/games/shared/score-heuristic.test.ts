import { expect, test } from "vitest";
import { scoreHeuristic, squash } from "../../../src/games/shared/score-heuristic.ts";
import { createGame } from "../../../src/games/index.ts";

test("squash is odd, rises, and stays between -1 and 1", () => {
  expect([-30, -10, 0, 10, 30, 1e9].map((score) => squash(score, 10))).toEqual([
    -0.75,
    -0.5,
    0,
    0.5,
    0.75,
    1e9 / (1e9 + 10),
  ]);
});

test("a heuristic from a score is negated for the other player, and has no negative zero", () => {
  const state = createGame("nim").start();
  const heuristic = scoreHeuristic("a test", 4, () => 12);
  expect(heuristic.summary).toBe("a test");
  expect([heuristic.evaluate(state, 0), heuristic.evaluate(state, 1)]).toEqual([0.75, -0.75]);
  expect(scoreHeuristic("", 4, () => 0).evaluate(state, 1)).toBe(0);
});
