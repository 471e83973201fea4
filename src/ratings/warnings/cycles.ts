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
  const addIfCycle = (a: number, b: number, c: number) => {
    const [ab, bc, ca] = [a * count + b, b * count + c, c * count + a];
    if (beats[ab] && beats[bc] && beats[ca])
      found.push({ cycle: [a, b, c], weakest: Math.min(z[ab], z[bc], z[ca]) });
  };
  for (let a = 0; a < count; a++) {
    for (let b = a + 1; b < count; b++) {
      if (!beats[a * count + b] && !beats[b * count + a]) continue;
      for (let c = b + 1; c < count; c++) {
        addIfCycle(a, b, c);
        addIfCycle(a, c, b);
      }
    }
  }
  return found.toSorted((one, other) => other.weakest - one.weakest).map(({ cycle }) => cycle);
}
