import { expect, test } from "vitest";
import { planTournament } from "../../../src/arena/plan/config.ts";
import { describeCrowding, describeShortage } from "../../../src/arena/plan/plan-warnings.ts";

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

test("an engine that ponders wants a core besides that of its opponent", () => {
  const ponders = { name: "", spec: { agent: "uci", timeMs: 10, ponder: true } };
  expect(describeCrowding([entrant(), ponders], { workers: 2, cores: 2 })).toBe(
    "2 workers with an engine that ponders need 4 cores, and there are 2: they slow each other down; give --workers 1",
  );
  expect(describeCrowding([entrant(3), ponders], { workers: 1, cores: 3 })).toBe(
    "1 worker with agents of 3 threads and an engine that ponders need 4 cores, and there are 3: they slow each other down",
  );
  expect(describeCrowding([entrant(), ponders], { workers: 1, cores: 2 })).toBeUndefined();
  expect(describeCrowding([entrant(), ponders], { workers: 1, cores: 2, pinned: true })).toBe(
    "affinity gives a worker one core, which an engine that ponders takes from its opponent: leave out one of them",
  );
});

test("workers more than the cores are nobody's business where no agent has threads", () => {
  expect(describeCrowding([entrant(), entrant(1)], { workers: 9, cores: 2 })).toBeUndefined();
});

test("workers with cores of their own are told where threads share one, and where no core is left", () => {
  expect(describeCrowding([entrant(2)], { workers: 1, cores: 4, pinned: true })).toBe(
    "affinity gives a worker one core, which agents of 2 threads share: leave it out, or take one thread",
  );
  expect(describeCrowding([entrant()], { workers: 4, cores: 4, pinned: true })).toBe(
    "4 workers have all 4 cores, and what stores their games disturbs them; give --workers 3",
  );
  expect(describeCrowding([entrant()], { workers: 3, cores: 4, pinned: true })).toBeUndefined();
  expect(describeCrowding([entrant()], { workers: 1, cores: 1, pinned: true })).toBeUndefined();
});

test("a file with fewer openings than a pairing has blocks is a warning; in a sequential test, once they are used up", async () => {
  const plan = await planTournament({
    name: "t",
    game: "tic-tac-toe",
    blocks: 5,
    entrants: ["random", { name: "other", agent: "random" }],
  });
  const openings = { lines: [[0], [1], [2]], file: "book.txt" };
  expect(describeShortage({ ...plan, openings })).toBe(
    "book.txt has 3 openings for 5 blocks of each pairing, so some are played 2 times, and intervals may be too narrow",
  );
  expect(describeShortage({ ...plan, openings, blocks: 3 })).toBeUndefined();
  const format = { type: "sprt", elo0: 0, elo1: 10 };
  const open = { ...plan, openings, format, blocks: 100_000 };
  expect(describeShortage(open)).toBe(
    "book.txt has 3 openings; a pairing that plays more blocks, of up to 100000, plays them again, " +
      "and its intervals may be too narrow",
  );
  expect(describeShortage(open, 6)).toBeUndefined();
  expect(describeShortage(open, 8)).toContain("of up to 4, plays them again");
});
