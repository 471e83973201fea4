import { finish, step } from "../../base/hashing.ts";
import type { SourceGame } from "../record.ts";

/** A match in which whole games repeat. */
export interface RepeatedMatch {
  /** The entrants, ascending. */
  readonly entrants: readonly number[];
  readonly games: number;
  /** Games that are the same, move for move, as an earlier one. */
  readonly repeats: number;
}

/** Repeats below this share of a match do not change its interval visibly. */
const MIN_SHARE = 0.05;
const COMMA = 44;
const MOST_ENTRANTS = 2 ** 26;

/**
 * Finds matches whose games repeat: the players are deterministic, and there are too few openings. If all games with the
 * same seats and opening are equal, they count as one game. If some differ, the players vary, and equal games are fair
 * samples. The games come in any order.
 */
export class Repeats {
  /** By key of the entrants. */
  private readonly numbers = new Map<number | string, number>();
  private readonly matches: Match[] = [];
  private readonly starts = new Starts();

  /** Adds a game; one whose moves are not known repeats none. */
  add({ seats, line, openingLength = 0 }: SourceGame): void {
    if (line === undefined) return;
    const number = this.numberOf(seats);
    this.matches[number].games++;
    this.starts.add({ seats, match: number, line, openingLength });
  }

  /** The matches with repeats. */
  found(): RepeatedMatch[] {
    this.starts.forEachEqual((match, games) => (this.matches[match].repeats += games - 1));
    return this.matches
      .filter(({ games, repeats }) => repeats > 0 && repeats >= MIN_SHARE * games)
      .toSorted((a, b) => compareLists(a.entrants, b.entrants));
  }

  /** The number of the match, whatever the order of the seats. */
  private numberOf(seats: readonly number[]): number {
    const [one, other] = seats;
    const key =
      seats.length === 2
        ? Math.min(one, other) * MOST_ENTRANTS + Math.max(one, other)
        : seats.toSorted((a, b) => a - b).join();
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    const entrants = seats.toSorted((a, b) => a - b);
    this.numbers.set(key, this.matches.length);
    return this.matches.push({ entrants, games: 0, repeats: 0 }) - 1;
  }
}

interface Match extends RepeatedMatch {
  games: number;
  repeats: number;
}

/** The words of a start in the table: its hash, the hash of its first line, the number of its match, its games. */
const WORDS = 5;
const LINE = 2;
const MATCH = 3;
/** The table grows by this factor when more than this part of it is taken. */
const GROWTH = 1.5;
const MOST_FULL = 0.75;
/** Negative if some of the games differ; 0 in a free place. */
const GAMES = 4;

interface GameStart {
  readonly seats: readonly number[];
  readonly match: number;
  readonly line: string;
  readonly openingLength: number;
}

/**
 * An open hash table of the starts of games: seats with an opening. It takes 27 to 40 bytes for each: a
 * start is known by a hash of 64 bits, the rest of its first line by one of 32.
 */
class Starts {
  private table = new Int32Array(1024 * WORDS);
  private count = 0;

  add({ seats, match, line, openingLength }: GameStart): void {
    let low = openingLength;
    let high = ~openingLength;
    for (const entrant of seats) {
      low = step(low, entrant);
      high = step(high, ~entrant);
    }
    let at = 0;
    for (let left = openingLength; at < line.length; at++) {
      const code = line.charCodeAt(at);
      if (code === COMMA) left--;
      // The comma after an opening is no part of it: the opening may be the whole line.
      if (left <= 0) break;
      low = step(low, code);
      high = step(high, ~code);
    }
    const place = this.placeOf(finish(low), finish(high));
    for (; at < line.length; at++) low = step(low, line.charCodeAt(at));
    const { table } = this;
    if (table[place + GAMES] === 0) {
      table[place + LINE] = low;
      table[place + MATCH] = match;
      table[place + GAMES] = 1;
      if (++this.count * WORDS > MOST_FULL * table.length) this.grow();
    } else {
      const isVaried = table[place + GAMES] < 0 || table[place + LINE] !== low;
      table[place + GAMES] = isVaried ? -1 : table[place + GAMES] + 1;
    }
  }

  /** Calls `visit` with the match and the number of games of each start whose games are equal. */
  forEachEqual(visit: (match: number, games: number) => void): void {
    const { table } = this;
    for (let place = 0; place < table.length; place += WORDS)
      if (table[place + GAMES] > 0) visit(table[place + MATCH], table[place + GAMES]);
  }

  /** The place of the start with this hash: its own, or a free one, which gets the hash. */
  private placeOf(low: number, high: number): number {
    const { table } = this;
    const places = table.length / WORDS;
    for (let at = (low >>> 0) % places; ; at = (at + 1) % places) {
      const place = at * WORDS;
      if (table[place + GAMES] !== 0 && (table[place] !== low || table[place + 1] !== high)) continue;
      table[place] = low;
      table[place + 1] = high;
      return place;
    }
  }

  private grow(): void {
    const before = this.table;
    this.table = new Int32Array(WORDS * Math.ceil((GROWTH * before.length) / WORDS));
    for (let from = 0; from < before.length; from += WORDS) {
      if (before[from + GAMES] === 0) continue;
      this.table.set(before.subarray(from, from + WORDS), this.placeOf(before[from], before[from + 1]));
    }
  }
}

function compareLists(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : a[at] - b[at];
}
