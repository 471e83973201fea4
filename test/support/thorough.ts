import process from "node:process";
import { test } from "vitest";

/*
 * `npm test` runs what is quick, and samples of the long checks. `npm run test:all` runs all of them in full; it sets
 * AGON_ALL.
 */
const runsAll = process.env["AGON_ALL"] === "1";

/** The size of a check: `full` in `npm run test:all`, `quick` in `npm test`. */
export function thorough<T>(full: T, quick: T): T {
  return runsAll ? full : quick;
}

/** Tests that take long, as a function that defines them: in `npm run test:all` alone. */
export const slow = <Test>(define: Test): Test => (runsAll ? define : (test.skip as Test));

export const slowTest = slow(test);

/** All cases in `npm run test:all`; the first of every `step` cases in `npm test`. */
export function everyFew<T>(cases: readonly T[], step: number): T[] {
  return cases.filter((_, at) => runsAll || at % step === 0);
}
