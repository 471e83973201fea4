/** Distinct rolls of two dice; roll r shows LARGE[r] and SMALL[r], ascending: 1-1, 2-1, 2-2, 3-1, ... 6-6. */
export const ROLLS = 21;

const rolls = [1, 2, 3, 4, 5, 6].flatMap((large) =>
  Array.from({ length: large }, (_, index) => ({ large, small: index + 1 })),
);

export const LARGE = Int32Array.from(rolls, ({ large }) => large);
export const SMALL = Int32Array.from(rolls, ({ small }) => small);

/** The roll that two dice make, in either order. */
export function rollOf(first: number, second: number): number {
  const large = Math.max(first, second);
  return (large * (large - 1)) / 2 + Math.min(first, second) - 1;
}

/** 1/36 for doubles, 1/18 for the others. */
export const ROLL_PROBABILITIES = Float64Array.from(rolls, ({ large, small }) =>
  large === small ? 1 / 36 : 1 / 18,
);

/**
 * The opening: each player throws one die, equal dice are thrown again, and the higher one starts
 * with both. Outcome player * ROLLS + roll, for the 15 unequal rolls of each player, all as likely.
 */
export const OPENING_OUTCOMES = Int32Array.from(
  [0, 1].flatMap((player) =>
    rolls.flatMap(({ large, small }) => (large === small ? [] : [player * ROLLS + rollOf(large, small)])),
  ),
);
