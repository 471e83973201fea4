import process from "node:process";
import { expect, test, vi } from "vitest";
import { formatProgress, interruptible, ProgressDisplay } from "../../../src/cli/shared/progress.ts";

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
  const endless = { ...STATE, done: 12, total: Infinity, gamesPerSecond: 0, notes: ["1. a 50%"] };
  expect(formatProgress(endless, 80)).toBe("12 games, 1. a 50%");
  const beginning = { ...STATE, done: 0, gamesPerSecond: 0, secondsLeft: Infinity, notes: [] };
  expect(formatProgress(beginning, 79)).toBe("[------------------------] 0 of 840 games, beginning");
  expect(formatProgress({ ...STATE, done: 840, secondsLeft: 0, notes: [] }, 79)).toBe(
    "[########################] 840 of 840 games, done, 130 games/s",
  );
});

test("where the number of games depends on results, it says how many there are at most", () => {
  const range = { ...STATE, least: 600, notes: [] };
  expect(formatProgress(range, 120)).toBe(
    "[############------------] 420 of 600 to at most 840 games, at most 3 min 20 s left, 130 games/s",
  );
  expect(formatProgress({ ...range, done: 630, secondsLeft: 100 }, 120)).toBe(
    "[##################------] 630 of at most 840 games, at most 1 min 40 s left, 130 games/s",
  );
});

test("where standard error is no screen, the end writes no line that stands there already", () => {
  vi.stubEnv("TERM", "dumb");
  const written: string[] = [];
  const write = vi
    .spyOn(process.stderr, "write")
    .mockImplementation((text) => written.push(String(text)) > 0);
  try {
    const display = new ProgressDisplay(false);
    const end = { ...STATE, done: 840, secondsLeft: 0, notes: [] };
    display.show(end);
    display.end();
    display.show(end);
    display.end();
  } finally {
    write.mockRestore();
    vi.unstubAllEnvs();
  }
  expect(written).toEqual(["840 of 840 games, done, 130 games/s\n"]);
});

test("Ctrl-C that arrives a second time just after the work has ended does nothing", async () => {
  const signals = ["SIGINT", "SIGTERM"] as const;
  // Those of other tests in this process have had their Ctrl-C.
  const before = signals.map((signal) => process.listeners(signal));
  for (const signal of signals) process.removeAllListeners(signal);
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const exit = vi.spyOn(process, "exit").mockReturnValue(undefined as never);
  try {
    const work = async (signal: AbortSignal) =>
      new Promise<boolean>((resolve) => signal.addEventListener("abort", () => resolve(signal.aborted)));
    const ended = interruptible("stopping", work, () => {});
    process.emit("SIGINT");
    expect(await ended).toBe(true);
    expect(process.emit("SIGINT")).toBe(true);
    expect(exit).not.toHaveBeenCalled();
  } finally {
    vi.restoreAllMocks();
    for (const [index, signal] of signals.entries()) {
      process.removeAllListeners(signal);
      for (const listener of before[index]!) process.on(signal, listener);
    }
  }
});
