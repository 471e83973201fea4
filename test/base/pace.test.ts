import { expect, test } from "vitest";
import { formatPace, Pace } from "../../src/base/pace.ts";

test("a pace is that of the last half minute, however often it is noted", () => {
  const pace = new Pace();
  expect([pace.perSecond, pace.secondsFor(5), pace.secondsFor(0)]).toEqual([0, Infinity, 0]);
  pace.note(10, 0);
  expect(pace.secondsFor(5)).toBe(Infinity);
  // 100 a second for a minute, then 10.
  for (let at = 10; at <= 60_000; at += 10) pace.note(10 + at / 10, at);
  expect(pace.perSecond).toBeCloseTo(100, 6);
  expect(pace.secondsFor(50)).toBeCloseTo(0.5, 6);
  for (let at = 60_010; at <= 75_000; at += 10) pace.note(6010 + (at - 60_000) / 100, at);
  expect(pace.perSecond).toBeGreaterThan(50);
  expect(pace.perSecond).toBeLessThan(60);
  for (let at = 75_010; at <= 95_000; at += 10) pace.note(6010 + (at - 60_000) / 100, at);
  expect(pace.perSecond).toBeCloseTo(10, 6);
});

test("a pace sinks while nothing is done, and begins anew with the work", () => {
  const pace = new Pace();
  pace.note(0, 0);
  pace.note(100, 1000);
  pace.note(100, 10_000);
  expect(pace.perSecond).toBe(10);
  pace.note(20, 11_000);
  expect(pace.perSecond).toBe(0);
  pace.note(40, 12_000);
  expect(pace.perSecond).toBe(20);
});

test("a pace has two digits, or all before the point", () => {
  expect([0, 0.0123, 7.25, 99.9, 130.4, 12_345.6].map(formatPace)).toEqual([
    "0",
    "0.012",
    "7.3",
    "100",
    "130",
    "12346",
  ]);
});
