/** A mean with its 95% interval, which needs three values at least. */
export interface MeanInterval {
  readonly mean: number;
  /** Half the width of the interval, or undefined. */
  readonly margin: number | undefined;
}

/** The fewest values that an interval is calculated from. */
const FEWEST = 3;

/** The mean of a sample of normal values, at least one, with the interval of Student's t. */
export function meanInterval(values: readonly number[]): MeanInterval {
  const count = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  if (count < FEWEST) return { mean, margin: undefined };
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, margin: studentQuantile(count - 1) * Math.sqrt(squares / (count - 1) / count) };
}

/**
 * The 97.5% quantile of Student's t distribution with so many degrees of freedom, a whole number from 1.
 * @internal tests compare it with published tables
 */
export function studentQuantile(degrees: number): number {
  let [low, high] = [1, 13];
  while (high - low > 1e-12 * high) {
    const middle = (low + high) / 2;
    if (withinProbability(middle, degrees) < 0.95) low = middle;
    else high = middle;
  }
  return high;
}

/** P(|T| < t), by the finite sums of Abramowitz and Stegun (1964), 26.7.3 and 26.7.4. */
function withinProbability(t: number, degrees: number): number {
  const angle = Math.atan(t / Math.sqrt(degrees));
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  const isOdd = degrees % 2 === 1;
  let term = isOdd ? cosine : 1;
  let sum = degrees === 1 ? 0 : term;
  for (let power = isOdd ? 3 : 2; power <= degrees - 2; power += 2) {
    term *= ((power - 1) / power) * cosine ** 2;
    sum += term;
  }
  return isOdd ? (2 / Math.PI) * (angle + sine * sum) : sine * sum;
}
