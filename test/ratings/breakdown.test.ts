import { expect, test } from "vitest";
import { BreakdownSums } from "../../src/ratings/breakdown.ts";
import type { CountedGame } from "../../src/ratings/record.ts";
import { gameRecord } from "./records.ts";

function game(seats: number[], returns: number[], actions: number[], openingLength: number): CountedGame {
  return { ...gameRecord({ seats, returns, openingLength, block: "b" }), line: actions.join() };
}

test("sums by seat, by opening and by length, three games by hand", () => {
  const sums = new BreakdownSums(2, 2);
  sums.add(game([0, 1], [1, -1], [7, 1, 2], 1));
  sums.add(game([1, 0], [1, -1], [7, 1, 2, 3], 1));
  sums.add(game([0, 1], [0, 0], [8, 1, 2, 3, 4], 1));
  expect(sums.result()).toEqual({
    seats: [
      [
        { games: 2, score: 0.75 },
        { games: 1, score: 0 },
      ],
      [
        { games: 1, score: 1 },
        { games: 2, score: 0.25 },
      ],
    ],
    openings: [
      { actions: [7], games: 2, scores: [1, 0] },
      { actions: [8], games: 1, scores: [0.5, 0.5] },
    ],
    openingCount: 2,
    lengths: [
      { from: 3, to: 3, games: 1, won: 1, drawn: 0, lost: 0 },
      { from: 4, to: 4, games: 1, won: 1, drawn: 0, lost: 0 },
      { from: 5, to: 5, games: 1, won: 0, drawn: 1, lost: 0 },
    ],
  });
});

test("many lengths share bins, and each game is in one of them", () => {
  const sums = new BreakdownSums(1, 1);
  for (let length = 10; length < 1000; length += 3)
    sums.add(
      game(
        [0],
        [length],
        Array.from({ length }, () => 0),
        0,
      ),
    );
  const { lengths, openings } = sums.result();
  expect(lengths.length).toBeLessThanOrEqual(24);
  expect(lengths.reduce((sum, { games }) => sum + games, 0)).toBe(330);
  expect(openings).toEqual([{ actions: [], games: 330, scores: [0] }]);
  for (const [at, { to }] of lengths.entries()) expect(lengths[at + 1]?.from ?? to + 1).toBe(to + 1);
});
