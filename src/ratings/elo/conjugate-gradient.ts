import type { Pairings } from "./pairings.ts";

/** The residual at which a solution is exact for all that a rating shows, as a share of the right side. */
const RESIDUAL = 1e-12;
/** Steps for each unknown. Rounding makes some more than one necessary where the graph of games hangs by a thread. */
const STEPS_EACH = 10;

/**
 * Solves information x = right without making the matrix: conjugate gradients (Hestenes and Stiefel 1952), with the
 * diagonal as preconditioner. `weights` has the information of each pairing. A step takes time in proportion to the number of
 * pairings, and few steps are needed where entrants have many opponents.
 */
export function solveByGradients(
  pairings: Pairings,
  weights: Float64Array,
  right: Float64Array,
): Float64Array {
  const { size } = pairings;
  const diagonal = new Float64Array(size).fill(pairings.prior);
  for (let pairing = 0; pairing < pairings.count; pairing++) {
    diagonal[pairings.one[pairing]] += weights[pairing];
    diagonal[pairings.other[pairing]] += weights[pairing];
  }
  const solution = new Float64Array(size);
  const residual = right.slice();
  const scaled = residual.map((value, at) => value / diagonal[at]);
  const direction = scaled.slice();
  const image = new Float64Array(size);
  let product = dot(residual, scaled);
  const least = RESIDUAL ** 2 * product;
  for (let step = 0; step < STEPS_EACH * size && product > least; step++) {
    multiply(pairings, weights, direction, image);
    const length = product / dot(direction, image);
    for (let at = 0; at < size; at++) {
      solution[at] += length * direction[at];
      residual[at] -= length * image[at];
      scaled[at] = residual[at] / diagonal[at];
    }
    const next = dot(residual, scaled);
    for (let at = 0; at < size; at++) direction[at] = scaled[at] + (next / product) * direction[at];
    product = next;
  }
  return solution;
}

/** The weighted Laplacian of the pairings, with the prior on its diagonal, times a vector. */
export function multiply(
  { one, other, count, prior }: Pick<Pairings, "one" | "other" | "count" | "prior">,
  weights: Float64Array,
  vector: Float64Array,
  into: Float64Array,
): void {
  for (let at = 0; at < vector.length; at++) into[at] = prior * vector[at];
  for (let pairing = 0; pairing < count; pairing++) {
    const flow = weights[pairing] * (vector[one[pairing]] - vector[other[pairing]]);
    into[one[pairing]] += flow;
    into[other[pairing]] -= flow;
  }
}

export function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += a[at] * b[at];
  return sum;
}
