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

export function findGroups({ entrantCount: count, entrants: { games, score } }: Tally): Groups {
  const met = new Relation(count);
  const scored = new Relation(count);
  const hasScored = new Uint8Array(count);
  const hasConceded = new Uint8Array(count);
  const addScore = (one: number, other: number): void => {
    scored.add(one, other);
    hasScored[one] = 1;
    hasConceded[other] = 1;
  };
  for (let one = 0; one < count; one++) {
    // So that an entrant above a group whose members all reach each other reaches more than they do.
    scored.add(one, one);
    for (let other = one + 1; other < count; other++) {
      const pair = one * count + other;
      if (games[pair] === 0) continue;
      met.add(one, other);
      met.add(other, one);
      if (score[pair] > 0) addScore(one, other);
      if (score[pair] < games[pair]) addScore(other, one);
    }
  }
  const entrants = Array.from({ length: count }, (_, entrant) => entrant);
  const wonAll = entrants.map((entrant) => hasScored[entrant] === 1 && hasConceded[entrant] === 0);
  const lostAll = entrants.map((entrant) => hasScored[entrant] === 0 && hasConceded[entrant] === 1);

  met.close();
  scored.close();
  const bounded = classes(entrants, (one, other) => scored.has(one, other) && scored.has(other, one));
  return {
    connected: classes(entrants, (one, other) => met.has(one, other)),
    // A stronger group reaches all that a weaker one reaches, and more.
    bounded: bounded.toSorted((a, b) => scored.size(b[0]) - scored.size(a[0]) || a[0] - b[0]),
    wonAll,
    lostAll,
  };
}

/** A relation between entrants, one bit for each pair. */
class Relation {
  private readonly count: number;
  private readonly words: number;
  private readonly bits: Int32Array;

  constructor(count: number) {
    this.count = count;
    this.words = (count + 31) >>> 5;
    this.bits = new Int32Array(count * this.words);
  }

  add(one: number, other: number): void {
    this.bits[one * this.words + (other >>> 5)] |= 1 << (other & 31);
  }

  has(one: number, other: number): boolean {
    return (this.bits[one * this.words + (other >>> 5)] & (1 << (other & 31))) !== 0;
  }

  /** The number of entrants that `one` is related to. */
  size(one: number): number {
    let size = 0;
    for (let other = 0; other < this.count; other++) if (this.has(one, other)) size++;
    return size;
  }

  /** Closes the relation under transitivity (Warshall 1962). */
  close(): void {
    const { count, words, bits } = this;
    for (let through = 0; through < count; through++) {
      for (let one = 0; one < count; one++) {
        if (!this.has(one, through)) continue;
        for (let word = 0; word < words; word++) bits[one * words + word] |= bits[through * words + word];
      }
    }
  }
}

function classes(entrants: readonly number[], related: (one: number, other: number) => boolean): number[][] {
  const found: number[][] = [];
  for (const entrant of entrants) {
    const home = found.find((members) => related(members[0], entrant));
    if (home === undefined) found.push([entrant]);
    else home.push(entrant);
  }
  return found;
}
