import type { Random } from "../../../src/base/random.ts";
import type { GameRecord } from "../../../src/ratings/record.ts";
import { pairs } from "../records.ts";

/** Blocks of two games in which `one` wins a game with a chance. */
export function coinBlocks(
  one: number,
  other: number,
  of: { count: number; chance: number; random: Random },
): GameRecord[] {
  const result = () => (of.random.float() < of.chance ? 1 : -1);
  return pairs(
    one,
    other,
    Array.from({ length: of.count }, () => [result(), result()] as const),
  );
}

/** Rock, paper and scissors that win three games of five. */
export const circle = (random: Random, count: number): GameRecord[] => [
  ...coinBlocks(0, 1, { count, chance: 0.6, random }),
  ...coinBlocks(1, 2, { count, chance: 0.6, random }),
  ...coinBlocks(2, 0, { count, chance: 0.6, random }),
];
