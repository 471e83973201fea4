import { createRandom, type Random } from "../../base/random.ts";
import type { TournamentPlan } from "../plan/plan.ts";

/** What of a plan says who meets whom. */
export type LineUpPlan = Pick<TournamentPlan, "players" | "pool" | "lineUps" | "seed"> & {
  readonly entrants: { readonly length: number };
};

/**
 * Who meets whom: the entrants of each match, as many as the game has players.
 *
 * - Usually all sets of that many entrants: a round robin.
 * - With `lineUps`, a sample of these sets, see `drawLineUps`.
 * - With a `pool`, its entrants (the first ones of the plan) meet each other, and every later entrant meets each of
 *   the pool: how checkpoints of a training are measured. With more than two players a match is between two
 *   entrants: the first has one seat, the second has all others.
 * - In a game of one player everybody plays alone.
 */
export function* lineUps(plan: LineUpPlan): Generator<readonly number[]> {
  const { entrants, players, pool } = plan;
  if (pool === undefined || players === 1) {
    if (isSample(plan)) yield* drawLineUps(plan);
    else yield* combinations(entrants.length, players);
    return;
  }
  for (let one = 0; one < entrants.length; one++) {
    const from = one < pool ? one + 1 : 0;
    for (let other = from; other < pool; other++)
      yield [one, ...Array.from({ length: players - 1 }, () => other)];
  }
}

/** How many line-ups there are. They are counted, not made. */
export function countLineUps(plan: LineUpPlan): number {
  const { entrants, players, pool, lineUps: wanted } = plan;
  if (pool === undefined || players === 1)
    return isSample(plan) ? wanted! : binomial(entrants.length, players);
  return binomial(pool, 2) + (entrants.length - pool) * pool;
}

function isSample({ entrants, players, lineUps: wanted }: LineUpPlan): boolean {
  return wanted !== undefined && wanted < binomial(entrants.length, players);
}

/**
 * A sample of `lineUps` different sets of entrants. Each is drawn from those who have the fewest line-ups so far, so
 * all entrants have equally many, give or take one. Where more than half of all sets are wanted, those that are left
 * out are drawn so. The draw depends on the seed, the number of entrants and their order.
 */
function* drawLineUps({
  entrants,
  players,
  lineUps: wanted,
  seed,
}: LineUpPlan): Generator<readonly number[]> {
  const count = entrants.length;
  const all = binomial(count, players);
  const random = createRandom(seed, "line-ups", count, players);
  if (wanted! <= all / 2) {
    yield* drawSets(count, players, { wanted: wanted!, random });
    return;
  }
  const left = new Set([...drawSets(count, players, { wanted: all - wanted!, random })].map(String));
  for (const lineUp of combinations(count, players)) if (!left.has(String(lineUp))) yield lineUp;
}

function* drawSets(
  count: number,
  size: number,
  { wanted, random }: { wanted: number; random: Random },
): Generator<readonly number[]> {
  const drawn = new Set<string>();
  const uses = new Int32Array(count);
  const keys = new Float64Array(count);
  while (drawn.size < wanted) {
    // Where the least used give only sets that were drawn already, others get a chance as well, more with each try.
    for (let noise = 1; ; noise += 0.05) {
      for (let entrant = 0; entrant < count; entrant++)
        keys[entrant] = uses[entrant] + noise * random.float();
      const set = leastOf(keys, size);
      const name = String(set);
      if (drawn.has(name)) continue;
      drawn.add(name);
      for (const entrant of set) uses[entrant]++;
      yield set;
      break;
    }
  }
}

/** The indexes of the `count` least keys, ascending; the keys are used up. */
function leastOf(keys: Float64Array, count: number): number[] {
  const found: number[] = [];
  while (found.length < count) {
    let least = 0;
    for (let at = 1; at < keys.length; at++) if (keys[at] < keys[least]) least = at;
    keys[least] = Infinity;
    found.push(least);
  }
  return found.toSorted((a, b) => a - b);
}

/**
 * Every set of `size` of the numbers below `count`, each ascending, in lexicographic order.
 * @internal tests look at them.
 */
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

/** How many sets of `size` of `count` things there are (as floating point, so at most 1.8e308). */
function binomial(count: number, size: number): number {
  let sets = 1;
  for (let at = 1; at <= size; at++) sets = (sets * (count - size + at)) / at;
  return Math.max(0, Math.round(sets));
}
