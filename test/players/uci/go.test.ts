import { expect, test } from "vitest";
import type { SeatClock } from "../../../src/agents/agent.ts";
import { formatGo } from "../../../src/players/uci/dialect.ts";

const clock = (leftMs: number, rest: Partial<SeatClock> = {}): SeatClock => ({
  leftMs,
  incrementMs: 0,
  ...rest,
});
const period = { periods: 3, periodMs: 5000 };

test.each([
  [{ nodes: 5, depth: 7, timeMs: 0.4 }, [], 0, "go nodes 5 depth 7 movetime 1"],
  [{ timeMs: 99.9 }, [], 1, "go movetime 99"],
  [{}, [clock(10_000.7), clock(9000)], 0, "go wtime 10000 btime 9000"],
  [
    {},
    [clock(1000, { incrementMs: 100 }), clock(0.2, { incrementMs: 100 })],
    1,
    "go wtime 1000 btime 1 winc 100 binc 100",
  ],
  [
    { nodes: 50 },
    [clock(1000, { movesToGo: 3 }), clock(800, { movesToGo: 4 })],
    1,
    "go wtime 1000 btime 800 movestogo 4 nodes 50",
  ],
  [{}, [clock(1000, period), clock(0, period)], 0, "go wtime 6000 btime 5000"],
  // 1 % and 20 ms are kept.
  [{}, [clock(1000, period), clock(0, period)], 1, "go movetime 4930"],
  [{}, [clock(0, { periods: 1, periodMs: 10 }), clock(0, { periods: 1, periodMs: 10 })], 0, "go movetime 5"],
])("%j with the clocks %j, player %i: %s", (budget, clocks, mover, go) => {
  expect(formatGo({ budget, ...(clocks.length > 0 && { clocks }) }, mover)).toBe(go);
});
