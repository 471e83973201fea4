import { describe, expect, test } from "vitest";
import { BUDGET_KEYS } from "../../../src/agents/agent.ts";
import { budgetOf, parseGo, timeOf } from "../../../src/engine/uci/go.ts";
import { NO_LIMIT_MS } from "../../../src/engine/search.ts";

const go = (text: string, player = 0) => parseGo(text.split(" "), player);
const still = { infinite: false, ponder: false };

describe("go", () => {
  test.each([
    ["", 0, still],
    ["infinite", 0, { ...still, infinite: true }],
    ["depth 7 nodes 500", 1, { ...still, depth: 7, nodes: 500 }],
    ["mate 3", 0, { ...still, mate: 3 }],
    [
      "wtime 1000 btime 2000 winc 10 binc 20 movestogo 4",
      0,
      { ...still, time: 1000, increment: 10, movestogo: 4 },
    ],
    ["wtime 1000 btime 2000 winc 10 binc 20", 1, { ...still, time: 2000, increment: 20 }],
    ["ponder btime -50 wtime 1", 1, { infinite: false, ponder: true, time: -50 }],
    ["searchmoves e2e4 d2d4 movetime 20 perft", 0, { ...still, movetime: 20 }],
    ["depth many nodes", 0, still],
  ])("%s of player %i", (text, player, limits) => expect(go(text, player)).toEqual(limits));
});

describe("the budget of a search", () => {
  const all = { heeds: BUDGET_KEYS, overheadMs: 10 };

  test("has the limits of `go` and of the spec, whichever is less", () => {
    expect(budgetOf(go("depth 9 nodes 100 movetime 50"), { depth: 4, nodes: 1000 }, all)).toEqual({
      depth: 4,
      nodes: 100,
      timeMs: 40,
    });
    expect(budgetOf(go("mate 2"), { timeMs: 5, simulations: 7 }, all)).toEqual({
      depth: 3,
      timeMs: 5,
      simulations: 7,
    });
    expect(budgetOf(go("depth 0 nodes 0"), {}, all)).toEqual({ depth: 1, nodes: 1, timeMs: NO_LIMIT_MS });
  });

  test("always has a time, at which searches can be stopped, and none that the agent does not keep", () => {
    expect(budgetOf(go("infinite"), {}, all)).toEqual({ timeMs: NO_LIMIT_MS });
    expect(budgetOf(go("ponder movetime 50"), {}, all)).toEqual({ timeMs: NO_LIMIT_MS });
    expect(budgetOf(go("depth 9 nodes 5"), {}, { ...all, heeds: ["nodes", "timeMs"] })).toEqual({
      nodes: 5,
      timeMs: NO_LIMIT_MS,
    });
  });
});

describe("the time of a move", () => {
  test("leaves the clock something, however little there is", () => {
    for (const time of [-100, 0, 1, 5, 11, 50, 1000, 60_000])
      for (const movestogo of [undefined, 0, 1, 2, 40])
        for (const increment of [0, 100]) {
          const timeMs = timeOf(
            { ...still, time, increment, ...(movestogo !== undefined && { movestogo }) },
            10,
          )!;
          expect(timeMs).toBeGreaterThanOrEqual(1);
          expect(timeMs).toBeLessThanOrEqual(Math.max(1, time - 10));
        }
  });

  test("is used up by the moves that it is for", () => {
    let left = 10_000;
    for (let movestogo = 10; movestogo > 0; movestogo--)
      left -= timeOf({ ...still, time: left, movestogo }, 10)!;
    expect(left).toBeGreaterThan(10);
    expect(left).toBeLessThan(1000);
    expect(timeOf(still, 10)).toBeUndefined();
    expect(timeOf({ ...still, movetime: 4 }, 10)).toBe(2);
  });
});
