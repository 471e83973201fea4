import { logOdds, type Pairings } from "./pairings.ts";

/** Minus the log of the probability that a 95% bound leaves on its side: 2.5%. */
const LOG_LIKELIHOOD_DROP: number = -Math.log(0.025);
/** The number of halvings of a range of 120: precise to a millionth of an Elo point. */
const HALVINGS = 36;
/** The largest log strength: beyond it nothing changes any more. */
const FARTHEST = 60;

/**
 * The bound for an entrant that won (or lost) everything: the log strength at which this would happen with probability
 * 2.5%, the others as fitted. The likelihood has no maximum there, so a standard error means nothing. A block counts as
 * one result with the mean log probability of its pairs, because its games may depend on each other.
 */
export function strengthBound(
  pairings: Pairings,
  values: Float64Array,
  { entrant, won, blocks }: { entrant: number; won: boolean; blocks: number },
): number {
  const { count, one, other, pairs } = pairings;
  const own: { readonly pairing: number; readonly sign: number }[] = [];
  let total = 0;
  for (let pairing = 0; pairing < count; pairing++) {
    if (one[pairing] !== entrant && other[pairing] !== entrant) continue;
    own.push({ pairing, sign: (one[pairing] === entrant) === won ? 1 : -1 });
    total += pairs[pairing];
  }
  const moved = values.slice();
  // The results have a probability of more than 2.5% at `near`, and less at `far`.
  let near = won ? FARTHEST : -FARTHEST;
  let far = -near;
  for (let step = 0; step < HALVINGS; step++) {
    moved[entrant] = (near + far) / 2;
    let surprise = 0;
    for (const { pairing, sign } of own)
      surprise += pairs[pairing] * minusLogExpected(sign * logOdds(pairings, pairing, moved));
    if ((blocks / total) * surprise < LOG_LIKELIHOOD_DROP) near = moved[entrant];
    else far = moved[entrant];
  }
  return near;
}

function minusLogExpected(odds: number): number {
  return Math.max(0 - odds, 0) + Math.log1p(Math.exp(0 - Math.abs(odds)));
}
