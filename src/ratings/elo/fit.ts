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
  const information = new Float64Array(size * size);
  let parameters: Float64Array = new Float64Array(size);
  const evaluateHere = () => evaluate(pairings, parameters, { gradient, information });
  let value = evaluateHere();
  for (let step = 0; step < MAX_STEPS; step++) {
    const direction = gradient.slice();
    factorise(information, size);
    solve(information, size, direction);
    const decrement = dot(gradient, direction);
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

/** Penalised log quasi-likelihood; fills its gradient and the information (its negated Hessian). */
function evaluate(
  pairings: Pairings,
  parameters: Float64Array,
  { gradient, information }: { gradient: Float64Array; information: Float64Array },
): number {
  const { count, size, one, other, pairs, score, prior } = pairings;
  information.fill(0);
  let value = 0;
  for (let at = 0; at < size; at++) {
    value -= (prior / 2) * parameters[at] ** 2;
    gradient[at] = 0 - prior * parameters[at];
    information[at * size + at] = prior;
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
    addInformation(pairings, pairing, pairs[pairing] * expected * (1 - expected), information);
  }
  return value;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += a[at] * b[at];
  return sum;
}
