import { countBits, lowestBit, reverseBits } from "../../base/bits.ts";
import type { FeatureSet } from "../contract/facets.ts";
import { BAR, HOME, MEN, OFF, PLACES, type Position } from "./position.ts";
import type { BackgammonState } from "./state.ts";

const POINTS = 24;
const UNITS = 3;
const UNIT_NAMES = ["blot", "made", "spare men"];

const HOME_POINTS = (2 << HOME) - 2;
const ALL_POINTS = (2 << POINTS) - 2;
const ANCHORS = ALL_POINTS & ~((2 << (POINTS - HOME)) - 1);

/** Features of a side as a whole, each of about one unit. The feature's value is own less theirs. */
const SIDE_FEATURES: readonly {
  readonly name: string;
  readonly of: (position: Position, player: number) => number;
}[] = [
  { name: "pips / -167", of: (position, player) => position.pips(player) / -167 },
  { name: "men off / 15", of: (position, player) => position.men[player * PLACES + OFF] / MEN },
  { name: "men on the bar", of: menOnBar },
  { name: "home points made / 6", of: (position, player) => homePoints(position, player) / HOME },
  {
    name: "anchors in their home / 6",
    of: (position, player) => countBits(madePoints(position, player) & ANCHORS) / HOME,
  },
  { name: "longest prime / 6", of: (position, player) => longestRun(madePoints(position, player)) / 6 },
  { name: "men behind their prime of four or more / -15", of: menBehindPrime },
  { name: "their men on the bar x own home points / 6", of: trapped },
  { name: "blots in direct reach / -4", of: exposedBlots },
  { name: "pips at stake on blots in direct reach / -24", of: exposedPips },
];

const SIDE = POINTS * UNITS;
const CONTACT_ROLL = SIDE + SIDE_FEATURES.length;
const RACE_ROLL = CONTACT_ROLL + 1;
const SIZE = RACE_ROLL + 1;

/**
 * `points`: for linear learning. For each point as its owner counts: a blot, a made point and the men
 * beyond two, +1 for `player`'s and -1 for the other's. Ten features of a side as a whole, own less
 * theirs. One feature for the player on roll with contact, and one in a race.
 */
export const pointsFeatures: FeatureSet<BackgammonState> = {
  summary: "blots, made points and spares by point; pips, primes, anchors, shots, bar; turn",
  version: 1,
  size: SIZE,
  maxActive: 2 * MEN + SIDE_FEATURES.length + 1,
  extract(state, player, index, value) {
    let end = 0;
    for (let side = 0; side < 2; side++) {
      const seat = side === 0 ? player : 1 - player;
      const worth = side === 0 ? 1 : -1;
      for (let rest = state.occupied[seat] & ALL_POINTS; rest !== 0; rest &= rest - 1) {
        const point = lowestBit(rest);
        const men = state.men[seat * PLACES + point];
        const unit = UNITS * (point - 1);
        index[end] = men === 1 ? unit : unit + 1;
        value[end++] = worth;
        if (men < 3) continue;
        index[end] = unit + 2;
        value[end++] = worth * (men - 2);
      }
    }
    for (let feature = 0; feature < SIDE_FEATURES.length; feature++) {
      const { of } = SIDE_FEATURES[feature]!;
      const difference = of(state, player) - of(state, 1 - player);
      if (difference === 0) continue;
      index[end] = SIDE + feature;
      value[end++] = difference;
    }
    if (!state.opening) {
      index[end] = state.isRace() ? RACE_ROLL : CONTACT_ROLL;
      value[end++] = state.onRoll === player ? 1 : -1;
    }
    return end;
  },
  describe(index) {
    if (index < SIDE) return `${UNIT_NAMES[index % UNITS]} on point ${Math.floor(index / UNITS) + 1}`;
    if (index < CONTACT_ROLL) return SIDE_FEATURES[index - SIDE]!.name;
    return index === CONTACT_ROLL ? "on roll with contact" : "on roll in a race";
  },
};

/** Length of the longest run of set bits. */
function longestRun(bits: number): number {
  let length = 0;
  for (let rest = bits; rest !== 0; rest &= rest >>> 1) length++;
  return length;
}

function menOnBar(position: Position, player: number): number {
  return position.men[player * PLACES + BAR];
}

/** The points with two or more men of `player`, as the player counts. */
function madePoints(position: Position, player: number): number {
  return position.occupied[player] & ALL_POINTS & ~ownBlots(position, player);
}

/** The blots of `player`, as the player counts. */
function ownBlots(position: Position, player: number): number {
  return mirror(position.blots[player]) & ALL_POINTS;
}

/** The places as the other player counts: 26 bits in reverse, so that place q becomes 25 - q. */
function mirror(bits: number): number {
  return reverseBits(bits) >>> 6;
}

function homePoints(position: Position, player: number): number {
  return countBits(madePoints(position, player) & HOME_POINTS);
}

function trapped(position: Position, player: number): number {
  return (menOnBar(position, 1 - player) * homePoints(position, player)) / HOME;
}

/** Men of `player` that have yet to pass four of the other's points in a row. */
function menBehindPrime(position: Position, player: number): number {
  const theirs = position.made[1 - player] & ALL_POINTS;
  const runs = theirs & (theirs >>> 1) & (theirs >>> 2) & (theirs >>> 3);
  if (runs === 0) return 0;
  let men = 0;
  for (let place = lowestBit(runs) + 4; place <= BAR; place++) men += position.men[player * PLACES + place];
  return 0 - men / MEN;
}

/** Blots of `player` that a man of the other, 1 to 6 pips away, can hit with one die. */
function exposed(position: Position, player: number): number {
  let shooters = 0;
  const theirs = mirror(position.occupied[1 - player]);
  for (let die = 1; die <= 6; die++) shooters |= theirs << die;
  return ownBlots(position, player) & shooters;
}

function exposedBlots(position: Position, player: number): number {
  return 0 - countBits(exposed(position, player)) / 4;
}

/** The pips that exposed blots have moved: a blot that is hit goes back to 25. */
function exposedPips(position: Position, player: number): number {
  let pips = 0;
  for (let rest = exposed(position, player); rest !== 0; rest &= rest - 1) pips += 25 - lowestBit(rest);
  return pips / -24;
}
