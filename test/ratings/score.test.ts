import { expect, test } from "vitest";
import { MeanScores, pointsOf, shareBeaten } from "../../src/ratings/score.ts";

test("points count lower returns 1 and equal ones a half; the share is of the other seats", () => {
  const returns = [3, 1, 3, 0];
  expect(returns.map((_, seat) => pointsOf(returns, seat))).toEqual([2.5, 1, 2.5, 0]);
  expect(returns.map((_, seat) => shareBeaten(returns, seat))).toEqual([2.5 / 3, 1 / 3, 2.5 / 3, 0]);
  expect([pointsOf([7], 0), shareBeaten([7], 0)]).toEqual([0, 0]);
});

test("the points of all seats of a game are the number of pairs of seats", () => {
  for (const returns of [
    [1, -1],
    [0, 0],
    [2, 2, 2],
    [5, 1, 5, 3, 1, 9],
  ]) {
    const sum = returns.reduce((total, _, seat) => total + pointsOf(returns, seat), 0);
    expect(sum).toBe((returns.length * (returns.length - 1)) / 2);
  }
});

test("the leader has the best mean, not the best sum; alone, the best mean return", () => {
  const scores = new MeanScores(3);
  expect(scores.leader).toBeUndefined();
  scores.add({ seats: [0, 1], returns: [1, -1] });
  scores.add({ seats: [0, 1], returns: [-1, 1] });
  scores.add({ seats: [1, 2], returns: [0, 0] });
  expect(scores.leader).toBe(0);
  scores.add({ seats: [2, 1], returns: [1, -1] });
  expect(scores.leader).toBe(2);
  expect(scores.leaders(3).map(({ entrant, mean }) => [entrant, mean])).toEqual([
    [2, 0.75],
    [0, 0.5],
    [1, 1.5 / 4],
  ]);
  expect(scores.leaders(1)).toEqual([{ entrant: 2, mean: 0.75 }]);
  expect(new MeanScores(2).leaders(3)).toEqual([]);
  const alone = new MeanScores(2);
  alone.add({ seats: [0], returns: [-5] });
  alone.add({ seats: [1], returns: [-3] });
  alone.add({ seats: [1], returns: [-4] });
  expect(alone.leader).toBe(1);
});
