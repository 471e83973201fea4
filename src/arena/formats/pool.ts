import { singleRound, type FormatPlan } from "./format.ts";
import { binomial } from "./round-robin.ts";

/**
 * The format that rates the checkpoints of a training. The first `size` entrants are the pool and meet each other; every
 * later entrant meets each of the pool. With more than two players a pairing has two entrants: the first has one seat, the
 * second has all others. In a game of one player everybody plays alone.
 */
export const pool = singleRound({
  count(plan) {
    const { entrants, players } = plan;
    const size = sizeOf(plan);
    return players === 1 ? entrants.length : binomial(size, 2) + (entrants.length - size) * size;
  },
  *pairings(plan) {
    const { entrants, players } = plan;
    const size = sizeOf(plan);
    for (let one = 0; one < entrants.length; one++) {
      if (players === 1) {
        yield [one];
        continue;
      }
      for (let other = one < size ? one + 1 : 0; other < size; other++)
        yield [one, ...Array.from({ length: players - 1 }, () => other)];
    }
  },
});

function sizeOf({ format }: FormatPlan): number {
  return Number(format["size"]);
}
