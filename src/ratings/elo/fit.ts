import { addInformation, expectedResult, logOdds, type Pairings } from "./pairings.ts";
import { factorise, solve } from "./cholesky.ts";

/**
 * Newton's method squares the decrement (the distance to the top in standard errors, squared) with every
 * step near the top: the step taken from here leaves an error far below a millionth of a standard error.
 */
const LAST_DECREMENT = 1e-9;
/** Below this the full step is sure to be right, while its gain may drown in the rounding of a large sum. */
const SURE_DECREMENT = 1e-4;
const MAX_STEPS = 200;

/**
 * The parameters of greatest penalised quasi-likelihood, which is concave: Newton's method with step halving. A half
 * point counts as half a win and half a loss, so at the top every entrant's expected score equals its score, up to
 * the prior: the usual Elo formula, and the model of Ordo (Ballicora).
 */
export function fit(pairings: Pairings): Float64Array {
  const { size } = pairings;
  const gradient = new Float64Array(size);
  const weights = new Float64Array(pairings.count);
  let parameters: Float64Array = new Float64Array(size);
  const evaluateHere = () => evaluate(pairings, parameters, { gradient, weights });
  let value = evaluateHere();
  for (let step = 0; step < MAX_STEPS; step++) {
    const direction = newtonStep(pairings, weights, gradient);
    const decrement = gradient.reduce((sum, slope, at) => sum + slope * direction[at], 0);
    const from = parameters;
    const along = (length: number) => from.map((parameter, at) => parameter + length * direction[at]);
    if (decrement < LAST_DECREMENT) return along(1);
    let length = 1;
    parameters = along(length);
    let next = evaluateHere();
    while (decrement > SURE_DECREMENT && !(next > value)) {
      length /= 2;
      parameters = along(length);
      next = evaluateHere();
    }
    value = next;
  }
  return parameters;
}

/** The gradient divided by the information. */
function newtonStep(pairings: Pairings, weights: Float64Array, gradient: Float64Array): Float64Array {
  const { size, count, prior } = pairings;
  const information = new Float64Array(size * size);
  for (let at = 0; at < size; at++) information[at * size + at] = prior;
  for (let pairing = 0; pairing < count; pairing++)
    addInformation(pairings, pairing, weights[pairing], information);
  const step = gradient.slice();
  factorise(information, size);
  solve(information, size, step);
  return step;
}

/** Penalised log quasi-likelihood; fills its gradient and the information (its negated Hessian) of each pairing. */
function evaluate(
  pairings: Pairings,
  parameters: Float64Array,
  { gradient, weights }: { gradient: Float64Array; weights: Float64Array },
): number {
  const { count, size, one, other, pairs, score, prior } = pairings;
  let value = 0;
  for (let at = 0; at < size; at++) {
    value -= (prior / 2) * parameters[at] ** 2;
    gradient[at] = 0 - prior * parameters[at];
  }
  for (let pairing = 0; pairing < count; pairing++) {
    const odds = logOdds(pairings, pairing, parameters);
    const expected = expectedResult(odds);
    // score log(expected) + (pairs - score) log(1 - expected), without overflow.
    value +=
      score[pairing] * odds - pairs[pairing] * (Math.max(odds, 0) + Math.log1p(Math.exp(0 - Math.abs(odds))));
    const missing = score[pairing] - pairs[pairing] * expected;
    gradient[one[pairing]] += missing;
    gradient[other[pairing]] -= missing;
    weights[pairing] = pairs[pairing] * expected * (1 - expected);
  }
  return value;
}
