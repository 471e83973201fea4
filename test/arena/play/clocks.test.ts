import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SeatClock } from "../../../src/agents/agent.ts";
import {
  describeFlag,
  press,
  startClock,
  planTime,
  type TimeControl,
} from "../../../src/arena/plan/time-control.ts";

/** The clocks after decisions of so many ms, up to the one whose flag fell. */
function clocksAfter(control: TimeControl, times: readonly number[]): (SeatClock | undefined)[] {
  const clocks: (SeatClock | undefined)[] = [];
  let clock: SeatClock | undefined = startClock(control);
  for (const time of times) {
    clock = press(control, clock, time);
    clocks.push(clock);
    if (clock === undefined) break;
  }
  return clocks;
}
const last = (short: string, times: readonly number[]) => clocksAfter(planTime(short), times).at(-1);

describe("a clock", () => {
  test("of a main time with an increment", () => {
    expect(startClock(planTime("10+0.1"))).toEqual({ leftMs: 10_000, incrementMs: 100 });
    expect(last("10+0.1", [3000])).toEqual({ leftMs: 7100, incrementMs: 100 });
    expect(last("10+0.1", [3000, 7100])).toEqual({ leftMs: 100, incrementMs: 100 });
    expect(last("10+0.1", [3000, 7101])).toBeUndefined();
  });

  test("of 3 moves in 6 seconds: the time is added when they are made, and what was saved stays", () => {
    expect(last("3/6", [])).toBeUndefined();
    expect(startClock(planTime("3/6"))).toMatchObject({ leftMs: 6000, movesToGo: 3 });
    expect(last("3/6", [1000, 1000])).toMatchObject({ leftMs: 4000, movesToGo: 1 });
    expect(last("3/6", [1000, 1000, 1000])).toMatchObject({ leftMs: 9000, movesToGo: 3 });
    expect(last("3/6", [5000, 500, 501])).toBeUndefined();
  });

  test("of byo-yomi: a period is lost by each move that is longer, and the flag falls with the last one", () => {
    expect(startClock(planTime("5+3x10"))).toEqual({
      leftMs: 5000,
      incrementMs: 0,
      periods: 3,
      periodMs: 10_000,
    });
    expect(last("5+3x10", [4000])).toMatchObject({ leftMs: 1000, periods: 3 });
    expect(last("5+3x10", [4000, 10_500])).toMatchObject({ leftMs: 0, periods: 3 });
    expect(last("5+3x10", [4000, 11_500])).toMatchObject({ leftMs: 0, periods: 2 });
    expect(last("5+3x10", [4000, 11_500, 9999, 9999, 9999])).toMatchObject({ periods: 2 });
    expect(last("5+3x10", [4000, 21_500, 9999])).toMatchObject({ leftMs: 0, periods: 1 });
    expect(last("5+3x10", [4000, 21_500, 10_001])).toBeUndefined();
    expect(last("5+3x10", [35_000])).toMatchObject({ periods: 1 });
    expect(last("5+3x10", [35_001])).toBeUndefined();
  });

  test("of a fixed time for each move", () => {
    expect(last("1/move", [1000, 999, 1000])).toEqual({
      leftMs: 0,
      incrementMs: 0,
      periods: 1,
      periodMs: 1000,
    });
    expect(last("1/move", [1000, 1001])).toBeUndefined();
  });

  test("with a margin goes down to 0, and the flag falls later", () => {
    const control = planTime({ main: 1, increment: 0.1, margin: 0.05 });
    expect(clocksAfter(control, [1050]).at(-1)).toEqual({ leftMs: 100, incrementMs: 100 });
    expect(clocksAfter(control, [1051]).at(-1)).toBeUndefined();
  });

  test("says why its flag fell", () => {
    const control = planTime("60+5x10");
    const clock = { leftMs: 0, incrementMs: 0, periods: 2, periodMs: 10_000 };
    expect(describeFlag(control, clock, 20_123.4567)).toBe(
      "the flag fell: the decision took 20.123 s with 20 s left, time control 60+5x10",
    );
  });
});

const seconds = fc.integer({ min: 1, max: 20_000 }).map((ms) => ms / 1000);
const controls = fc
  .oneof(
    fc.record({ main: seconds, increment: fc.option(seconds, { nil: 0 }) }),
    fc.record({ main: seconds, moves: fc.integer({ min: 1, max: 5 }) }),
    fc.record({ main: seconds, byoYomi: seconds, periods: fc.integer({ min: 1, max: 4 }) }),
    fc.record({ move: seconds }),
  )
  .map(planTime);
const times = fc.array(fc.integer({ min: 0, max: 8000 }), { maxLength: 30 });

describe("whatever the players do", () => {
  test("no clock shows less than nothing, and byo-yomi keeps a period", () => {
    fc.assert(
      fc.property(controls, times, (control, spent) => {
        for (const clock of clocksAfter(control, spent)) {
          if (clock === undefined) continue;
          expect(clock.leftMs).toBeGreaterThanOrEqual(0);
          expect(clock.periods ?? 1).toBeGreaterThanOrEqual(1);
          expect(clock.periods ?? 0).toBeLessThanOrEqual(control.periods);
          expect(clock.movesToGo ?? 1).toBeGreaterThanOrEqual(1);
        }
      }),
    );
  });

  test("nobody gets more main time than there is: it is what was given less what was spent", () => {
    fc.assert(
      fc.property(controls, times, (control, spent) => {
        for (const [at, clock] of clocksAfter(control, spent).entries()) {
          if (clock === undefined || control.periods > 0) continue;
          const refills = control.moves === undefined ? 0 : Math.floor((at + 1) / control.moves);
          const given = control.mainMs * (1 + refills) + control.incrementMs * (at + 1);
          const used = spent.slice(0, at + 1).reduce((sum, time) => sum + time, 0);
          expect(clock.leftMs).toBeCloseTo(given - used, 6);
        }
      }),
    );
  });

  test("the flag falls just where the time of the move and what is left say so", () => {
    fc.assert(
      fc.property(controls, fc.integer({ min: 0, max: 100_000 }), (control, time) => {
        const { mainMs, periods, periodMs } = control;
        const isLost = press(control, startClock(control), time) === undefined;
        expect(isLost).toBe(time > mainMs + periods * periodMs);
      }),
    );
  });
});
