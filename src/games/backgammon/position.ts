import { zobristTable } from "../../base/hashing.ts";

/** Distinct rolls of two dice; roll r shows LARGE[r] and SMALL[r], ascending: 1-1, 2-1, 2-2, 3-1, ... 6-6. */
export const ROLLS = 21;

const rolls = [1, 2, 3, 4, 5, 6].flatMap((large) =>
  Array.from({ length: large }, (_, index) => ({ large, small: index + 1 })),
);

export const LARGE = Int32Array.from(rolls, ({ large }) => large);
export const SMALL = Int32Array.from(rolls, ({ small }) => small);

/** The roll that two dice make, in either order. */
export function rollOf(first: number, second: number): number {
  const large = Math.max(first, second);
  return (large * (large - 1)) / 2 + Math.min(first, second) - 1;
}

/** 1/36 for doubles, 1/18 for the others. */
export const ROLL_PROBABILITIES = Float64Array.from(rolls, ({ large, small }) =>
  large === small ? 1 / 36 : 1 / 18,
);

/**
 * The outcomes of the opening: player * ROLLS + roll, for the 15 unequal rolls of each player, all equally likely. Each
 * player throws one die, equal dice again, and the player with the higher die starts with both dice.
 */
export const OPENING_OUTCOMES = Int32Array.from(
  [0, 1].flatMap((player) =>
    rolls.flatMap(({ large, small }) => (large === small ? [] : [player * ROLLS + rollOf(large, small)])),
  ),
);

/** Men a side. */
export const MEN = 15;
/** A player's places: OFF, the points 1 to 24 as that player counts, and the BAR. Men move down to lower places. */
export const OFF = 0;
export const BAR = 25;
export const PLACES = 26;
/** The home board is points 1 to HOME. */
export const HOME = 6;

/** `Position.roll` without dice on the table. */
export const NO_ROLL = -1;

/** At 16 * (player * PLACES + place) + n: the key of the n-th man on a place. */
const KEYS_LOW = zobristTable("backgammon/low", 2 * PLACES * 16);
const KEYS_HIGH = zobristTable("backgammon/high", 2 * PLACES * 16);

/** Place and number of the men at the start, the same for both players. */
const START = new Map([
  [6, 5],
  [8, 3],
  [13, 5],
  [24, 2],
]);

/** The men, the player on roll and the dice. Point p of one player is point 25 - p of the other. */
export class Position {
  hashLow = 0;
  hashHigh = 0;
  /** The player who plays `roll`, or is about to throw it. */
  onRoll = 0;
  /** The dice on the table, or NO_ROLL. */
  roll = NO_ROLL;
  /** Men of player p on place q at p * PLACES + q. */
  readonly men = new Int8Array(2 * PLACES);
  /** Each player's places with at least one man, bit q for place q. */
  readonly occupied = new Int32Array(2);
  /** Each player's places with at least two men, bit q for the place that the *other* calls q. */
  readonly made = new Int32Array(2);
  /** Each player's places with exactly one man, bit q for the place that the *other* calls q. */
  readonly blots = new Int32Array(2);

  /** Puts one more man of `player` on a place. */
  drop(player: number, place: number): void {
    const at = player * PLACES + place;
    const men = ++this.men[at];
    this.hashLow ^= KEYS_LOW[(at << 4) + men];
    this.hashHigh ^= KEYS_HIGH[(at << 4) + men];
    if (men > 2) return;
    const seen = 1 << (25 - place);
    this.blots[player] ^= seen;
    if (men === 1) this.occupied[player] |= 1 << place;
    else this.made[player] |= seen;
  }

  /** Takes one man of `player` from a place. */
  lift(player: number, place: number): void {
    const at = player * PLACES + place;
    const men = --this.men[at];
    this.hashLow ^= KEYS_LOW[(at << 4) + men + 1];
    this.hashHigh ^= KEYS_HIGH[(at << 4) + men + 1];
    if (men > 1) return;
    const seen = 1 << (25 - place);
    this.blots[player] ^= seen;
    if (men === 0) this.occupied[player] ^= 1 << place;
    else this.made[player] ^= seen;
  }

  /** Moves a man of `player` by one die, hitting a blot; returns 1 for a hit, else 0. */
  step(player: number, from: number, die: number): number {
    const to = from > die ? from - die : OFF;
    this.lift(player, from);
    this.drop(player, to);
    if (to === OFF || ((this.blots[1 - player] >>> to) & 1) === 0) return 0;
    this.lift(1 - player, 25 - to);
    this.drop(1 - player, BAR);
    return 1;
  }

  /** Takes `step` back by the value that it returned. */
  unstep(player: number, from: number, die: number, hit: number): void {
    const to = from > die ? from - die : OFF;
    if (hit !== 0) {
      this.lift(1 - player, BAR);
      this.drop(1 - player, 25 - to);
    }
    this.lift(player, to);
    this.drop(player, from);
  }

  /** Puts all men on their places for the start; only on an empty position. */
  setUp(): void {
    for (const [point, men] of START) {
      for (let man = 0; man < men; man++) {
        this.drop(0, point);
        this.drop(1, point);
      }
    }
  }

  copyMen(other: Position): void {
    this.hashLow = other.hashLow;
    this.hashHigh = other.hashHigh;
    this.men.set(other.men);
    this.occupied.set(other.occupied);
    this.made.set(other.made);
    this.blots.set(other.blots);
  }

  /** The place farthest from home where `player` has a man. */
  rearmost(player: number): number {
    return 31 - Math.clz32(this.occupied[player]);
  }

  /** True if no man can be hit any more: each side has passed the other. */
  isRace(): boolean {
    return this.rearmost(0) + this.rearmost(1) < 25;
  }

  /** Pips that `player` still has to move; a man on the bar counts 25. */
  pips(player: number): number {
    const base = player * PLACES;
    let pips = 0;
    for (let place = 1; place <= BAR; place++) pips += place * this.men[base + place];
    return pips;
  }
}
