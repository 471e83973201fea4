import type { FeatureSet } from "../contract/facets.ts";
import { BAR, MEN, OFF, PLACES, HOME, type Position } from "./position.ts";
import type { BackgammonState } from "./state.ts";
import { countBits, lowestBit } from "../../base/hashing.ts";

const POINTS = 24;
const UNITS = 4;
/** Inputs of one player: four units a point, the bar, the men off. */
const PLAYER_INPUTS = POINTS * UNITS + 2;
const BAR_INPUT = POINTS * UNITS;
const OFF_INPUT = BAR_INPUT + 1;
const TURN = 2 * PLAYER_INPUTS;

const UNIT_NAMES = ["blot", "made", "three men", "men beyond three / 2"];

/**
 * The 198 inputs of TD-Gammon (Tesauro 1992; Sutton and Barto, Reinforcement Learning, 16.1), first for
 * `player` and then for the other. Each point has four, as its owner counts: one man, two or more, exactly three, and
 * (n - 3) / 2 for the men beyond. Then half the men on the bar, and a fifteenth of the men off. The last two inputs say
 * whether `player` and whether the other is on roll (neither at the opening).
 */
export const tesauroFeatures: FeatureSet<BackgammonState> = {
  summary: "the 198 inputs of TD-Gammon: four units a point and player, bar, off, turn (Tesauro 1992)",
  version: 1,
  size: TURN + 2,
  maxActive: 2 * MEN + 1,
  symmetry: "mirrored",
  viewer: (state) => state.onRoll,
  extract(state, player, index, value) {
    const { men } = state;
    let end = 0;
    for (let side = 0; side < 2; side++) {
      const seat = side === 0 ? player : 1 - player;
      const first = side * PLAYER_INPUTS;
      const base = seat * PLACES;
      // Bit by bit over the occupied places from the rear; the bar and the men off are among them.
      for (let rest = state.occupied[seat]; rest !== 0;) {
        const place = 31 - Math.clz32(rest);
        rest ^= 1 << place;
        const count = men[base + place];
        if (place === BAR) {
          index[end] = first + BAR_INPUT;
          value[end++] = count / 2;
          continue;
        }
        if (place === OFF) {
          index[end] = first + OFF_INPUT;
          value[end++] = count / MEN;
          continue;
        }
        const unit = first + UNITS * (place - 1);
        index[end] = count === 1 ? unit : unit + 1;
        value[end++] = 1;
        if (count < 3) continue;
        index[end] = count === 3 ? unit + 2 : unit + 3;
        value[end++] = count === 3 ? 1 : (count - 3) / 2;
      }
    }
    if (!state.opening) {
      index[end] = state.onRoll === player ? TURN : TURN + 1;
      value[end++] = 1;
    }
    return end;
  },
  describe(index) {
    if (index >= TURN) return index === TURN ? "own roll" : "their roll";
    const owner = index < PLAYER_INPUTS ? "own" : "their";
    const input = index % PLAYER_INPUTS;
    if (input === BAR_INPUT) return `${owner} men on the bar / 2`;
    if (input === OFF_INPUT) return `${owner} men off / 15`;
    return `${owner} ${UNIT_NAMES[input % UNITS]} on point ${Math.floor(input / UNITS) + 1}`;
  },
  grids: ["own", "their"].map((owner, side) => ({
    name: `${owner} men by point`,
    rows: Array.from({ length: POINTS }, (_, at) =>
      UNIT_NAMES.map((_name, unit) => side * PLAYER_INPUTS + (POINTS - 1 - at) * UNITS + unit),
    ),
    rowNames: Array.from({ length: POINTS }, (_, at) => String(POINTS - at)),
    columnNames: ["1", "2+", "3", "4+"],
  })),
};

const ALL_POINTS = (2 << 24) - 2;
/** A player's home as the other player counts: points 19 to 24. */
const THEIR_HOME = ALL_POINTS & ~((2 << 18) - 1);
const LAST_OF_THEIR_HOME = 19;

/** The measures of one player, in the order in which `measure` writes them. */
const MEASURES = [
  "rolls that hit / 32",
  "pips that hits cost, over 36 rolls / 512",
  "rolls that hit x points at home / 128",
  "rolls that free the rearmost man / 32",
  "rolls that free a man from the bar / 32",
  "rolls that free a man from the worst place / 32",
  "pips outside x rolls that free, over all men / 2048",
  "pips to break contact / 128",
  "pips to save the gammon / 64",
] as const;
const [HITS, HIT_PIPS, HITS_HOME, REAR, FROM_BAR, WORST, MOBILITY, CONTACT, GAMMON] = MEASURES.keys();

/** The lengths of primes with an input of their own. */
const PRIMES = { from: 2, to: 6 } as const;
const PRIME = MEASURES.length;
const ENTRY = PRIME + PRIMES.to - PRIMES.from + 1;
/** Inputs of one player. */
const SIDE_INPUTS = ENTRY + HOME;

const FIRST = tesauroFeatures.size;
const RACE = FIRST + 2 * SIDE_INPUTS;
const RACE_LEAD = RACE + 1;
const RACE_LENGTH = RACE + 2;

/**
 * `tactics`: TD-Gammon's inputs, and for each player numbers that people look at and that a network can hardly calculate
 * from those inputs.
 *
 * - With contact: the rolls that would hit if the player were to roll, and their cost to the other player; the rolls that
 *   free the rearmost man, a man from the bar, a man from the worst place in the other's home, and all men outside the own
 *   home; the longest prime before the rearmost man; with men on the bar, the points made in the other's home.
 * - In a race: the lead and the length.
 * - While no man is off: the pips that are missing to save the gammon.
 *
 * Most values are multiples of 2^-8, so that networks add them up fast (see FirstLayer).
 */
export const tacticsFeatures: FeatureSet<BackgammonState> = {
  summary: "TD-Gammon's 198 inputs; shots, freedom of the rear men, primes, men on the bar, gammon, race",
  version: 1,
  size: RACE_LENGTH + 1,
  maxActive: tesauroFeatures.maxActive + 2 * (MEASURES.length + 2) + 3,
  symmetry: "mirrored",
  viewer: (state) => state.onRoll,
  extract(state, player, index, value) {
    let end = tesauroFeatures.extract(state, player, index, value);
    const isRace = state.isRace();
    for (let side = 0; side < 2; side++) {
      const seat = side === 0 ? player : 1 - player;
      const first = FIRST + side * SIDE_INPUTS;
      measure(state, seat, isRace);
      for (let at = 0; at < measured.length; at++) {
        if (measured[at] === 0) continue;
        index[end] = first + at;
        value[end++] = measured[at];
      }
      if (isRace) continue;
      const prime = primeBefore(state, seat);
      if (prime >= PRIMES.from) {
        index[end] = first + PRIME + Math.min(prime, PRIMES.to) - PRIMES.from;
        value[end++] = 1;
      }
      const points = state.rearmost(seat) === BAR ? countBits(state.made[1 - seat] & THEIR_HOME) : 0;
      if (points > 0) {
        index[end] = first + ENTRY + points - 1;
        value[end++] = 1;
      }
    }
    if (!isRace) return end;
    const own = state.pips(player);
    const their = state.pips(1 - player);
    index[end] = RACE;
    value[end++] = 1;
    index[end] = RACE_LEAD;
    value[end++] = (their - own) / 16;
    index[end] = RACE_LENGTH;
    value[end++] = (own + their) / 128;
    return end;
  },
  describe(feature) {
    if (feature < FIRST) return tesauroFeatures.describe(feature);
    if (feature === RACE) return "race";
    if (feature === RACE_LEAD) return "own lead in the race / 16";
    if (feature === RACE_LENGTH) return "pips of both in the race / 128";
    const owner = feature < FIRST + SIDE_INPUTS ? "own" : "their";
    const input = (feature - FIRST) % SIDE_INPUTS;
    if (input < PRIME) return `${owner} ${MEASURES[input]}`;
    if (input < ENTRY) return `${owner} rearmost man before a prime of ${input - PRIME + PRIMES.from}`;
    return `${owner} men on the bar against ${input - ENTRY + 1} points`;
  },
};

const measured = new Float32Array(MEASURES.length);

/** Writes the MEASURES of one player to `measured`. In a race all but the one about the gammon are 0. */
function measure(position: Position, player: number, isRace: boolean): void {
  measured.fill(0);
  const { men, occupied } = position;
  const base = player * PLACES;
  const blocked = position.made[1 - player] & ALL_POINTS;
  /** Men beyond this place have yet to pass the other's last man. */
  const passed = BAR - position.rearmost(1 - player);
  let outside = 0;
  let mobility = 0;
  let contact = 0;
  for (let rest = occupied[player] & -(2 << Math.min(HOME, passed)); rest !== 0; rest &= rest - 1) {
    const place = lowestBit(rest);
    const count = men[base + place];
    if (place > passed) contact += count * (place - passed);
    if (place <= HOME) continue;
    const pips = count * (place - HOME);
    outside += pips;
    mobility += pips * freeRolls(blocked, place);
  }
  if (men[base + OFF] === 0) measured[GAMMON] = outside / 64;
  if (isRace) return;

  const shots = countShots(position, player);
  measured[HITS] = rollsOf(shots) / 32;
  measured[HIT_PIPS] = pipsOf(shots) / 512;
  measured[HITS_HOME] = (rollsOf(shots) * countBits(position.made[player] & THEIR_HOME)) / 128;
  const fromBar = freeRolls(blocked, BAR);
  let worst = fromBar;
  for (let place = LAST_OF_THEIR_HOME; place < BAR; place++)
    worst = Math.min(worst, freeRolls(blocked, place));
  measured[REAR] = freeRolls(blocked, position.rearmost(player)) / 32;
  measured[FROM_BAR] = fromBar / 32;
  measured[WORST] = worst / 32;
  measured[MOBILITY] = Math.round(mobility / 16) / 128;
  measured[CONTACT] = contact / 128;
}

/** Length of the longest run of points that the other holds before the rearmost man of `player`. */
function primeBefore(position: Position, player: number): number {
  let length = 0;
  const before = position.made[1 - player] & ALL_POINTS & ((1 << position.rearmost(player)) - 1);
  for (let rest = before; rest !== 0; rest &= rest >>> 1) length++;
  return length;
}

/** The number of points ahead of a man that can block it: two sixes. */
const AHEAD = 12;

/**
 * The number of rolls, of 36, that move a man from `place` by the sum of both dice past the other
 * player's points, which are in `blocked`.
 */
function freeRolls(blocked: number, place: number): number {
  const ahead = place >= AHEAD ? blocked >>> (place - AHEAD) : blocked << (AHEAD - place);
  return FREE_ROLLS[ahead & ((1 << AHEAD) - 1)];
}

/** By the points blocked ahead of a man, the next point as the highest bit: the rolls, of 36, that free the man. */
const FREE_ROLLS = Uint8Array.from({ length: 1 << AHEAD }, (_, blocked) => {
  const isOpen = (pips: number) => ((blocked >> (AHEAD - pips)) & 1) === 0;
  let rolls = 0;
  for (let first = 1; first <= 6; first++)
    for (let second = 1; second <= 6; second++)
      if (isOpen(first + second) && (isOpen(first) || isOpen(second))) rolls++;
  return rolls;
});

/** The low bits of the result of `countShots`, which hold the number of rolls. */
const ROLL_BITS = 6;
const ROLL_MASK = (1 << ROLL_BITS) - 1;

/**
 * The rolls, of 36, with which `player` could hit a blot at its turn: with one die, with both, or with up to four steps of
 * equal dice, over open points, men on the bar moving first. The rule that both dice must be played if possible is
 * ignored. Returns two numbers in one; `rollsOf` and `pipsOf` take them out.
 * @internal tests compare it with the rules.
 */
export function countShots(position: Position, player: number): number {
  const targets = position.blots[1 - player] & ALL_POINTS;
  if (targets === 0) return 0;
  const open = ~position.made[1 - player];
  const onBar = position.men[player * PLACES + BAR];
  const men = position.occupied[player] & ALL_POINTS;
  let shots = 0;
  for (let large = 1; large <= 6; large++) {
    for (let small = 1; small < large; small++) {
      const hit = targets & reach(men, onBar, open, large, small);
      if (hit !== 0) shots += 2 + ((2 * highest(hit)) << ROLL_BITS);
    }
    const hit = targets & reachByFour(men, onBar, open, large);
    if (hit !== 0) shots += 1 + (highest(hit) << ROLL_BITS);
  }
  return shots;
}

/**
 * The number of rolls, of 36, that hit.
 * @internal see `countShots`.
 */
export function rollsOf(shots: number): number {
  return shots & ROLL_MASK;
}

/**
 * The loss of the other player by those rolls, summed over the rolls: the pips that the man who is hit has moved. If
 * several men can be hit, the one who has moved farthest counts.
 * @internal see `countShots`.
 */
export function pipsOf(shots: number): number {
  return shots >>> ROLL_BITS;
}

/** The points that men reach by unequal dice. */
function reach(men: number, onBar: number, open: number, large: number, small: number): number {
  if (onBar === 0) {
    const byLarge = (men >>> large) & open;
    const bySmall = (men >>> small) & open;
    return byLarge | bySmall | (byLarge >>> small) | (bySmall >>> large);
  }
  const enterLarge = (1 << (BAR - large)) & open;
  const enterSmall = (1 << (BAR - small)) & open;
  let reached = enterLarge | enterSmall;
  if (onBar > 1) return reached;
  if (enterLarge !== 0) reached |= (men | enterLarge) >>> small;
  if (enterSmall !== 0) reached |= (men | enterSmall) >>> large;
  return reached;
}

/** The points that men reach by four equal dice. */
function reachByFour(men: number, onBar: number, open: number, die: number): number {
  let at = men;
  let reached = 0;
  let left = 4;
  if (onBar > 0) {
    const entered = (1 << (BAR - die)) & open;
    if (entered === 0) return 0;
    reached = entered;
    at |= entered;
    left -= onBar;
  }
  for (; left > 0; left--) {
    at = (at >>> die) & open;
    reached |= at;
  }
  return reached;
}

function highest(bits: number): number {
  return 31 - Math.clz32(bits);
}
