import type { Tally } from "./tally.ts";

/** The groups of entrants that the results connect. */
export interface Groups {
  /** Groups of entrants that games connect, directly or through others. */
  readonly connected: readonly (readonly number[])[];
  /**
   * Groups of entrants whose rating differences the results bound on both sides: each scored against each other one,
   * directly or through others (Ford 1957). Stronger groups come first.
   */
  readonly bounded: readonly (readonly number[])[];
  /** True for each entrant that beat all others in all its games. */
  readonly wonAll: readonly boolean[];
  /** True for each entrant that lost to all others in all its games. */
  readonly lostAll: readonly boolean[];
}

export function findGroups({ entrantCount: count, entrants: comparisons }: Tally): Groups {
  const { count: pairCount, one, other, games, score } = comparisons.pairs();
  const scored: number[][] = Array.from({ length: count }, () => []);
  const hasConceded = new Uint8Array(count);
  const addScore = (winner: number, loser: number): void => {
    scored[winner].push(loser);
    hasConceded[loser] = 1;
  };
  const met = Int32Array.from({ length: count }, (_, entrant) => entrant);
  for (let pair = 0; pair < pairCount; pair++) {
    join(met, one[pair], other[pair]);
    if (score[pair] > 0) addScore(one[pair], other[pair]);
    if (score[pair] < games[pair]) addScore(other[pair], one[pair]);
  }
  const entrants = Array.from({ length: count }, (_, entrant) => entrant);
  const { classOf, reach } = components(scored);
  return {
    connected: classes(entrants, (entrant) => rootOf(met, entrant)),
    // A stronger group reaches all that a weaker one reaches, and more.
    bounded: classes(entrants, (entrant) => classOf[entrant]).toSorted(
      (a, b) => reach[classOf[b[0]]] - reach[classOf[a[0]]] || a[0] - b[0],
    ),
    wonAll: entrants.map((entrant) => scored[entrant].length > 0 && hasConceded[entrant] === 0),
    lostAll: entrants.map((entrant) => scored[entrant].length === 0 && hasConceded[entrant] === 1),
  };
}

/** Entrants with the same key in groups, ascending, the groups by their first members. */
function classes(entrants: readonly number[], keyOf: (entrant: number) => number): number[][] {
  const found = new Map<number, number[]>();
  for (const entrant of entrants) {
    const home = found.get(keyOf(entrant));
    if (home === undefined) found.set(keyOf(entrant), [entrant]);
    else home.push(entrant);
  }
  return [...found.values()];
}

/** The one member that stands for the group of `entrant`; `parents` leads there, at first from each to itself. */
export function rootOf(parents: Int32Array, entrant: number): number {
  let at = entrant;
  while (parents[at] !== at) at = parents[at] = parents[parents[at]];
  return at;
}

function join(parents: Int32Array, one: number, other: number): void {
  parents[rootOf(parents, one)] = rootOf(parents, other);
}

/**
 * The strongly connected components of a graph (Tarjan 1972): entrants that reach each other. A component is numbered
 * after all that it reaches; `reach` has the number of entrants that each reaches, its own included.
 */
function components(next: readonly (readonly number[])[]): { classOf: Int32Array; reach: number[] } {
  const count = next.length;
  const classOf = new Int32Array(count).fill(-1);
  const order = new Int32Array(count).fill(-1);
  const lowest = new Int32Array(count);
  const branch = new Int32Array(count);
  const open: number[] = [];
  const path: number[] = [];
  const reached: Int32Array[] = [];
  const reach: number[] = [];
  let visited = 0;
  const enter = (entrant: number): void => {
    order[entrant] = lowest[entrant] = visited++;
    open.push(entrant);
    path.push(entrant);
  };
  const close = (root: number): void => {
    const members = open.splice(open.lastIndexOf(root));
    for (const member of members) classOf[member] = reach.length;
    const bits = reachOf(members, { next, classOf, reached });
    reached.push(bits);
    reach.push(sizeOf(bits));
  };
  for (let start = 0; start < count; start++) {
    if (order[start] < 0) enter(start);
    while (path.length > 0) {
      const entrant = path.at(-1)!;
      const other = next[entrant][branch[entrant]++];
      if (other === undefined) {
        path.pop();
        if (lowest[entrant] === order[entrant]) close(entrant);
        const before = path.at(-1);
        if (before !== undefined) lowest[before] = Math.min(lowest[before], lowest[entrant]);
      } else if (order[other] < 0) enter(other);
      else if (classOf[other] < 0) lowest[entrant] = Math.min(lowest[entrant], order[other]);
    }
  }
  return { classOf, reach };
}

/** The entrants that the members of a component reach, themselves included, one bit for each. */
function reachOf(
  members: readonly number[],
  graph: { next: readonly (readonly number[])[]; classOf: Int32Array; reached: readonly Int32Array[] },
): Int32Array {
  const { next, classOf, reached } = graph;
  const bits = new Int32Array((next.length + 31) >>> 5);
  const below = new Set<number>();
  for (const member of members) {
    bits[member >>> 5] |= 1 << (member & 31);
    for (const other of next[member]) below.add(classOf[other]);
  }
  below.delete(classOf[members[0]]);
  for (const other of below)
    for (let word = 0; word < bits.length; word++) bits[word] |= reached[other][word];
  return bits;
}

function sizeOf(bits: Int32Array): number {
  let size = 0;
  for (const word of bits) for (let rest = word; rest !== 0; rest &= rest - 1) size++;
  return size;
}
