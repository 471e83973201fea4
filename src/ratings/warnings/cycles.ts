import type { HeadToHead } from "../counts/head-to-head.ts";
import { normalBelow } from "../elo/scale.ts";

/** Three entrants: each beat the next one, and the last beat the first. */
export type Cycle = readonly [number, number, number];

/** The largest probability that one result of a cycle is chance. */
const MAX_CHANCE = 0.025;
/** The largest expected number of reported cycles if all entrants are equal. */
const FALSE_CYCLES = 0.01;

/**
 * The cycles in which all three results are significant, most significant first. Three independent
 * results have to go one way round or the other, so each is tested at the cube root of its share.
 */
export function findCycles({ count, z }: HeadToHead): Cycle[] {
  const triples = (count * (count - 1) * (count - 2)) / 6;
  const level = Math.min(MAX_CHANCE, Math.cbrt(FALSE_CYCLES / (2 * triples)));
  const beats = Array.from(z, (value) => normalBelow(-value) <= level);
  const found: { cycle: Cycle; weakest: number }[] = [];
  const weakest = ([a, b, c]: Cycle) => Math.min(z[a * count + b], z[b * count + c], z[c * count + a]);
  for (let a = 0; a < count; a++) {
    for (let b = a + 1; b < count; b++) {
      for (let c = b + 1; c < count; c++) {
        for (const cycle of [
          [a, b, c],
          [a, c, b],
        ] as const) {
          const [one, two, three] = cycle;
          if (!beats[one * count + two] || !beats[two * count + three] || !beats[three * count + one])
            continue;
          found.push({ cycle, weakest: weakest(cycle) });
        }
      }
    }
  }
  return found.toSorted((one, other) => other.weakest - one.weakest).map(({ cycle }) => cycle);
}
