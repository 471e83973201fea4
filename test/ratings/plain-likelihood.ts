import type { GameRecord } from "../../src/ratings/record.ts";

/**
 * The Davidson-Luce likelihood written down as its definition says, one game after the other and without
 * regard to speed: the independent way that the fit is checked against.
 */
export interface Strengths {
  /** Log strength by entrant, log advantage by seat, log delta by tie size (0 and 1 unused). */
  readonly entrants: readonly number[];
  readonly seats: readonly number[];
  readonly ties: readonly number[];
}

export function logLikelihood(records: readonly GameRecord[], strengths: Strengths): number {
  return records.reduce((sum, game) => sum + logProbability(game, strengths), 0);
}

/** Log probability of one game's ranking. */
export function logProbability(
  { seats, returns }: Pick<GameRecord, "seats" | "returns">,
  { entrants, seats: advantages, ties }: Strengths,
): number {
  const alpha = seats.map((entrant, seat) => Math.exp(entrants[entrant]! + advantages[seat]!));
  const weight = (set: readonly number[]) =>
    (set.length === 1 ? 1 : Math.exp(ties[set.length] ?? -Infinity)) *
    set.reduce((product, seat) => product * alpha[seat]!, 1) ** (1 / set.length);
  let remaining = seats.map((_, seat) => seat);
  let sum = 0;
  while (remaining.length > 1) {
    const best = Math.max(...remaining.map((seat) => returns[seat]!));
    const chosen = remaining.filter((seat) => returns[seat] === best);
    const total = subsets(remaining).reduce((all, set) => all + weight(set), 0);
    sum += Math.log(weight(chosen) / total);
    remaining = remaining.filter((seat) => !chosen.includes(seat));
  }
  return sum;
}

/** All subsets but the empty one. */
function subsets(items: readonly number[]): number[][] {
  return items.reduce<number[][]>(
    (sets, item) => [...sets, [item], ...sets.map((set) => [...set, item])],
    [],
  );
}

/** Gradient ascent with numerical derivatives from zero, until nothing moves any more. */
export function climb(
  value: (point: readonly number[]) => number,
  start: readonly number[],
  rate: number,
): number[] {
  let point = [...start];
  for (let step = 0; step < 20_000; step++) {
    const slope = gradient(value, point);
    point = point.map((coordinate, at) => coordinate + rate * slope[at]!);
    if (Math.max(...slope.map(Math.abs)) < 1e-5) break;
  }
  return point;
}

export function gradient(value: (point: readonly number[]) => number, point: readonly number[]): number[] {
  const h = 1e-4;
  return point.map((_, at) => (value(moved(point, at, h)) - value(moved(point, at, -h))) / (2 * h));
}

function moved(point: readonly number[], at: number, by: number): number[] {
  return point.map((coordinate, index) => (index === at ? coordinate + by : coordinate));
}
