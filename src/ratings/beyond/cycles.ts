import type { HeadToHead } from "../counts/head-to-head.ts";
import { normalBelow } from "../elo/scale.ts";

/** Three entrants: each beat the next one, and the last beat the first. */
export interface Cycle {
  readonly entrants: readonly [number, number, number];
  /** The least distance of the three scores from a half, in standard errors over blocks. */
  readonly z: number;
  /** True if chance makes such a cycle in at most one of 100 tournaments of equal entrants. */
  readonly isSure: boolean;
}

/** The largest probability that one result of a sure cycle is chance. */
const MAX_CHANCE = 0.025;
/** The largest expected number of sure cycles if all entrants are equal. */
const FALSE_CYCLES = 0.01;

/**
 * The cycle of three whose weakest result is the most significant. Three independent results have to go one way round or
 * the other, so in a sure cycle each is tested at the cube root of its share.
 */
export function strongestCycle({ count, z }: Pick<HeadToHead, "count" | "z">): Cycle | undefined {
  let best: { entrants: Cycle["entrants"]; z: number } | undefined;
  for (let a = 0; a < count; a++) {
    for (let b = a + 1; b < count; b++) {
      const first = z[a * count + b];
      if (Math.abs(first) <= (best?.z ?? 0)) continue;
      const sign = Math.sign(first);
      for (let c = b + 1; c < count; c++) {
        const weakest = Math.min(sign * first, sign * z[b * count + c], sign * z[c * count + a]);
        if (weakest > (best?.z ?? 0)) best = { entrants: sign > 0 ? [a, b, c] : [a, c, b], z: weakest };
      }
    }
  }
  if (best === undefined) return undefined;
  const triples = (count * (count - 1) * (count - 2)) / 6;
  const level = Math.min(MAX_CHANCE, Math.cbrt(FALSE_CYCLES / (2 * triples)));
  return { ...best, isSure: normalBelow(0 - best.z) <= level };
}
