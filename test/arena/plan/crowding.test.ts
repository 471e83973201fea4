import { expect, test } from "vitest";
import { describeCrowding } from "../../../src/arena/plan/crowding.ts";

const entrant = (threads?: number) => ({
  name: "",
  spec: { agent: "mcts", timeMs: 10, ...(threads !== undefined && { threads }) },
});

test("workers with agents that have threads are told where they need more than the cores", () => {
  const entrants = [entrant(), entrant(2), entrant(3)];
  expect(describeCrowding(entrants, { workers: 4, cores: 8 })).toBe(
    "4 workers with agents of 3 threads need 12 cores, and there are 8: they slow each other down; give --workers 2",
  );
  expect(describeCrowding(entrants, { workers: 1, cores: 2 })).toBe(
    "1 worker with agents of 3 threads need 3 cores, and there are 2: they slow each other down",
  );
  expect(describeCrowding(entrants, { workers: 2, cores: 6 })).toBeUndefined();
});

test("workers more than the cores are nobody's business where no agent has threads", () => {
  expect(describeCrowding([entrant(), entrant(1)], { workers: 9, cores: 2 })).toBeUndefined();
});
