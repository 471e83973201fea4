import { unknownName } from "../../base/text.ts";
import { InputError } from "../../base/errors.ts";

/** The Elo of one natural unit of log strength: odds of 10 to 1 are 400 Elo. */
export const ELO_SCALE: number = 400 / Math.LN10;

/** The Elo of an expected score, 0 to 1: minus infinity for 0, infinity for 1. */
export function eloOfScore(score: number): number {
  return ELO_SCALE * Math.log(score / (1 - score));
}

/** The Elo of an end of an interval of expected scores; null where the interval is open, at 0 and 1. */
export function finiteElo(score: number): number | null {
  return score <= 0 || score >= 1 ? null : eloOfScore(score);
}

/** A value with its 95% interval, in Elo. */
export interface EloInterval {
  readonly elo: number;
  readonly low: number;
  readonly high: number;
}

/** The 97.5% quantile of the normal distribution: half the width of a 95% interval, in standard deviations. */
export const Z95 = 1.959963984540054;

/** The probability that a standard normal variable is below `z` (Marsaglia 2004, "Evaluating the normal distribution"). */
export function normalBelow(z: number): number {
  if (Math.abs(z) > 8) return z > 0 ? 1 : 0;
  let sum = z;
  let term = z;
  for (let odd = 3; Math.abs(term) > 1e-17 * Math.abs(sum); odd += 2) {
    term *= (z * z) / odd;
    sum += term;
  }
  return 0.5 + (sum * Math.exp(-(z * z) / 2)) / Math.sqrt(2 * Math.PI);
}

/** An entrant whose rating is fixed. */
export interface Anchor {
  readonly entrant: number;
  /** From -MOST_ANCHOR_ELO to MOST_ANCHOR_ELO. */
  readonly elo: number;
}

/** The highest rating that an entrant can be fixed at, far beyond any player's: differences of one Elo are exact there. */
export const MOST_ANCHOR_ELO = 100_000;

/** Reads `NAME=ELO`; throws InputError. */
export function parseAnchor(text: string, entrants: readonly string[]): Anchor {
  const equals = text.lastIndexOf("=");
  const name = text.slice(0, equals);
  const elo = Number(text.slice(equals + 1));
  if (equals < 1 || text.slice(equals + 1).trim() === "" || !Number.isFinite(elo)) {
    throw new InputError(`"${text}" is no anchor; write NAME=ELO, such as random=0`);
  }
  if (Math.abs(elo) > MOST_ANCHOR_ELO)
    throw new InputError(
      `"${text}": the Elo of an anchor must be from -${MOST_ANCHOR_ELO} to ${MOST_ANCHOR_ELO}`,
    );
  const entrant = entrants.indexOf(name);
  if (entrant < 0) throw new InputError(unknownName("entrant", name, entrants));
  return { entrant, elo };
}
