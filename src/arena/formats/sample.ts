import { InputError } from "../../base/errors.ts";
import { createRandom, type Random } from "../../base/random.ts";
import { singleRound, type FormatPlan } from "./format.ts";
import { binomial, combinations } from "./round-robin.ts";

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
