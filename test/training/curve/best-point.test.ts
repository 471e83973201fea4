import { expect, test } from "vitest";
import { bestPoint, type CurvePoint } from "../../../src/training/curve/curve.ts";

const point = (games: number, elo: number): CurvePoint => ({
  games,
  elo,
  low: elo - 50,
  high: elo + 50,
  score: 0.5,
  meanReturn: { mean: 0, low: -1, high: 1 },
  against: [],
});

test("the best point is the one of the highest rating, of equal ones the latest", () => {
  const best = (...elos: readonly number[]) =>
    bestPoint({ points: elos.map((elo, at) => point(at, elo)), pool: [], warnings: [] }).games;
  expect(best(5)).toBe(0);
  expect(best(5, 9, 7)).toBe(1);
  expect(best(9, 7, 9, 8)).toBe(2);
  expect(best(-3, -3)).toBe(1);
});
