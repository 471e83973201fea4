import { lowestBit } from "../../base/hashing.ts";
import { BAR, HOME, LARGE, OFF, PLACES, SMALL, type Position } from "./position.ts";

/*
 * A turn is one action: the places from which the dice are played, five bits each, 0 for a die that
 * cannot be played.
 *
 *     unequal dice   from(larger die) << 5 | from(smaller die)
 *     equal dice     from << 15 | from << 10 | from << 5 | from, descending
 *     no play        0
 *
 * Every distinct resulting position has exactly one action. With equal dice the descending places
 * and the result determine each other: along p, p - d, p - 2d, ... the number of men that cross each
 * gap follows from the men before and after. With unequal dice, two actions give the same result in two cases only. One
 * man plays both dice over either of two points without a hit on them: then the action that plays the larger die first is
 * kept. Or both dice bear a man off from two places that either die could clear: then the larger die takes the higher one.
 */

/** The action when no die can be played. */
export const PASS = 0;

/**
 * The most turns of one roll. The result of a turn is the number of steps of each of 15 men. With equal dice
 * there are at most C(18, 4) ways to spread 4 steps over 15 men, with unequal dice 15 * 15.
 */
export const MAX_LEGAL_TURNS = 3060;

const ON_BAR = 1 << BAR;
const AT_HOME = (2 << HOME) - 2;
const OUTSIDE = (2 << BAR) - (2 << HOME);

/** Writes the distinct turns of the player on roll, ascending; returns their number, which is at least 1. */
export function writeTurns(position: Position, out: Int32Array, at: number): number {
  const roll = position.roll;
  return LARGE[roll] === SMALL[roll] ? equalDice.write(position, out, at) : writeUnequal(position, out, at);
}

/** The places from which `die` leads to a point that is not blocked; `sources` adds bearing off. */
function openPlaces(position: Position, die: number): number {
  const blocked = position.made[1 - position.onRoll];
  return ~(blocked << die) & ((2 << BAR) - (2 << die));
}

/** The places from which a player with men on `occupied` can play `die`; bit 0 of it is ignored. */
function sources(occupied: number, die: number, open: number): number {
  if ((occupied & ON_BAR) !== 0) return open & ON_BAR;
  const inside = occupied & open;
  if ((occupied & OUTSIDE) !== 0) return inside;
  const home = occupied & AT_HOME;
  const exact = home & (1 << die);
  if (exact !== 0 || home >>> die !== 0) return inside | exact;
  return home === 0 ? inside : inside | (1 << (31 - Math.clz32(home)));
}

/** The bit of the place where a man from `from` ends. */
function landing(from: number, die: number): number {
  return 1 << (from > die ? from - die : OFF);
}

/** For each place of the larger die, the places of the smaller die that go with it. */
const partners = new Int32Array(PLACES);

function writeUnequal(position: Position, out: Int32Array, at: number): number {
  const { men, onRoll, roll } = position;
  const base = onRoll * PLACES;
  const large = LARGE[roll];
  const small = SMALL[roll];
  const openLarge = openPlaces(position, large);
  const openSmall = openPlaces(position, small);
  const occupied = position.occupied[onRoll];
  const firstLarge = sources(occupied, large, openLarge);
  const firstSmall = sources(occupied, small, openSmall);

  let starts = firstLarge;
  let both = 0;
  for (let rest = firstLarge; rest !== 0; rest &= rest - 1) {
    const from = lowestBit(rest);
    const left = men[base + from] === 1 ? occupied ^ (1 << from) : occupied;
    const after = sources(left | landing(from, large), small, openSmall);
    partners[from] = after;
    both |= after;
  }
  // All turns that can begin with the larger die are known by now. The rest are of men that the smaller die frees.
  for (let rest = firstSmall; rest !== 0; rest &= rest - 1) {
    const from = lowestBit(rest);
    const left = men[base + from] === 1 ? occupied ^ (1 << from) : occupied;
    let freed = sources(left | landing(from, small), large, openLarge) & ~firstLarge;
    both |= freed;
    for (; freed !== 0; freed &= freed - 1) {
      const next = lowestBit(freed);
      if (((starts >>> next) & 1) === 0) partners[next] = 0;
      starts |= 1 << next;
      partners[next] |= 1 << from;
    }
  }
  if (both === 0) return writeSingle(position, out, at);

  const blots = position.blots[1 - onRoll];
  let end = at;
  for (let rest = starts; rest !== 0; rest &= rest - 1) {
    const from = lowestBit(rest);
    let others = partners[from];
    const start = from + small;
    if (
      has(others, start) &&
      has(starts, start) &&
      start > large &&
      has(partners[start], start - large) &&
      !has(blots, from) &&
      !has(blots, start - large)
    )
      others ^= 1 << start;
    for (let higher = from + 1; higher <= small; higher++) {
      if (has(others, higher) && has(starts, higher) && has(partners[higher], from)) others ^= 1 << higher;
    }
    for (; others !== 0; others &= others - 1) out[end++] = (from << 5) | lowestBit(others);
  }
  return end - at;
}

function has(bits: number, place: number): boolean {
  return ((bits >>> place) & 1) !== 0;
}

/** Writes the turns that play one die: by the rules, the larger one if either could be played. */
function writeSingle(position: Position, out: Int32Array, at: number): number {
  const { onRoll, roll } = position;
  const occupied = position.occupied[onRoll];
  const large = sources(occupied, LARGE[roll], openPlaces(position, LARGE[roll]));
  const shift = large === 0 ? 0 : 5;
  let rest = large === 0 ? sources(occupied, SMALL[roll], openPlaces(position, SMALL[roll])) : large;
  if (rest === 0) {
    out[at] = PASS;
    return 1;
  }
  let end = at;
  for (; rest !== 0; rest &= rest - 1) out[end++] = lowestBit(rest) << shift;
  return end - at;
}

/** Searches the turns of equal dice: as many steps as can be played, from places in descending order. */
class EqualDice {
  private men: Int8Array = new Int8Array(0);
  private base = 0;
  private die = 0;
  private open = 0;
  private out: Int32Array = new Int32Array(0);
  private end = 0;
  /** The number of low bits of an action that stay 0, for dice that cannot be played. */
  private shift = 0;

  write(position: Position, out: Int32Array, at: number): number {
    const { men, onRoll, roll } = position;
    this.men = men;
    this.base = onRoll * PLACES;
    this.die = LARGE[roll];
    this.open = openPlaces(position, this.die);
    this.out = out;
    this.end = at;
    for (let dice = 4; dice > 0; dice--) {
      this.shift = 5 * (4 - dice);
      this.extend(position.occupied[onRoll], PASS, dice);
      if (this.end > at) return this.end - at;
    }
    out[at] = PASS;
    return 1;
  }

  /** Plays exactly `left` more dice after the steps in `turn`, from its last place downwards. */
  private extend(occupied: number, turn: number, left: number): void {
    const { die, men, base } = this;
    let rest = sources(occupied, die, this.open);
    if (turn !== PASS) rest &= (2 << (turn & 31)) - 1;
    if (left === 1) {
      const { out, shift } = this;
      for (; rest !== 0; rest &= rest - 1) out[this.end++] = ((turn << 5) | lowestBit(rest)) << shift;
      return;
    }
    for (; rest !== 0; rest &= rest - 1) {
      const from = lowestBit(rest);
      const to = base + (from > die ? from - die : OFF);
      const emptied = --men[base + from] === 0 ? occupied ^ (1 << from) : occupied;
      men[to]++;
      this.extend(emptied | landing(from, die), (turn << 5) | from, left - 1);
      men[to]--;
      men[base + from]++;
    }
  }
}

const equalDice = new EqualDice();
