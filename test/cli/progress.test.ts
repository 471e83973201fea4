import { expect, test } from "vitest";
import { formatProgress } from "../../src/cli/progress.ts";

const STATE = {
  done: 420,
  total: 840,
  gamesPerSecond: 130,
  secondsLeft: 200,
  notes: ["2 forfeits", "leader an entrant with quite a long name"],
};

test("all parts are shown where there is room", () => {
  expect(formatProgress(STATE, 140)).toBe(
    "[############------------] 420 of 840 games, 3 min 20 s left, 130 games/s, 2 forfeits, leader an entrant with quite a long name",
  );
});

test.each([
  [
    119,
    "[########--------] 420 of 840 games, 3 min 20 s left, 130 games/s, 2 forfeits, leader an entrant with quite a long name",
  ],
  [79, "[########--------] 420 of 840 games, 3 min 20 s left, 130 games/s, 2 forfeits"],
  [70, "[####----] 420 of 840 games, 3 min 20 s left, 130 games/s, 2 forfeits"],
  [60, "[####----] 420 of 840 games, 3 min 20 s left, 130 games/s"],
  [50, "[####----] 420 of 840 games, 3 min 20 s left"],
  [40, "420 of 840 games, 3 min 20 s left"],
  [30, "[####----] 420 of 840 games"],
  [20, "420 of 840 games"],
  [10, "420 of 840"],
])("at %d columns the less important parts give way", (width, line) => {
  expect(formatProgress(STATE, width)).toBe(line);
});

test("no line is ever wider than it may be", () => {
  for (let width = 1; width <= 160; width++)
    expect(formatProgress(STATE, width).length).toBeLessThanOrEqual(width);
});

test("before anything is known it says so, and at the end that it is done", () => {
  const beginning = { ...STATE, done: 0, gamesPerSecond: 0, secondsLeft: Infinity, notes: [] };
  expect(formatProgress(beginning, 79)).toBe("[------------------------] 0 of 840 games, beginning");
  expect(formatProgress({ ...STATE, done: 840, secondsLeft: 0, notes: [] }, 79)).toBe(
    "[########################] 840 of 840 games, done, 130 games/s",
  );
});
