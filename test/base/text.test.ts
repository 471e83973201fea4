import { expect, test } from "vitest";
import { counted, formatLikelihood, formatPercent, formatSeconds } from "../../src/base/text.ts";

test("one thing has no s", () => {
  expect([0, 1, 2].map((count) => counted(count, "game"))).toEqual(["0 games", "1 game", "2 games"]);
});

test("a share is a percentage, and a likelihood is never certain", () => {
  expect([0, 0.1234, 1].map(formatPercent)).toEqual(["0.0", "12.3", "100.0"]);
  expect([0, 0.0004, 0.0005, 0.5, 0.9995, 0.9996, 1].map(formatLikelihood)).toEqual([
    "<0.1",
    "<0.1",
    "0.1",
    "50.0",
    ">99.9",
    ">99.9",
    ">99.9",
  ]);
});

test("seconds are rounded up, and told in the two largest units", () => {
  const told = [0, 0.2, 59, 59.1, 60, 61, 3599, 3600, 3661, 7500, Infinity, NaN].map(formatSeconds);
  expect(told).toEqual([
    "0 s",
    "1 s",
    "59 s",
    "1 min 0 s",
    "1 min 0 s",
    "1 min 1 s",
    "59 min 59 s",
    "1 h 0 min",
    "1 h 1 min",
    "2 h 5 min",
    "?",
    "?",
  ]);
});
