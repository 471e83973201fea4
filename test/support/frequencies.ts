import { expect } from "vitest";

/** The largest bound of a test, as a share of what is expected: a chance that is a tenth off is seen. */
const MOST = 0.06;

/**
 * Expects that each outcome came as often as its chance says, within 4 standard errors; the chances are equal unless they
 * are given. A sample that is too small to see a chance that is a tenth off is refused. Seeds are fixed, so a test that
 * passes once always does.
 */
export function expectFrequencies(
  counts: readonly number[],
  chances: readonly number[] = counts.map(() => 1 / counts.length),
): void {
  const all = counts.reduce((sum, count) => sum + count, 0);
  for (const [at, chance] of chances.entries()) {
    const expected = all * chance;
    const bound = 4 * Math.sqrt(expected * (1 - chance));
    if (bound > MOST * expected)
      throw new Error(
        `${all} draws are too few for a chance of ${chance}: ${Math.ceil((16 * (1 - chance)) / (chance * MOST ** 2))}`,
      );
    expect(Math.abs(counts[at]! - expected), `${counts.join(", ")}, at ${at}`).toBeLessThan(bound);
  }
}
