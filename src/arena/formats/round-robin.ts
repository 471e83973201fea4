import { singleRound } from "./format.ts";

/** Every set of as many entrants as the game has players meets. In a game of one player everybody plays alone. */
export const roundRobin = singleRound({
  count: ({ entrants, players }) => binomial(entrants.length, players),
  pairings: ({ entrants, players }) => combinations(entrants.length, players),
});

/** Every set of `size` of the numbers below `count`, each ascending, in lexicographic order. */
export function* combinations(count: number, size: number): Generator<readonly number[]> {
  if (size > count) return;
  const set = Array.from({ length: size }, (_, at) => at);
  for (;;) {
    yield [...set];
    let at = size - 1;
    while (at >= 0 && set[at] === count - size + at) at--;
    if (at < 0) return;
    set[at]++;
    for (let later = at + 1; later < size; later++) set[later] = set[later - 1] + 1;
  }
}

/** The number of sets of `size` out of `count` things, as floating point: at most 1.8e308. */
export function binomial(count: number, size: number): number {
  let sets = 1;
  for (let at = 1; at <= size; at++) sets = (sets * (count - size + at)) / at;
  return Math.max(0, Math.round(sets));
}
