import type { TournamentPlan } from "../plan/plan.ts";

/**
 * Who meets whom: the entrants of each match, as many as the game has players.
 *
 * - Usually all sets of that many entrants: a round robin.
 * - With a `pool`, its entrants (the first ones of the plan) meet each other, and every later entrant meets each of
 *   the pool: how checkpoints of a training are measured. With more than two players a match is between two
 *   entrants: the first has one seat, the second has all others.
 * - In a game of one player everybody plays alone.
 */
export function lineUps({ entrants, players, pool }: TournamentPlan): number[][] {
  if (pool === undefined || players === 1) return combinations(entrants.length, players);
  const pairs = entrants.flatMap((_, one) =>
    one < pool
      ? range(one + 1, pool).map((other) => [one, other] as const)
      : range(0, pool).map((other) => [one, other] as const),
  );
  return pairs.map(([one, other]) => [one, ...Array.from({ length: players - 1 }, () => other)]);
}

function range(from: number, until: number): number[] {
  return Array.from({ length: until - from }, (_, at) => from + at);
}

/**
 * Every set of `size` of the numbers below `count`, each ascending, in lexicographic order.
 * @internal the simulated tournaments of the tests pair their entrants with it.
 */
export function combinations(count: number, size: number): number[][] {
  if (size === 0) return [[]];
  const all: number[][] = [];
  for (let last = size - 1; last < count; last++) {
    for (const rest of combinations(last, size - 1)) all.push([...rest, last]);
  }
  return all.toSorted((a, b) => {
    const at = a.findIndex((value, index) => value !== b[index]);
    return at < 0 ? 0 : a[at]! - b[at]!;
  });
}
