import type { Random } from "../../base/random.ts";

/** Draws from the standard Gumbel distribution; finite, as the argument lies strictly between 0 and 1. */
export function drawGumbel(random: Random): number {
  return 0 - Math.log(0 - Math.log(random.float() + 2 ** -33));
}

/** The parameter of the noise times the number of actions (AlphaZero: 0.3 in chess, 0.03 in go). */
const CONCENTRATION = 10;

/** Replaces a share of the priors from `first` to `end` by Dirichlet noise, whose parameter is 10 / number of them. */
export function mixDirichlet(
  prior: Float32Array,
  { first, end, share }: { first: number; end: number; share: number },
  random: Random,
): void {
  const drawn = Float64Array.from({ length: end - first }, () =>
    drawGamma(CONCENTRATION / (end - first), random),
  );
  const sum = drawn.reduce((total, one) => total + one, 0);
  // With very many actions all of them may be rounded to 0.
  if (sum === 0) return;
  for (const [at, one] of drawn.entries()) prior[first + at] += share * (one / sum - prior[first + at]);
}

/** Draws from the gamma distribution of a shape, scale 1 (Marsaglia and Tsang 2000). */
function drawGamma(shape: number, random: Random): number {
  if (shape < 1) return drawGamma(shape + 1, random) * (1 - random.float()) ** (1 / shape);
  const third = shape - 1 / 3;
  for (;;) {
    const normal = drawNormal(random);
    const root = 1 + normal / Math.sqrt(9 * third);
    if (root <= 0) continue;
    const cube = root ** 3;
    if (Math.log(1 - random.float()) < normal ** 2 / 2 + third * (1 - cube + Math.log(cube)))
      return third * cube;
  }
}

/** Draws from the standard normal distribution (Box and Muller 1958). */
function drawNormal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.float())) * Math.cos(2 * Math.PI * random.float());
}
