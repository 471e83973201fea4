import { describe, expect, test } from "vitest";
import { Charge } from "../../../src/arena/play/charge.ts";

const agent = { choose: () => ({ action: 0, nodes: 0, line: [] }) };
/** An agent of a library's caller: it may sleep. */
const here = { agent };
const hosted = (ranMs: number, waitedMs: number) => ({
  agent: { ...agent, effort: () => ({ ranMs, waitedMs }) },
});

/** Clocks that stand where they are set. */
class Clocks {
  now = 0;
  waited = 0;
  ran = 0;
  readonly charge = new Charge(() => this.now, { waitedMs: () => this.waited, ranMs: () => this.ran });

  /** The charge of a decision in which so much time passes, is waited, and is run by this process. */
  charged(decider: Parameters<Charge["begin"]>[0], now: number, waited: number, ran = 0): number {
    this.charge.begin(decider);
    this.now += now;
    this.waited += waited;
    this.ran += ran;
    return this.charge.spentMs();
  }
}

describe("a decision is charged", () => {
  test("all the time that passes, where waits are charged", () => {
    let now = 5;
    const charge = new Charge(() => now);
    for (const decider of [here, hosted(1, 9), { agent, isBuiltIn: true }]) {
      charge.begin(decider);
      now += 20;
      expect([charge.clock(), charge.spentMs()]).toEqual([now, 20]);
    }
  });

  test("without the time that its thread waited, which its clock leaves out too", () => {
    const clocks = new Clocks();
    const begun = clocks.charge.clock();
    expect(clocks.charged(here, 50, 30)).toBe(20);
    expect(clocks.charge.clock() - begun).toBe(20);
    expect(clocks.charged(here, 70, 0)).toBe(70);
    expect(clocks.charge.clock() - begun).toBe(90);
  });

  test("of an agent of agon's own, which never sleeps, at most the processor time", () => {
    const clocks = new Clocks();
    const own = { agent, isBuiltIn: true };
    const begun = clocks.charge.clock();
    expect(clocks.charged(own, 50, 10, 15)).toBe(15);
    expect(clocks.charge.clock() - begun).toBe(15);
    expect(clocks.charged(own, 50, 10, 90)).toBe(40);
    expect(clocks.charged(here, 50, 10, 15)).toBe(40);
  });

  test("without what processes waited, but not less than they ran, and not more than all", () => {
    const clocks = new Clocks();
    expect(clocks.charged(hosted(5, 0), 100, 10)).toBe(90);
    expect(clocks.charged(hosted(5, 60), 100, 10)).toBe(30);
    // Two of its threads wait for each other, and the processor is never free.
    expect(clocks.charged(hosted(80, 60), 100, 10)).toBe(80);
    expect(clocks.charged(hosted(300, 60), 100, 10)).toBe(90);
    expect(clocks.charged(hosted(0, 200), 100, 10)).toBe(0);
  });

  test("a wait between the looks at both clocks does not count twice", () => {
    for (let at = 1; at <= 8; at++) {
      let [now, waited, looks] = [0, 0, 0];
      // The thread waits 50 ms just before a look at its waits.
      const waitedMs = () => {
        if (++looks === at) [now, waited] = [now + 50, waited + 50];
        return waited;
      };
      const charge = new Charge(() => now, { waitedMs, ranMs: () => 0 });
      charge.begin(here);
      now += 20;
      expect(charge.spentMs()).toBe(20);
      now += 20;
      expect(charge.spentMs()).toBe(40);
    }
  });

  test("the clock never goes back, and looks at waits once a millisecond", () => {
    let [now, waited, looks] = [0, 0, 0];
    const charge = new Charge(() => now, { waitedMs: () => (looks++, waited), ranMs: () => 0 });
    charge.begin(here);
    let before = charge.clock();
    looks = 0;
    for (let step = 0; step < 1000; step++) {
      now += 0.1;
      if (step % 3 === 0) waited += 0.2;
      const shown = charge.clock();
      expect(shown).toBeGreaterThanOrEqual(before);
      before = shown;
    }
    expect(looks).toBeLessThan(2 * 101);
    // It runs ahead by what was waited since the last look.
    expect(before - (now - waited)).toBeLessThanOrEqual(1);
  });
});
