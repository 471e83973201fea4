import { countBits, lowestBit } from "../../base/bits.ts";
import type { FeatureSet } from "../../game/facets.ts";
import { BAR, HOME, OFF, PLACES, type Position } from "./position.ts";
import { countShots, pipsOf, rollsOf } from "./shots.ts";
import type { BackgammonState } from "./state.ts";
import { tesauroFeatures } from "./tesauro.ts";

const POINTS = (2 << 24) - 2;
/** A player's home as the other counts: points 19 to 24. */
const THEIR_HOME = POINTS & ~((2 << 18) - 1);
const LAST_OF_THEIR_HOME = 19;

/** What is measured of one player, in this order: `measure` writes it. */
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

/** Lengths of primes that are told apart. */
const PRIMES = { from: 2, to: 6 } as const;
const PRIME = MEASURES.length;
const ENTRY = PRIME + PRIMES.to - PRIMES.from + 1;
/** Inputs of one player. */
const PLAYER_INPUTS = ENTRY + HOME;

const FIRST = tesauroFeatures.size;
const RACE = FIRST + 2 * PLAYER_INPUTS;
const RACE_LEAD = RACE + 1;
const RACE_LENGTH = RACE + 2;

/**
 * `tactics`: TD-Gammon's inputs, and numbers that people look at and that a network finds hard to
 * calculate from those inputs, for either player.
 *
 * With contact: the rolls that would hit if the player were to roll, and what they cost the other player;
 * how freely the player's men behind the other's points can move (the rearmost man, a man that comes from
 * the bar, from the worst place in the other's home, and all men outside the own home); the longest prime
 * before the rearmost man; with men on the bar, the points in the other's home. In a race: the lead and
 * the length. Always, while no man is off: what is missing to save the gammon.
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
      const first = FIRST + side * PLAYER_INPUTS;
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
    const owner = feature < FIRST + PLAYER_INPUTS ? "own" : "their";
    const input = (feature - FIRST) % PLAYER_INPUTS;
    if (input < PRIME) return `${owner} ${MEASURES[input]}`;
    if (input < ENTRY) return `${owner} rearmost man before a prime of ${input - PRIME + PRIMES.from}`;
    return `${owner} men on the bar against ${input - ENTRY + 1} points`;
  },
};

const measured = new Float32Array(MEASURES.length);

/** Writes the MEASURES of one player to `measured`. In a race there is only the one about the gammon. */
function measure(position: Position, player: number, isRace: boolean): void {
  measured.fill(0);
  const { men, occupied } = position;
  const base = player * PLACES;
  const blocked = position.made[1 - player] & POINTS;
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
  const before = position.made[1 - player] & POINTS & ((1 << position.rearmost(player)) - 1);
  for (let rest = before; rest !== 0; rest &= rest >>> 1) length++;
  return length;
}

/** How far ahead of a man points can block it: two sixes. */
const AHEAD = 12;

/**
 * The number of rolls, of 36, that move a man from `place` by the sum of both dice past the other
 * player's points, which are in `blocked`.
 */
function freeRolls(blocked: number, place: number): number {
  const ahead = place >= AHEAD ? blocked >>> (place - AHEAD) : blocked << (AHEAD - place);
  return FREE_ROLLS[ahead & ((1 << AHEAD) - 1)];
}

/** By the points blocked ahead of a man, the next one being the highest bit. */
const FREE_ROLLS = Uint8Array.from({ length: 1 << AHEAD }, (_, blocked) => {
  const isOpen = (pips: number) => ((blocked >> (AHEAD - pips)) & 1) === 0;
  let rolls = 0;
  for (let first = 1; first <= 6; first++)
    for (let second = 1; second <= 6; second++)
      if (isOpen(first + second) && (isOpen(first) || isOpen(second))) rolls++;
  return rolls;
});
