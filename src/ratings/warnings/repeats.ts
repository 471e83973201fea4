import { finish, step } from "../../base/hashing.ts";
import type { CountedGame } from "../record.ts";

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

/**
 * Finds matches whose games repeat: the players are deterministic, and there are too few openings. If all games with the
 * same seats and opening are equal, they count as one game. If some differ, the players vary, and equal games are fair
 * samples. The games come in any order.
 */
export class Repeats {
  private readonly matches = new Map<string, Match>();
  /** The numbers of seats by their text. */
  private readonly numbers = new Map<string, number>();
  /** By number of the seats. */
  private readonly matchOf: Match[] = [];
  private readonly starts = new Starts();

  add({ seats, line, openingLength }: CountedGame): void {
    const number = this.numberOf(seats);
    this.matchOf[number].games++;
    this.starts.add(number, line, openingLength);
  }

  /** The matches with repeats. */
  found(): RepeatedMatch[] {
    this.starts.forEachEqual((number, games) => (this.matchOf[number].repeats += games - 1));
    return [...this.matches.values()]
      .filter(({ games, repeats }) => repeats > 0 && repeats >= MIN_SHARE * games)
      .toSorted((a, b) => compareLists(a.entrants, b.entrants));
  }

  private numberOf(seats: readonly number[]): number {
    const key = seats.join();
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    const entrants = seats.toSorted((a, b) => a - b);
    const name = entrants.join();
    const match = this.matches.get(name) ?? { entrants, games: 0, repeats: 0 };
    this.matches.set(name, match);
    this.numbers.set(key, this.matchOf.length);
    return this.matchOf.push(match) - 1;
  }
}

interface Match extends RepeatedMatch {
  games: number;
  repeats: number;
}

/** The words of a start in the table: its hash, the hash of its first line, the number of its seats, its games. */
const WORDS = 6;
const LINE = 2;
const SEATS = 4;
/** The table grows when more of it is taken. */
const MOST_FULL = 0.75;
/** Negative if some of the games differ; 0 in a free place. */
const GAMES = 5;

/**
 * An open hash table of the starts of games: seats with an opening. It takes 32 to 64 bytes for each, since texts are
 * compared by hashes of 64 bits.
 */
class Starts {
  private table = new Int32Array(1024 * WORDS);
  private count = 0;

  /** Counts a game: the number of its seats, its actions as text, the number of those that are the opening. */
  add(seats: number, line: string, openingLength: number): void {
    let low = step(seats, openingLength);
    let high = step(~seats, openingLength);
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
    for (; at < line.length; at++) {
      const code = line.charCodeAt(at);
      low = step(low, code);
      high = step(high, ~code);
    }
    const { table } = this;
    if (table[place + GAMES] === 0) {
      table[place + LINE] = low;
      table[place + LINE + 1] = high;
      table[place + SEATS] = seats;
      table[place + GAMES] = 1;
      if (++this.count * WORDS > MOST_FULL * table.length) this.grow();
    } else {
      const isVaried =
        table[place + GAMES] < 0 || table[place + LINE] !== low || table[place + LINE + 1] !== high;
      table[place + GAMES] = isVaried ? -1 : table[place + GAMES] + 1;
    }
  }

  /** Calls `visit` with the seats and the number of games of each start whose games are equal. */
  forEachEqual(visit: (seats: number, games: number) => void): void {
    const { table } = this;
    for (let place = 0; place < table.length; place += WORDS)
      if (table[place + GAMES] > 0) visit(table[place + SEATS], table[place + GAMES]);
  }

  /** The place of the start with this hash: its own, or a free one, which gets the hash. */
  private placeOf(low: number, high: number): number {
    const { table } = this;
    const places = table.length / WORDS;
    for (let at = low & (places - 1); ; at = (at + 1) & (places - 1)) {
      const place = at * WORDS;
      if (table[place + GAMES] !== 0 && (table[place] !== low || table[place + 1] !== high)) continue;
      table[place] = low;
      table[place + 1] = high;
      return place;
    }
  }

  private grow(): void {
    const before = this.table;
    this.table = new Int32Array(2 * before.length);
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
