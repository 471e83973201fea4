import { largestMatching } from "./matching.ts";

/** True if two entrants have met. */
type HaveMet = (one: number, other: number) => boolean;

/** Options of `divideRanking`. */
interface Division {
  /** Entrants of a group. */
  readonly size: number;
  readonly haveMet: HaveMet;
  /** The most entrants that any entrant has met. */
  readonly mostMet: number;
}

/** The most entrants that a search for groups that have not met puts into a group. */
const MAX_STEPS = 20_000;

/**
 * Divides a ranking, best first, into groups of equals: the first entrant meets the nearest ones below it that it has not
 * met, then the first of those who are left, and so on. In groups of two, as few pairs as possible meet again. In larger
 * ones nobody does if MAX_STEPS find such groups. Otherwise groups are made as well as it goes, and then two entrants of
 * different groups change places as long as that leaves fewer pairs that have met. The length of the ranking must be a
 * multiple of `size`.
 */
export function divideRanking(ranking: readonly number[], division: Division): (readonly number[])[] {
  if (division.size === 2) return pairUp(ranking, division);
  return search(ranking, division) ?? exchange(gather(ranking, division), division);
}

/** The first of all pairings, in lexicographic order, in which the fewest pairs meet again. */
function pairUp(ranking: readonly number[], division: Division): (readonly number[])[] {
  const pairs: (readonly number[])[] = [];
  let allowed = leastRepeats(ranking, division);
  for (let left = ranking; left.length > 0;) {
    const [first, ...others] = left as readonly [number, ...number[]];
    for (const other of others) {
      const repeats = division.haveMet(first, other) ? 1 : 0;
      if (repeats > allowed) continue;
      const rest = others.filter((one) => one !== other);
      if (leastRepeats(rest, division) > allowed - repeats) continue;
      pairs.push([first, other]);
      allowed -= repeats;
      left = rest;
      break;
    }
  }
  return pairs;
}

/** The number of pairs that must meet again if these entrants are paired. */
function leastRepeats(entrants: readonly number[], { haveMet, mostMet }: Division): number {
  const count = entrants.length;
  // Each has not met at least half of the others, so all can be paired (Dirac 1952).
  if (count - 1 - mostMet >= count / 2) return 0;
  const partner = largestMatching(count, (one, other) => !haveMet(entrants[one]!, entrants[other]!));
  return partner.filter((other) => other === -1).length / 2;
}

/** The first groups, in lexicographic order, in which nobody has met; undefined if MAX_STEPS find none. */
function search(ranking: readonly number[], { size, haveMet }: Division): (readonly number[])[] | undefined {
  const groups: (readonly number[])[] = [];
  let steps = MAX_STEPS;
  const fill = (group: readonly number[], left: readonly number[], from: number): boolean => {
    if (group.length === size) {
      const rest = left.filter((one) => !group.includes(one));
      groups.push(group);
      if (rest.length === 0 || fill([rest[0]!], rest, 1)) return true;
      groups.pop();
      return false;
    }
    for (let at = from; at < left.length && steps > 0; at++) {
      const next = left[at]!;
      if (group.some((member) => haveMet(member, next))) continue;
      steps--;
      if (fill([...group, next], left, at + 1)) return true;
    }
    return false;
  };
  return fill([ranking[0]!], ranking, 1) ? groups : undefined;
}

/** Groups in the order of the ranking. Each takes the nearest entrant of those who have met the fewest in it. */
function gather(ranking: readonly number[], { size, haveMet }: Division): number[][] {
  const groups: number[][] = [];
  let left = [...ranking];
  while (left.length > 0) {
    const group: number[] = [];
    while (group.length < size) {
      const next = fewest(left, (one) => timesMet(one, group, haveMet));
      group.push(next);
      left = left.filter((one) => one !== next);
    }
    groups.push(group);
  }
  return groups;
}

/** The first entrant with the least number. */
function fewest(entrants: readonly number[], numberOf: (entrant: number) => number): number {
  let best = entrants[0]!;
  let least = Infinity;
  for (const entrant of entrants) {
    const number = numberOf(entrant);
    if (number < least) [best, least] = [entrant, number];
    if (least === 0) break;
  }
  return best;
}

/** The number of entrants of a group that an entrant has met; it may be one of them. */
function timesMet(entrant: number, group: readonly number[], haveMet: HaveMet): number {
  return group.reduce((times, member) => times + (member !== entrant && haveMet(entrant, member) ? 1 : 0), 0);
}

/** Exchanges entrants of different groups as long as that leaves fewer pairs that have met; changes the groups. */
function exchange(groups: number[][], { size, haveMet }: Division): number[][] {
  const isBetter = (one: readonly number[], other: readonly number[], at: readonly [number, number]) => {
    const [mine, theirs] = [one[at[0]]!, other[at[1]]!];
    const before = timesMet(mine, one, haveMet) + timesMet(theirs, other, haveMet);
    if (before === 0) return false;
    const after =
      timesMet(theirs, one.toSpliced(at[0], 1), haveMet) + timesMet(mine, other.toSpliced(at[1], 1), haveMet);
    return after < before;
  };
  for (let changes = true; changes;) {
    changes = false;
    for (let at = 0; at < groups.length; at++) {
      for (let next = at + 1; next < groups.length; next++) {
        const [one, other] = [groups[at]!, groups[next]!];
        for (let place = size - 1; place >= 0; place--) {
          for (let there = 0; there < size; there++) {
            if (!isBetter(one, other, [place, there])) continue;
            [one[place], other[there]] = [other[there]!, one[place]!];
            changes = true;
          }
        }
      }
    }
  }
  return groups;
}
