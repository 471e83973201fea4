import { describe, expect, test } from "vitest";
import { BUDGET_KEYS } from "../../../../src/agents/agent.ts";
import { limitsOf, parseGo, timeOf } from "../../../../src/players/engine/uci/go.ts";
import { NO_LIMIT_MS } from "../../../../src/players/engine/search.ts";

const go = (text: string) => parseGo(text.split(" "));
const still = { infinite: false, ponder: false };
const clock = (leftMs: number, incrementMs = 0) => ({ leftMs, incrementMs });

describe("go", () => {
  test.each([
    ["", still],
    ["infinite", { ...still, infinite: true }],
    ["depth 7 nodes 500", { ...still, depth: 7, nodes: 500 }],
    ["mate 3", { ...still, mate: 3 }],
    [
      "wtime 1000 btime 2000 winc 10 binc 20 movestogo 4",
      {
        ...still,
        clocks: [
          { ...clock(1000, 10), movesToGo: 4 },
          { ...clock(2000, 20), movesToGo: 4 },
        ],
      },
    ],
    ["wtime 1000 btime 2000 binc 20 movestogo 0", { ...still, clocks: [clock(1000), clock(2000, 20)] }],
    ["btime 300", { ...still, clocks: [clock(300), clock(300)] }],
    ["ponder btime -50 wtime 9", { infinite: false, ponder: true, clocks: [clock(9), clock(1)] }],
    ["searchmoves e2e4 d2d4 movetime 20 perft", { ...still, movetime: 20, searchMoves: ["e2e4", "d2d4"] }],
    ["depth many nodes", still],
  ])("%s", (text, limits) => expect(go(text)).toEqual(limits));
});

describe("the limits of a search", () => {
  const sharing = { family: { budgets: BUDGET_KEYS, heedsClocks: true }, overheadMs: 10, player: 1 };
  const plain = { ...sharing, family: { budgets: BUDGET_KEYS } };

  test("are those of `go` and of the spec, whichever is less", () => {
    const spec = { depth: 4, nodes: 1000 };
    const budget = { depth: 4, nodes: 100, timeMs: 40 };
    expect(limitsOf(go("depth 9 nodes 100 movetime 50"), spec, plain)).toEqual({ budget });
    expect(limitsOf(go("mate 2"), { timeMs: 5, simulations: 7 }, plain)).toEqual({
      budget: { depth: 3, timeMs: 5, simulations: 7 },
    });
    expect(limitsOf(go("depth 0 nodes 0"), {}, plain)).toEqual({
      budget: { depth: 1, nodes: 1, timeMs: NO_LIMIT_MS },
    });
  });

  test("always have a time, at which searches can be stopped, and none that the agent does not keep", () => {
    for (const text of [
      "infinite",
      "ponder movetime 50",
      "ponder wtime 5 btime 5",
      "infinite wtime 5 btime 5",
    ])
      expect(limitsOf(go(text), {}, sharing)).toEqual({ budget: { timeMs: NO_LIMIT_MS } });
    const heeds = { budgets: ["nodes", "timeMs"] as const };
    expect(limitsOf(go("depth 9 nodes 5"), {}, { ...plain, family: heeds })).toEqual({
      budget: { nodes: 5, timeMs: NO_LIMIT_MS },
    });
  });

  test("are the clocks, for an agent that shares them out, less the overhead", () => {
    const text = "wtime 1000 btime 2000 winc 10 binc 20";
    const clocks = [clock(990, 10), clock(1990, 20)];
    expect(limitsOf(go(text), { timeMs: NO_LIMIT_MS }, sharing)).toEqual({ budget: {}, clocks });
    expect(limitsOf(go(text), { depth: 5, timeMs: 300 }, sharing)).toEqual({
      budget: { depth: 5, timeMs: 300 },
      clocks,
    });
    expect(limitsOf(go(`${text} movetime 40`), {}, sharing)).toEqual({ budget: { timeMs: 30 } });
    // Another agent gets a time.
    const { budget, ...others } = limitsOf(go(text), {}, plain);
    expect([others, Object.keys(budget)]).toEqual([{}, ["timeMs"]]);
    expect(budget.timeMs).toBe(timeOf(go(text), plain));
  });
});

describe("the time of a move", () => {
  const keeper = { family: { budgets: BUDGET_KEYS }, overheadMs: 10, player: 0 };

  test("leaves the clock something, however little there is", () => {
    for (const time of [-100, 0, 1, 5, 11, 50, 1000, 60_000])
      for (const moves of ["", "movestogo 0", "movestogo 1", "movestogo 40"])
        for (const increment of [0, 100]) {
          const timeMs = timeOf(go(`wtime ${time} winc ${increment} ${moves}`), keeper)!;
          expect(timeMs).toBeGreaterThanOrEqual(1);
          expect(timeMs).toBeLessThanOrEqual(Math.max(1, time - 10));
        }
  });

  test("is that of `movetime` less the overhead, or half of it", () => {
    expect(timeOf(go("movetime 100"), keeper)).toBe(90);
    expect(timeOf(go("movetime 4"), keeper)).toBe(2);
    expect(timeOf(go("depth 4"), keeper)).toBeUndefined();
  });
});
