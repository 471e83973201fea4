import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SeatClock } from "../../src/agents/agent.ts";
import { shareOfTurn, shareTime } from "../../src/agents/search/meter.ts";
import { createRandom } from "../../src/base/random.ts";
import { createGame } from "../../src/games/index.ts";
import { slowTest } from "../support/thorough.ts";

const times = fc.integer({ min: 0, max: 10_000_000 });
const clocks = fc.oneof(
  fc.record({ leftMs: times, incrementMs: fc.integer({ min: 0, max: 60_000 }) }),
  fc.record({ leftMs: times, incrementMs: fc.constant(0), movesToGo: fc.integer({ min: 1, max: 60 }) }),
  fc.record({
    leftMs: times,
    incrementMs: fc.constant(0),
    periods: fc.integer({ min: 1, max: 5 }),
    periodMs: fc.integer({ min: 1, max: 60_000 }),
  }),
);
const decisions = fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 300 }));
/** The time until the flag falls, or until a period of byo-yomi is lost. */
const allOf = ({ leftMs, periodMs = 0 }: SeatClock) => leftMs + periodMs;

describe("the share of a decision", () => {
  test("is never more than what is left, less some for what comes after the last look", () => {
    fc.assert(
      fc.property(clocks, decisions, (clock, left) => {
        const { targetMs, mostMs } = shareTime(clock, left);
        const all = allOf(clock);
        expect(targetMs).toBeGreaterThanOrEqual(0);
        expect(mostMs).toBeGreaterThanOrEqual(targetMs);
        expect(mostMs).toBeLessThanOrEqual(all - Math.min(all / 2, 20) + 1e-9);
      }),
    );
  });

  test("grows with the time left", () => {
    fc.assert(
      fc.property(clocks, decisions, fc.integer({ min: 1, max: 100_000 }), (clock, left, moreMs) => {
        const less = shareTime(clock, left);
        const more = shareTime({ ...clock, leftMs: clock.leftMs + moreMs }, left);
        expect(more.targetMs).toBeGreaterThanOrEqual(less.targetMs - 1e-9);
        expect(more.mostMs).toBeGreaterThanOrEqual(less.mostMs - 1e-9);
      }),
    );
  });

  test("falls with the number of decisions that it must serve", () => {
    fc.assert(
      fc.property(clocks, decisions, fc.integer({ min: 1, max: 50 }), (clock, left, more) => {
        expect(shareTime(clock, left + more).targetMs).toBeLessThanOrEqual(shareTime(clock, left).targetMs);
      }),
    );
  });

  slowTest("lasts for a game of any length, if each decision takes its target, or the most", () => {
    fc.assert(
      fc.property(clocks, fc.constantFrom("targetMs", "mostMs"), (clock, key) => {
        let { leftMs } = clock;
        for (let decision = 0; decision < 200 && clock.leftMs > 0; decision++) {
          const { [key]: spent } = shareTime({ ...clock, leftMs });
          expect(spent).toBeLessThanOrEqual(allOf({ ...clock, leftMs }));
          leftMs = Math.max(0, leftMs - spent) + clock.incrementMs;
        }
      }),
    );
  });

  test("is most of the time where the next decision gets new time", () => {
    expect(shareTime({ leftMs: 10_000, incrementMs: 0, movesToGo: 1 }).targetMs).toBeGreaterThan(9000);
    expect(shareTime({ leftMs: 0, incrementMs: 0, periods: 1, periodMs: 10_000 })).toEqual({
      targetMs: 9880,
      mostMs: 9880,
      use: "spend",
    });
    // The last period is worth no more than another one: none is given away.
    expect(shareTime({ leftMs: 0, incrementMs: 0, periods: 5, periodMs: 10_000 }).mostMs).toBe(9880);
  });

  test("leaves time for decisions after it", () => {
    const { targetMs, mostMs, use } = shareTime({ leftMs: 60_000, incrementMs: 600 });
    expect(use).toBe("save");
    expect(targetMs).toBeLessThan(60_000 / 15);
    expect(mostMs).toBeLessThan(60_000 * 0.7);
  });
});

describe("the share of a turn", () => {
  const connectFour = createGame("connect-four");
  const random = createRandom("share");
  const turn = {
    random,
    budget: {},
    clock: () => 0,
    clocks: [10, 20].map((s) => ({ leftMs: s * 1000, incrementMs: 0 })),
  };
  const after = (count: number) => ({
    ...turn,
    played: () => ({ actions: Array.from({ length: count }, () => 3) }),
  });

  test("is of the clock of the player to move; there is none without clocks", () => {
    const state = connectFour.start();
    expect(shareOfTurn(connectFour, state, { random, budget: {}, clock: () => 0 })).toBeUndefined();
    const first = shareOfTurn(connectFour, state, turn)!;
    state.apply(3);
    expect(shareOfTurn(connectFour, state, turn)!.targetMs).toBeGreaterThan(first.targetMs * 1.9);
  });

  test("is larger where the rules allow few decisions more", () => {
    const state = connectFour.start();
    const at = (count: number) => shareOfTurn(connectFour, state, after(count))!.targetMs;
    expect(at(20)).toBeGreaterThan(at(0));
    expect(at(40)).toBeGreaterThan(2 * at(30));
    // Nobody knows how many chance events come.
    const pig = createGame("pig");
    expect(shareOfTurn(pig, pig.start(), after(0))).toEqual(shareOfTurn(pig, pig.start(), after(190)));
  });

  test("does not replace a limit of the budget's own, but keeps the flag from falling", () => {
    const state = connectFour.start();
    const share = shareOfTurn(connectFour, state, turn)!;
    for (const budget of [{ nodes: 5 }, { simulations: 5 }, { timeMs: 5 }])
      expect(shareOfTurn(connectFour, state, { ...turn, budget })).toEqual({ ...share, use: "limit" });
    expect(shareOfTurn(connectFour, state, { ...turn, budget: { depth: 5 } })).toEqual(share);
  });
});
