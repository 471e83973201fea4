import process from "node:process";
import { test } from "vitest";

/*
 * `npm test` runs every kind of check, the long ones on fewer samples. `npm run test:all` runs them in full; it sets
 * AGON_ALL.
 */
const runsAll = process.env["AGON_ALL"] === "1";

/** The size of a check: `full` in `npm run test:all`, `quick` in `npm test`. */
export function thorough<T>(full: T, quick: T): T {
  return runsAll ? full : quick;
}

/** A test that takes seconds, of a kind that `npm test` has another of: in `npm run test:all` alone. */
export const slowTest = test.runIf(runsAll);

/** All cases in `npm run test:all`; the first of every `step` cases in `npm test`. */
export function everyFew<T>(cases: readonly T[], step: number): T[] {
  return cases.filter((_, at) => runsAll || at % step === 0);
}
