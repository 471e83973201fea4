import { expect, test } from "vitest";
import { scorePositions, wilsonInterval } from "../../src/ratings/positions.ts";

test("Wilson's interval has the published ends (Newcombe 1998, Table I, method 3)", () => {
  const rounded = (hits: number, trials: number) =>
    wilsonInterval(hits, trials).map((end) => Number(end.toFixed(4)));
  expect(rounded(81, 263)).toEqual([0.2553, 0.3662]);
  expect(rounded(15, 148)).toEqual([0.0624, 0.1605]);
  expect(rounded(0, 20)).toEqual([0, 0.1611]);
  expect(rounded(1, 29)).toEqual([0.0061, 0.1718]);
});

test("a score has means over all positions, and of solutions over those that are solved", () => {
  const wrong = { name: "a", position: "a", choice: "1", right: ["2"], isRight: false, nodes: 10, timeMs: 4 };
  const right = { ...wrong, choice: "2", isRight: true, nodes: 30, solution: { nodes: 20, timeMs: 3 } };
  const score = scorePositions("file", "agent", [
    { ...wrong, points: 3, most: 10, error: 0.5 },
    { ...right, points: 8, most: 8, error: 2 },
  ]);
  expect(score).toMatchObject({ positions: 2, right: 1, share: 0.5, nodes: 20, timeMs: 4 });
  expect(score).toMatchObject({
    nodesToSolution: 20,
    timeToSolution: 3,
    points: 11,
    most: 18,
    loss: 3.5,
    error: 1.25,
  });
  expect(scorePositions("file", "agent", [wrong])).toMatchObject({ nodesToSolution: null });
  const values = scorePositions("file", "agent", [{ ...wrong, points: -1, most: 0 }]);
  expect(values).toMatchObject({ loss: 1 });
  expect(values).not.toHaveProperty("points");
  expect(values).not.toHaveProperty("error");
});
