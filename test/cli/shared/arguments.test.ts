import { describe, expect, test } from "vitest";
import { parseCount, parseWorkers } from "../../../src/cli/shared/arguments.ts";

describe("numbers of options", () => {
  test("1 to 256 workers", () => {
    for (const workers of [1, 2, 255, 256]) expect(parseWorkers(workers)).toBe(workers);
    for (const workers of [-1, 0, 257, 1.5, Number.NaN])
      expect(() => parseWorkers(workers)).toThrow(
        `--workers must be a whole number from 1 to 256, got ${workers}`,
      );
  });

  test("counts are whole and at least 1", () => {
    for (const count of [1, 7]) expect(parseCount("games", count)).toBe(count);
    for (const count of [0, -2, 0.5, Number.NaN])
      expect(() => parseCount("games", count)).toThrow(
        `--games must be a whole number of at least 1, got ${count}`,
      );
    expect(() => parseCount("games", 1e99)).toThrow(
      "--games must be a whole number of at least 1 and at most 9007199254740991, got 1e+99",
    );
  });
});
