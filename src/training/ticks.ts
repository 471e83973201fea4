/** Ticks of an axis: multiples of 1, 2 or 5 times a power of ten, ascending. */
export interface Ticks {
  readonly values: readonly number[];
  /** One for each value, with the same unit (k, M) and the same digits after the point. */
  readonly labels: readonly string[];
}

/**
 * About `count` round ticks (a third to the double) that have `low` to `high`, finite numbers, between the
 * first and the last of them. Where the two are (nearly) equal, ticks around them.
 */
export function roundTicks(low: number, high: number, count: number): Ticks {
  const size = Math.max(Math.abs(low), Math.abs(high));
  const margin = high - low > 1e-6 * Math.max(size, 1e-6) ? 0 : Math.max(size / 2, 1);
  const [least, most] = [low - margin, high + margin];
  const step = roundStep((most - least) / count);
  const first = Math.floor(least / step.size + 1e-9);
  const last = Math.ceil(most / step.size - 1e-9);
  const values = Array.from({ length: last - first + 1 }, (_, at) => step.times(first + at));
  return { values, labels: labelsOf(values, step.size) };
}

/** The smallest of 1, 2 and 5 times a power of ten that is at least `size`. */
function roundStep(size: number): { size: number; times: (count: number) => number } {
  const power = Math.floor(Math.log10(size));
  const lead = [1, 2, 5, 10].find((factor) => size <= factor * 10 ** power * (1 + 1e-9))!;
  // Negative powers of ten are not exact, their reciprocals are.
  const times = (count: number) =>
    power < 0 ? (count * lead) / 10 ** (0 - power) : count * lead * 10 ** power;
  return { size: times(1), times };
}

function labelsOf(values: readonly number[], step: number): string[] {
  const largest = Math.max(...values.map(Math.abs));
  const [unit, name] = largest >= 1e6 ? [1e6, "M"] : largest >= 1e4 ? [1e3, "k"] : [1, ""];
  const digits = Math.min(20, Math.max(0, 0 - Math.floor(Math.log10(step / unit) + 1e-9)));
  return values.map((value) => (value === 0 ? "0" : `${(value / unit).toFixed(digits)}${name}`));
}
