import { describe, expect, test } from "vitest";
import { Charge } from "../../../src/arena/play/charge.ts";

const here = { choose: () => ({ action: 0, nodes: 0, line: [] }) };
const hosted = (ranMs: number, waitedMs: number) => ({ ...here, effort: () => ({ ranMs, waitedMs }) });

describe("a decision is charged", () => {
  test("all the time that passes, where waits are charged", () => {
    let now = 5;
    const charge = new Charge(() => now);
    charge.begin();
    now = 25;
    expect([charge.clock(), charge.spentMs(here), charge.spentMs(hosted(1, 9))]).toEqual([25, 20, 20]);
  });

  test("without the time that its thread waited, which its clock leaves out too", () => {
    let [now, waited] = [100, 40];
    const charge = new Charge(
      () => now,
      () => waited,
    );
    charge.begin();
    const begun = charge.clock();
    [now, waited] = [150, 70];
    expect([charge.clock() - begun, charge.spentMs(here)]).toEqual([20, 20]);
  });

  test("without what processes waited, but not less than they ran, and not more than all", () => {
    let [now, waited] = [0, 0];
    const charge = new Charge(
      () => now,
      () => waited,
    );
    charge.begin();
    [now, waited] = [100, 10];
    expect(charge.spentMs(hosted(5, 0))).toBe(90);
    expect(charge.spentMs(hosted(5, 60))).toBe(30);
    // Two of its threads wait for each other, and the processor is never free.
    expect(charge.spentMs(hosted(80, 60))).toBe(80);
    expect(charge.spentMs(hosted(300, 60))).toBe(90);
    expect(charge.spentMs(hosted(0, 200))).toBe(0);
  });

  test("a wait between the looks at both clocks does not count twice", () => {
    let [now, waited, looks] = [0, 0, 0];
    const interrupted = () => {
      // The thread waits 50 ms just before its third look at the wall clock.
      if (++looks === 3) [now, waited] = [now + 50, waited + 50];
      return now;
    };
    const charge = new Charge(interrupted, () => waited);
    charge.begin();
    now += 20;
    expect(charge.spentMs(here)).toBe(20);
    now += 20;
    expect(charge.spentMs(here)).toBe(40);
    expect(charge.spentMs(here)).toBe(40);
  });

  test("the clock never goes back, and looks at waits once a millisecond", () => {
    let [now, waited, looks] = [0, 0, 0];
    const charge = new Charge(
      () => now,
      () => (looks++, waited),
    );
    charge.begin();
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
