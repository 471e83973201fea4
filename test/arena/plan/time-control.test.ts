import { describe, expect, test } from "vitest";
import { formatTime, planTime, timeSchema } from "../../../src/arena/plan/time-control.ts";
import { planTournament } from "../../../src/arena/plan/config.ts";
import { InputError } from "../../../src/base/errors.ts";

const none = { mainMs: 0, incrementMs: 0, periods: 0, periodMs: 0, marginMs: 0, charge: "own" };

describe("a time control", () => {
  test.each([
    [60, { mainMs: 60_000 }, "60"],
    ["60", { mainMs: 60_000 }, "60"],
    ["10+0.1", { mainMs: 10_000, incrementMs: 100 }, "10+0.1"],
    [{ main: 10, increment: 0.1 }, { mainMs: 10_000, incrementMs: 100 }, "10+0.1"],
    ["40/60", { mainMs: 60_000, moves: 40 }, "40/60"],
    ["40/1:30 + 0.5", { mainMs: 90_000, moves: 40, incrementMs: 500 }, "40/90+0.5"],
    ["60+5x10", { mainMs: 60_000, periods: 5, periodMs: 10_000 }, "60+5x10"],
    ["0+3x10", { periods: 3, periodMs: 10_000 }, "0+3x10"],
    [{ main: 60, byoYomi: 10 }, { mainMs: 60_000, periods: 1, periodMs: 10_000 }, "60+1x10"],
    ["0.5/move", { periods: 1, periodMs: 500 }, "0.5/move"],
    ["0.07/move", { periods: 1, periodMs: 70 }, "0.07/move"],
    [{ main: 9, charge: "wall" }, { mainMs: 9000, charge: "wall" }, "9"],
    [{ move: 0.5, margin: 0.02 }, { periods: 1, periodMs: 500, marginMs: 20 }, "0.5/move"],
  ])("%j", (given, control, short) => {
    expect(planTime(timeSchema.parse(given))).toEqual({ ...none, ...control });
    expect(formatTime(planTime(timeSchema.parse(given)))).toBe(short);
    // The short form says all but the margin and the charge.
    expect(planTime(short)).toEqual({ ...none, ...control, marginMs: 0, charge: "own" });
  });

  test.each([
    ["ten", 'time: "ten" is no time control; write seconds: 60 for a game, 10+0.1 with an increment,'],
    ["5/move+1", 'time: "5/move+1" is no time control'],
    ["0+1", "time.main: missing; a game needs a main time, a `byoYomi` or the time of each `move`"],
    [{ increment: 1 }, "time.main: missing; a game needs a main time"],
    ["0/60", "time.moves: must be at least 1, got 0"],
    ["10+0x5", "time.periods: must be at least 1, got 0"],
    [{ move: 1, increment: 1 }, "time.move: is the whole time of a move: leave out `increment` beside it"],
    [{ move: 1, main: 1 }, "time.move: is the whole time of a move: leave out `main` beside it"],
    [{ main: 1, periods: 2 }, "time.periods: are periods of byo-yomi: give their seconds as `byoYomi`"],
    ["40/60+5x10", "time.byoYomi: goes with a main time alone: leave out `moves`"],
    [
      { main: 1, byoYomi: 1, increment: 1 },
      "time.byoYomi: goes with a main time alone: leave out `increment`",
    ],
    [{ main: -1 }, "time.main: must be at least 0, got -1"],
    [{ main: 1, incremnt: 1 }, 'time.incremnt: unknown key "incremnt" (did you mean "increment"?)'],
  ])("%j is refused with a sentence", async (time, problem) => {
    const config = { name: "t", game: "nim", blocks: 1, entrants: ["random", "greedy:evaluator=none"], time };
    const error: unknown = await planTournament(config as Parameters<typeof planTournament>[0]).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(InputError);
    const [{ path, message }] = (error as InputError).problems as [{ path: string; message: string }];
    expect(`${path}: ${message}`).toContain(problem);
  });
});
