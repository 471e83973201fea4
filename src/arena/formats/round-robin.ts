import { singleRound, type FormatPlan } from "./format.ts";
import { InputError } from "../../base/errors.ts";
import { createRandom, type Random } from "../../base/random.ts";
import { unknownName } from "../../base/text.ts";

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

/**
 * The format that rates the checkpoints of a training. The first `size` entrants are the pool and meet each other; every
 * later entrant meets each of the pool. With more than two players a pairing has two entrants: the first has one seat, the
 * second has all others. In a game of one player everybody plays alone.
 */
export const pool = singleRound({
  count(plan) {
    const { entrants, players } = plan;
    const size = sizeOf(plan);
    return players === 1 ? entrants.length : binomial(size, 2) + (entrants.length - size) * size;
  },
  *pairings(plan) {
    const { entrants, players } = plan;
    const size = sizeOf(plan);
    for (let one = 0; one < entrants.length; one++) {
      if (players === 1) {
        yield [one];
        continue;
      }
      for (let other = one < size ? one + 1 : 0; other < size; other++)
        yield [one, ...Array.from({ length: players - 1 }, () => other)];
    }
  },
});

function sizeOf({ format }: FormatPlan): number {
  return Number(format["size"]);
}

/**
 * A sample of the pairings of a round robin: `pairings` of them, or all if there are fewer. Each is drawn from the
 * entrants that have the fewest pairings so far, so all entrants have equally many, give or take one. If more than half
 * of all sets are wanted, the sets to leave out are drawn this way. The draw depends on the seed, the number of
 * entrants and their order.
 */
export const sample = singleRound({ count: countPairings, pairings: drawPairings });

function countPairings(plan: FormatPlan): number {
  const { entrants, players } = plan;
  if (players === 1) throw new InputError("everybody plays alone in a game of one player: leave it out");
  const least = Math.ceil(entrants.length / players);
  if (wantedOf(plan) < least)
    throw new InputError(`must be at least ${least}, so that all ${entrants.length} entrants play`);
  return Math.min(wantedOf(plan), binomial(entrants.length, players));
}

function wantedOf({ format }: FormatPlan): number {
  return Number(format["pairings"]);
}

function* drawPairings(plan: FormatPlan): Generator<readonly number[]> {
  const { entrants, players, seed } = plan;
  const count = entrants.length;
  const wanted = wantedOf(plan);
  const all = binomial(count, players);
  // The name of the stream is older than the word pairing, and part of what determines a tournament.
  const random = createRandom(seed, "line-ups", count, players);
  if (wanted <= all / 2) {
    yield* drawSets(count, players, { wanted, random });
    return;
  }
  const omitted = new Set(
    Array.from(drawSets(count, players, { wanted: Math.max(0, all - wanted), random }), String),
  );
  for (const set of combinations(count, players)) if (!omitted.has(String(set))) yield set;
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
    // If the least used entrants give only sets that were drawn before, the others get a chance, more with each try.
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
 * Each of some named entrants, the challengers, meets every set of `players - 1` of the others, the field. Challengers do
 * not meet each other, nor does the field. The pairings are some of a round robin's, and their games have the same ids.
 */
export const gauntlet = singleRound({
  count(plan) {
    const { challengers, field } = gauntletSides(plan);
    return challengers.length * binomial(field.length, plan.players - 1);
  },
  *pairings(plan) {
    const { challengers, field } = gauntletSides(plan);
    for (const challenger of challengers)
      for (const set of combinations(field.length, plan.players - 1))
        yield [challenger, ...set.map((at) => field[at]!)].toSorted((a, b) => a - b);
  },
});

/** The challengers, as the config lists them, and the others; throws InputError. */
export function gauntletSides({ format, entrants, players }: FormatPlan): {
  readonly challengers: readonly number[];
  readonly field: readonly number[];
} {
  const names = entrants.map(({ name }) => name);
  const wanted = format["challengers"] as readonly string[];
  const challengers = wanted.map((name) => names.indexOf(name));
  const field = [...names.keys()].filter((entrant) => !challengers.includes(entrant));
  for (const [at, name] of wanted.entries()) {
    if (challengers[at]! < 0) throw wrong(unknownName("entrant", name, names), `challengers[${at}]`);
    if (wanted.indexOf(name) < at) throw wrong(`"${name}" is named twice`, `challengers[${at}]`);
  }
  if (players === 1)
    throw wrong("everybody plays alone in a game of one player: take the format round-robin", "");
  if (field.length < players - 1)
    throw wrong(`leaves ${field.length} for the field; games of ${players} need at least ${players - 1}`);
  return { challengers, field };
}

function wrong(message: string, path = "challengers"): InputError {
  return new InputError([{ path, message }]);
}
